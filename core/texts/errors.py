"""Errors: one text for each class of ``core.errors``."""

from __future__ import annotations

ERRORS: dict[str, dict[str, str]] = {
    "internal": {
        "zh": "程序内部出错（编号 {id}）。已保存的内容没有受影响。",
        "en": "Something went wrong inside the program (id {id}). Nothing stored was affected.",
    },
    "settings_invalid": {
        "zh": "设置 {name} 有误：{reason}",
        "en": "Setting {name} is wrong: {reason}",
    },
    "name_unknown": {
        "zh": "没有名为 {name} 的{seam}，可用的有：{known}。",
        "en": "There is no {seam} named {name}; known names: {known}.",
    },
    "extra_missing": {
        "zh": "{name} 需要额外的软件包，请安装：{install}",
        "en": "{name} needs extra packages; install them with: {install}",
    },
    "document_unreadable": {
        "zh": "无法读取 {name}：{reason}",
        "en": "{name} cannot be read: {reason}",
    },
    "file_missing": {
        "zh": "找不到文件 {name}。",
        "en": "File {name} does not exist.",
    },
    "format_unsupported": {
        "zh": "{name} 的格式尚不支持（{kind}）。支持的格式：{known}。",
        "en": "The format of {name} is not supported ({kind}). Supported: {known}.",
    },
    "extension_wrong": {
        "zh": "{name} 的扩展名与内容不符：内容像是 {kind}。请改正扩展名后再试。",
        "en": "The extension of {name} does not fit its content, which looks like {kind}. "
        "Rename it and try again.",
    },
    "document_empty": {
        "zh": "{name} 是空的，没有可用的内容。",
        "en": "{name} is empty; there is nothing to take from it.",
    },
    "no_text": {
        "zh": "{name} 里没有可提取的文字（可能是扫描件，第 {pages} 页）。",
        "en": "No text was found in {name} (it may be a scan; pages {pages}).",
    },
    "document_damaged": {
        "zh": "{name} 已损坏，无法打开。请重新导出或下载后再试。",
        "en": "{name} is damaged and cannot be opened. Export or download it again.",
    },
    "encoding_unknown": {
        "zh": "{name} 的文字编码无法识别。请另存为 UTF-8 后再试。",
        "en": "The text encoding of {name} is unknown. Save it as UTF-8.",
    },
    "json_invalid": {
        "zh": "{name} 不是完整、有效的 JSON：第 {line} 行第 {column} 列有误。请改正或重新导出后再试。",
        "en": "{name} is not complete, valid JSON: wrong at line {line}, column {column}. "
        "Mend it or export it again.",
    },
    "page_scripted": {
        "zh": "{name} 里没有文字，内容要靠脚本从网上载入。请在浏览器里打开后另存为 PDF 再上传。",
        "en": "{name} holds no text; its scripts would fetch it. Open it in a browser and save it as PDF.",
    },
    "document_protected": {
        "zh": "{name} 有版权保护（DRM）或已加密，无法读取。",
        "en": "{name} is encrypted or protected by DRM and cannot be read.",
    },
    "password_needed": {
        "zh": "{name} 有密码保护，需要密码才能打开。",
        "en": "{name} is protected; a password is needed to open it.",
    },
    "document_too_large": {
        "zh": "{name} 有 {size_mb} MB，超过上限 {limit_mb} MB。",
        "en": "{name} has {size_mb} MB, more than the limit of {limit_mb} MB.",
    },
    "converter_missing": {
        "zh": "读取 {name} 需要 LibreOffice（旧版 Office、RTF 和 OpenDocument 格式都要先转换），但这台机器上没有找到。"
        "请从 libreoffice.org 或系统的软件包安装，或用 YOUJU_PARSING__LIBREOFFICE 指明位置；"
        "也可以另存为 DOCX、XLSX 或 PPTX 后再试。",
        "en": "{name} needs LibreOffice (old Office formats, RTF and OpenDocument are converted first), which was "
        "not found on this machine. Install it from libreoffice.org or as a package of the system, or name it "
        "with YOUJU_PARSING__LIBREOFFICE; or save the file as DOCX, XLSX or PPTX and try again.",
    },
    "conversion_failed": {
        "zh": "LibreOffice 无法转换 {name}，文件可能已损坏。请另存为 DOCX、XLSX 或 PPTX 后再试。",
        "en": "LibreOffice could not convert {name}; it may be damaged. Save it as DOCX, XLSX or PPTX and try again.",
    },
    "picture_too_large": {
        "zh": "{name} 约有 {megapixels} 百万像素，超过上限 {limit}。请缩小或裁开后再试。",
        "en": "{name} has about {megapixels} megapixels, more than the limit of {limit}. Shrink it or cut it up.",
    },
    "ocr_unavailable": {
        "zh": "无法识别图片里的文字：文字识别组件不可用（{reason}）。",
        "en": "The words in pictures cannot be read: text recognition does not work here ({reason}).",
    },
    "password_wrong": {
        "zh": "{name} 的密码不对，无法打开。",
        "en": "The password given for {name} does not open it.",
    },
    "encryption_unsupported": {
        "zh": "{name} 的加密方式不支持，有密码也无法打开。请去掉密码后再添加。",
        "en": "{name} is encrypted in a way that cannot be opened here, even with its password. "
        "Save it without a password and add it again.",
    },
    "pages_too_many": {
        "zh": "{name} 有 {pages} 页，超过上限 {limit} 页。请拆分后再添加。",
        "en": "{name} has {pages} pages, more than the limit of {limit}. Split it and add the parts.",
    },
    "unpacks_too_large": {
        "zh": "{name} 解压后过大（上限 {limit_mb} MB，且不得超过压缩后的 200 倍），可能是压缩炸弹，没有读取。",
        "en": "{name} unpacks to too much (limit {limit_mb} MB, and 200 times its packed size) and was not read; "
        "it may be a zip bomb.",
    },
    "entries_too_many": {
        "zh": "{name} 里的文件超过 {limit} 个，没有读取。",
        "en": "{name} holds more than {limit} files and was not read.",
    },
    "nested_too_deep": {
        "zh": "{name} 嵌套超过 {limit} 层，没有读取。",
        "en": "{name} is nested more than {limit} levels deep and was not read.",
    },
    "xml_unsafe": {
        "zh": "{name} 含有不允许的 XML 声明（DOCTYPE 或 ENTITY），没有读取。",
        "en": "{name} holds an XML declaration that is not allowed (DOCTYPE or ENTITY) and was not read.",
    },
    "parser_crashed": {
        "zh": "读取 {name} 时解析程序崩溃，已跳过这个文件，其他文件不受影响。",
        "en": "The parser crashed on {name}. The file was left out; others are not affected.",
    },
    "parser_failed": {
        "zh": "解析 {name} 时出错（{kind}），已跳过这个文件。",
        "en": "The parser failed on {name} ({kind}). The file was left out.",
    },
    "parser_timeout": {
        "zh": "读取 {name} 时超过 {seconds} 秒没有进展，已停止。",
        "en": "Reading {name} made no progress for {seconds} s and was stopped.",
    },
    "parser_memory": {
        "zh": "读取 {name} 需要的内存超过 {limit_mb} MB，已停止。",
        "en": "Reading {name} needed more than {limit_mb} MB of memory and was stopped.",
    },
    "document_owned": {
        "zh": "这个知识库里已有另一位用户的 {name}。请换个名字再添加。",
        "en": "This collection already holds a {name} of another user. Give the file another name.",
    },
    "store_failed": {
        "zh": "知识库操作失败：{reason}",
        "en": "The knowledge base could not do that: {reason}",
    },
    "store_busy": {
        "zh": "另一个程序正在写入知识库，等待 {waited_s} 秒后仍未结束。请稍后再试。",
        "en": "Another program is writing to the knowledge base and did not finish within {waited_s} s. "
        "Try again later.",
    },
    "store_unreachable": {
        "zh": "连不上数据库 {where}，或它没有完成请求：{reason}。请检查服务器是否在运行，以及 YOUJU_STORE_URL。",
        "en": "The database {where} cannot be reached or did not do what was asked: {reason}. "
        "Check that the server runs, and YOUJU_STORE_URL.",
    },
    "store_version": {
        "zh": "知识库由另一个版本的程序建立（结构 {found}，本程序需要 {expected}）。",
        "en": "The knowledge base was made by another version of the program "
        "(schema {found}, this program needs {expected}).",
    },
    "store_damaged": {
        "zh": "知识库数据不一致：{reason}。请运行 python -m ingest check 查看，再运行 python -m ingest rebuild。",
        "en": "The knowledge base is inconsistent: {reason}. Run python -m ingest check, "
        "then python -m ingest rebuild.",
    },
    "home_unwritable": {
        "zh": "数据目录 {home} 无法写入：{reason}。请检查权限和剩余空间，或用 YOUJU_HOME 换一个目录。",
        "en": "The data folder {home} cannot be written: {reason}. Check its permissions and free space, "
        "or name another one with YOUJU_HOME.",
    },
    "model_mismatch": {
        "zh": "知识库的向量由 {stored} 生成，而当前设置是 {current}。"
        "请改回原模型，或运行 python -m ingest rebuild --embed 重新生成向量。",
        "en": "The knowledge base was embedded with {stored}, but {current} is configured. Set the former "
        "model again, or run python -m ingest rebuild --embed.",
    },
    "document_unknown": {
        "zh": "知识库里没有 {name}。",
        "en": "The knowledge base holds no {name}.",
    },
    "collection_unknown": {
        "zh": "没有名为 {name} 的知识库，现有：{known}。",
        "en": "There is no collection named {name}; existing: {known}.",
    },
    "index_failed": {
        "zh": "检索服务器 {address} 出错：{reason}。文档都在，没有受影响。可运行 python -m ingest rebuild 重新写入索引。",
        "en": "The search server {address} failed: {reason}. The documents are stored and not affected. "
        "python -m ingest rebuild writes its index anew.",
    },
    "index_unreachable": {
        "zh": "连不上检索服务器 {address}（{reason}）。文档都在，服务器恢复后索引会自动补齐。"
        "请检查它是否在运行，以及 YOUJU_INDEX__MILVUS_URI 和 YOUJU_INDEX__MILVUS_TOKEN。",
        "en": "The search server {address} cannot be reached ({reason}). The documents are stored; the index catches "
        "up by itself. Check that it runs, YOUJU_INDEX__MILVUS_URI and YOUJU_INDEX__MILVUS_TOKEN.",
    },
    "index_locked": {
        "zh": "Milvus Lite 的目录 {folder} 打不开，多半正被另一个程序使用（它只支持一个进程）。"
        "请关闭那个程序，或改用 Milvus 服务器（YOUJU_INDEX__MILVUS_URI）。",
        "en": "The Milvus Lite folder {folder} cannot be opened; most likely another program has it open (it serves one "
        "process). Close that program, or use a Milvus server (YOUJU_INDEX__MILVUS_URI).",
    },
    "model_failed": {
        "zh": "模型 {name} 出错：{reason}",
        "en": "Model {name} failed: {reason}",
    },
    "embedding_failed": {
        "zh": "向量模型 {name} 出错：{reason}",
        "en": "The embedding model {name} failed: {reason}",
    },
    "embedding_too_long": {
        "zh": "向量模型 {name} 一次最多读 {limit} 个词元，而第 {place} 段文字有 {tokens} 个。请先切分。",
        "en": "The embedding model {name} reads at most {limit} tokens, text {place} has {tokens}; split it first.",
    },
    "embedding_key": {
        "zh": "向量模型 {name} 的服务不接受密钥。请检查 OPENAI_API_KEY。",
        "en": "The service of the embedding model {name} refused the key. Check OPENAI_API_KEY.",
    },
    "embedding_busy": {
        "zh": "向量模型 {name} 的服务拒绝了请求（试了 {tries} 次）：请求太多，或额度已用完。"
        "请稍后再试，或设置 YOUJU_EMBEDDING__REQUESTS_PER_MINUTE。",
        "en": "The service of the embedding model {name} refused after {tries} tries: too many requests, or the "
        "quota is used up. Try again later, or set YOUJU_EMBEDDING__REQUESTS_PER_MINUTE.",
    },
    "embedding_unreachable": {
        "zh": "连不上向量模型 {name} 的服务，或等不到回复（试了 {tries} 次）。请检查地址和网络。",
        "en": "The service of the embedding model {name} cannot be reached or did not reply ({tries} tries). "
        "Check the address and the network.",
    },
    "embedding_reply": {
        "zh": "向量模型 {name} 的服务回复有误：应为 {expected}，实为 {found}。",
        "en": "The service of the embedding model {name} sent a wrong reply: expected {expected}, got {found}.",
    },
    "chat_model_failed": {
        "zh": "对话模型 {name} 没有给出完整的回答：{reason}",
        "en": "The chat model {name} gave no complete answer: {reason}",
    },
    "question_invalid": {
        "zh": "这个问题无法处理：{reason}",
        "en": "This question cannot be handled: {reason}",
    },
    "question_empty": {
        "zh": "问题是空的，请输入要问的内容。",
        "en": "The question is empty; please type what you want to know.",
    },
    "question_too_long": {
        "zh": "问题有 {length} 个字符，超过上限 {limit}。",
        "en": "The question has {length} characters, more than the limit of {limit}.",
    },
    "text_too_long": {
        "zh": "文字有 {length} 个字符，超过一次核对的上限 {limit}。请分几次核对。",
        "en": "The text has {length} characters, more than the {limit} that are checked at once. Check it in parts.",
    },
    "view_failed": {
        "zh": "无法显示 {name}。",
        "en": "{name} cannot be shown.",
    },
    "pages_unknown": {
        "zh": "看不懂页码 {given}：应写成 1-5,8 的样子，页码在 1 到 {count} 之间。",
        "en": "Pages {given} are not there: write them like 1-5,8; the document has pages 1 to {count}.",
    },
    "pages_none": {
        "zh": "{name} 没有页，不能用 --pages 选择。",
        "en": "{name} has no pages to choose from; leave --pages out.",
    },
    "target_unwritable": {
        "zh": "无法写入 {path}。请检查文件夹是否存在、是否有写入权限，并写明文件名。",
        "en": "{path} cannot be written. Name a file in a folder that exists and that you may write to.",
    },
    "cancelled": {
        "zh": "已取消。已完成的文件保持不变。",
        "en": "Cancelled. Files that were already finished stay.",
    },
}
