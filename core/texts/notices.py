"""What a reader must know about how a document was read."""

from __future__ import annotations

NOTICES: dict[str, dict[str, str]] = {
    "pages_without_text": {
        "zh": "第 {pages} 页没有文字层，未收录。",
        "en": "Pages {pages} have no text layer and were left out.",
    },
    "content_differs": {
        "zh": "内容是 {content}，与扩展名 {suffix} 不符，已按内容读取。",
        "en": "The content is {content} although the name ends in {suffix}; it was read as {content}.",
    },
    "repaired": {
        "zh": "文件有损坏，已自动修复，可能缺少内容。",
        "en": "The file was damaged and repaired; content may be missing.",
    },
    "decoded_as": {
        "zh": "按 {encoding} 编码读取。",
        "en": "Read as {encoding}.",
    },
    "encoding_uncertain": {
        "zh": "按 {encoding} 编码读取，也可能是 {other}。如有乱码，请另存为 UTF-8 后重新上传。",
        "en": "Read as {encoding}, though it may be {other}. If characters look wrong, save it as UTF-8.",
    },
    "bytes_replaced": {
        "zh": "有 {count} 处字节不能按 {encoding} 解码，显示为 �。",
        "en": "Bytes in {count} places are not {encoding}; they are shown as �.",
    },
    "lines_not_json": {
        "zh": "第 {lines} 行不是有效的 JSON，按原文收录。",
        "en": "Lines {lines} are not valid JSON and were kept as they stand.",
    },
    "outputs_left_out": {
        "zh": "有 {count} 个图片或交互式输出未收录。",
        "en": "{count} pictures or interactive outputs were left out.",
    },
    "sheets_hidden": {
        "zh": "隐藏的工作表没有收录：{sheets}。需要时请取消隐藏后重新上传。",
        "en": "Hidden sheets were left out: {sheets}. Unhide them and upload again if they are needed.",
    },
    "sheet_rows_hidden": {
        "zh": "工作表 {sheets} 中被隐藏的行或列也已收录。",
        "en": "Hidden rows or columns were kept on: {sheets}.",
    },
    "formulas_without_values": {
        "zh": "有 {count} 个公式没有保存计算结果，显示为公式本身。用表格软件打开并保存一次即可。",
        "en": "{count} formulas were saved without a value and are shown as formulas. "
        "Open and save the file once in a spreadsheet program.",
    },
    "cells_cut": {
        "zh": "单元格超过 {limit} 个，{sheets} 的其余内容没有收录。",
        "en": "There are more than {limit} cells; the rest of {sheets} was left out.",
    },
    "quotes_unbalanced": {
        "zh": "引号不成对，引号按普通字符读取。",
        "en": "Quotation marks do not pair up; they were read as ordinary characters.",
    },
    "slides_hidden_kept": {
        "zh": "放映时隐藏的幻灯片也已收录：第 {slides} 页。",
        "en": "Slides that are hidden in the show were kept: {slides}.",
    },
    "slide_furniture": {
        "zh": "每页重复的页脚、日期或页码没有收录：{texts}",
        "en": "Repeated footers, dates or slide numbers were left out: {texts}",
    },
    "slide_text_hidden": {
        "zh": "第 {slides} 页有看不见的文字（隐藏、极小、与背景同色或在页面之外），没有收录。",
        "en": "Text that nobody sees (hidden, tiny, in the colour of the background or off the slide) "
        "was left out on slides {slides}.",
    },
    "parts_unread": {
        "zh": "第 {slides} 页有无法读取的图表或图形，没有收录。",
        "en": "Charts or diagrams on slides {slides} could not be read and were left out.",
    },
    "pictures_read": {
        "zh": "{count} 张图片上的文字由文字识别得到。",
        "en": "The words on {count} pictures come from text recognition.",
    },
    "pictures_unread": {
        "zh": "有图片无法识别文字：{places}。",
        "en": "Some pictures could not be read: {places}.",
    },
    "hidden_left_out": {
        "zh": "有 {characters} 个字符在页面上看不见（隐藏、透明、极小或与背景同色），没有收录。",
        "en": "{characters} characters that nobody sees (hidden, transparent, tiny or in the colour of the "
        "background) were left out.",
    },
    "furniture_left_out": {
        "zh": "导航、页眉页脚、侧栏等网站公共部分共 {characters} 个字符没有收录。",
        "en": "{characters} characters of menus, banners, side bars and footers of the site were left out.",
    },
    "note_marks_left_out": {
        "zh": "有 {count} 个注释序号（如 [1]）没有收录，以免与回答的引用编号混淆。",
        "en": "{count} note marks such as [1] were left out, so that nobody takes them for citations.",
    },
    "chapters_missing": {
        "zh": "目录列出的 {count} 个章节在文件里缺失或无法读取，没有收录。",
        "en": "{count} chapters that the book lists are missing from the file or cannot be read.",
    },
    "mail_versions_differ": {
        "zh": "这封邮件的纯文本版本与网页版本内容不同，收录的是收件人看到的网页版本。",
        "en": "The plain text of this mail says other things than its HTML, which readers see and which was taken.",
    },
    "mail_body_unread": {
        "zh": "邮件正文的格式无法读取，只收录了邮件头和附件名。",
        "en": "The body of the mail is in a format that cannot be read; only its headers were taken.",
    },
    "pages_read_by_ocr": {
        "zh": "第 {pages} 页的文字由图片识别得到（平均可信度 {confidence}%），引用前请对照原页。",
        "en": "Pages {pages} were read by text recognition (mean confidence {confidence}%); "
        "compare with the page before quoting.",
    },
    "ocr_lines_unsure": {
        "zh": "第 {pages} 页有 {count} 行识别得不可靠，请对照原图。",
        "en": "{count} lines on pages {pages} were read with doubt; compare with the picture.",
    },
    "frames_left_out": {
        "zh": "这是动图，只读取了 {count} 帧中的第一帧。",
        "en": "This is an animation; only the first of its {count} frames was read.",
    },
    "text_layer_doubtful": {
        "zh": "第 {pages} 页的文字层有错误或乱码，按原样收录。",
        "en": "The text layer of pages {pages} is faulty and was taken as it stands.",
    },
    "layout_left_out": {
        "zh": "第 {pages} 页没有做版面分析（图形或文字过多），只收录文字，表格和分栏可能错序。",
        "en": "Pages {pages} were read without layout analysis (too much is drawn or written there); "
        "tables and columns may be out of order.",
    },
    "hidden_text_left_out": {
        "zh": "第 {pages} 页有看不见的文字（{count} 个字符：透明、与背景同色、极小、被遮住或在页面之外），没有收录。",
        "en": "Pages {pages} hold text that nobody sees ({count} characters: invisible, in the colour of the "
        "background, tiny, covered or off the page); it was left out.",
    },
    "letters_lost": {
        "zh": "文件的字体有问题，约有 {count} 处丢失字母或无法识别的字符。",
        "en": "The fonts of this file are faulty; letters are lost in about {count} places.",
    },
    "running_lines_left_out": {
        "zh": "每页重复的页眉页脚没有收录，共 {count} 处（第 {pages} 页）：{lines}",
        "en": "Running headers and footers were left out in {count} places (pages {pages}): {lines}",
    },
    "table_header_kept_once": {
        "zh": "跨页表格已接成一张表，第 {pages} 页重复的表头没有再次收录。",
        "en": "Tables that go on over pages were joined; their repeated headers on pages {pages} were left out.",
    },
    "files_inside": {
        "zh": "文件内嵌有附件：{names}。",
        "en": "There are files inside this PDF: {names}.",
    },
    "converted": {
        "zh": "由 LibreOffice 从 {suffix} 格式转换后读取。",
        "en": "Read after a conversion from {suffix} by LibreOffice.",
    },
    "word_text_hidden": {
        "zh": "有 {count} 个看不见的字符（隐藏、极小或与背景同色），没有收录。",
        "en": "{count} characters that nobody sees (hidden, tiny or in the colour of the background) "
        "were left out.",
    },
    "changes_tracked": {
        "zh": "文档有未处理的修订：插入的 {inserted} 个字符已收录，删除的 {deleted} 个字符没有收录。",
        "en": "The document has tracked changes: {inserted} inserted characters were kept, "
        "{deleted} deleted ones were left out.",
    },
    "contents_left_out": {
        "zh": "自动生成的目录没有收录，其中的标题在正文里。",
        "en": "The generated table of contents was left out; its headings stand in the text.",
    },
    "comments_left_out": {
        "zh": "有 {count} 条批注没有收录。",
        "en": "{count} comments were left out.",
    },
    "page_furniture": {
        "zh": "页眉和页脚没有收录：{texts}",
        "en": "Headers and footers were left out: {texts}",
    },
    "objects_left_out": {
        "zh": "有 {count} 个嵌入的对象没有收录。",
        "en": "{count} embedded objects were left out.",
    },
    "tables_flattened": {
        "zh": "有 {count} 个表格嵌套过深，只收录了其中的文字。",
        "en": "{count} tables are nested too deep; only their words were kept.",
    },
}
