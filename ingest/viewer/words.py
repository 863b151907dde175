"""The viewer's own words, in Chinese and English."""

from __future__ import annotations

from typing import Final

from core.document import Block, BlockKind

_WORDS: Final[dict[str, dict[str, str]]] = {
    "brand": {"zh": "有据 · 文档是怎样读取的", "en": "Youju · how a document was read"},
    "file": {"zh": "文件", "en": "File"},
    "collection": {"zh": "集合", "en": "Collection"},
    "media_type": {"zh": "类型", "en": "Type"},
    "version": {"zh": "版本", "en": "Version"},
    "pages": {"zh": "页数", "en": "Pages"},
    "characters": {"zh": "字符", "en": "Characters"},
    "blocks": {"zh": "结构块", "en": "Blocks"},
    "chunks": {"zh": "分块", "en": "Chunks"},
    "notices": {"zh": "读取时的说明", "en": "What to know about the reading"},
    "outline": {"zh": "目录", "en": "Outline"},
    "no_outline": {"zh": "没有识别到标题。", "en": "No headings were found."},
    "order": {"zh": "阅读顺序", "en": "Reading order"},
    "lines": {"zh": "行", "en": "Lines"},
    "marks": {"zh": "表格原文", "en": "Tables as text"},
    "pictures": {"zh": "页面图像", "en": "Page pictures"},
    "page": {"zh": "第 {page} 页", "en": "Page {page}"},
    "no_text": {"zh": "这一页没有文字。", "en": "There is no text on this page."},
    "loose": {"zh": "不属于任何块", "en": "in no block"},
    "continued": {"zh": "续", "en": "cont."},
    "part_shown": {
        "zh": "这里显示 {count} 页中的第 {pages} 页。",
        "en": "Shown here: pages {pages} of {count}.",
    },
    "few_pictures": {
        "zh": "只有前 {count} 页有图像；其余各页只画出文字和方框。用 --pages 选择其他页。",
        "en": "Only the first {count} pages have pictures; the others show words and boxes. "
        "Choose other pages with --pages.",
    },
    "no_pictures": {
        "zh": "原文件的页面无法画出（受保护、已损坏，或这种格式没有图像）；这里只画出文字和方框。",
        "en": "The pages of the original cannot be drawn (protected, damaged, or a format without pictures); "
        "words and boxes stand in their places.",
    },
    "tokens": {"zh": "{count} 个词元", "en": "{count} tokens"},
    "chunk": {"zh": "块 {number}", "en": "Chunk {number}"},
    "parent": {"zh": "父块 {number}", "en": "Parent {number}"},
    "cut_anew": {
        "zh": "两边都是按当前设置重新切分所存的文本得到的；没有保存任何内容。",
        "en": "Both sides cut the stored text anew with the present settings; nothing was stored.",
    },
    "parents": {"zh": "父块", "en": "Parents"},
    "mean_tokens": {"zh": "平均词元数", "en": "Mean tokens"},
    "span_tokens": {"zh": "最少–最多词元数", "en": "Fewest–most tokens"},
    "shared_borders": {"zh": "与另一边相同的边界", "en": "Borders the other side has too"},
    "torn_sentences": {"zh": "没有一块完整容纳的句子", "en": "Sentences that no chunk holds whole"},
    "only_differences": {"zh": "只看不同之处", "en": "Differences only"},
    "first_difference": {"zh": "第一处不同", "en": "First difference"},
    "no_difference": {"zh": "两边完全相同。", "en": "Both sides are the same."},
    "difference": {"zh": "不同之处 {number}/{count}", "en": "Difference {number}/{count}"},
    "next": {"zh": "下一处", "en": "Next"},
    "overlap": {"zh": "与上一块重叠 {count} 个字符", "en": "repeats {count} characters of the one before"},
    "drawing": {"zh": "第 {done}/{total} 页……", "en": "Page {done}/{total} ..."},
    "heading": {"zh": "标题", "en": "Heading"},
    "paragraph": {"zh": "段落", "en": "Paragraph"},
    "list_item": {"zh": "列表项", "en": "List item"},
    "table": {"zh": "表格", "en": "Table"},
    "code": {"zh": "代码", "en": "Code"},
    "caption": {"zh": "图表标题", "en": "Caption"},
    "image": {"zh": "图像", "en": "Image"},
    "page_furniture": {"zh": "页眉页脚", "en": "Page furniture"},
    "reason_section": {"zh": "整节合为一块", "en": "the whole section fits"},
    "reason_article": {"zh": "在条文处切开", "en": "cut between articles"},
    "reason_block": {"zh": "在段落之间切开", "en": "cut between blocks"},
    "reason_line": {"zh": "在行之间切开", "en": "cut between lines"},
    "reason_sentence": {"zh": "在句子之间切开", "en": "cut between sentences"},
    "reason_clause": {"zh": "在分句之间切开", "en": "cut between clauses"},
    "reason_token": {"zh": "按词元数强行切开", "en": "cut at a number of tokens"},
    "reason_heading": {"zh": "从标题开始", "en": "starts at a heading"},
    "reason_article_part": {"zh": "在同一条的各款之间切开", "en": "cut inside an article"},
    "reason_item": {"zh": "在列表项之间切开", "en": "cut between list items"},
    "reason_row": {"zh": "在行之间切开", "en": "cut between rows"},
    "reason_unlike": {"zh": "前后内容不相似", "en": "what follows is unlike"},
    "reason_alike": {"zh": "前后内容相似，合并", "en": "joined: alike"},
    "reason_judged": {"zh": "由模型判定", "en": "the chat model decided"},
    "reason_unjudged": {"zh": "模型没有判定，按规则处理", "en": "the chat model did not decide"},
    "reason_list_leader": {"zh": "引导语与所引内容合并", "en": "joined: a lead and what it leads"},
    "reason_list": {"zh": "同一列表，合并", "en": "joined: one list"},
    "reason_transition": {"zh": "转折或承接，合并", "en": "joined: a turn or a consequence"},
    "reason_coreference": {"zh": "指代前文，合并", "en": "joined: points back"},
    "reason_condition": {"zh": "条件与结果、规则与例外合并", "en": "joined: a condition or an exception"},
    "reason_ordinal": {"zh": "依次列举，合并", "en": "joined: first, second, third"},
    "reason_definition": {"zh": "定义与使用合并", "en": "joined: a definition and its use"},
    "reason_question": {"zh": "问与答合并", "en": "joined: a question and its answer"},
    "reason_caption": {
        "zh": "表格或图与其标题、单位合并",
        "en": "joined: a table or picture and its caption",
    },
    "reason_continuation": {"zh": "同一句话的后半，合并", "en": "joined: one sentence"},
}


def word(key: str, language: str, **values: object) -> str:
    """One of this module's texts."""
    return _WORDS[key][language].format(**values)


def reason_text(reason: str, language: str) -> str:
    """Why a chunk's borders lie where they lie; a reason without words stands for itself."""
    key = f"reason_{reason}"
    return word(key, language) if key in _WORDS else reason


def kind_text(block: Block, language: str) -> str:
    """What a block is: ``Heading 2``."""
    name = word(block.kind.value, language)
    return f"{name} {block.level}" if block.kind is BlockKind.HEADING else name
