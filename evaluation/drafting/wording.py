"""Small turns of phrase that the rules share: what a document calls itself, and sentences by block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.document import Block, BlockKind, Document
from core.span import Span
from ingest.parsers.outline import after_number
from ingest.sentences import sentences

# "This regulation" and its like, which mean nothing outside their document.
_ITSELF: Final = re.compile(
    r"(?<!日)本(?:法|办法|规定|条例|合同|协议|手册|制度|说明书|章程|细则|标准|报告|纪要)"
)
_MARKUP: Final = re.compile(r"\*\*|__|`")
_ITEM: Final = re.compile(
    r"^\s*(?:[QAqa]\d*[:：]\s*|[-*+•·●]\s+|\d+(?:\.\d+)+\s+|\d+(?:[)、．]|\.(?!\d))\s*|[（(][一二三四五六七八九十\d]+[)）]\s*)"
)
_ARTICLE: Final = re.compile(r"^第[一二三四五六七八九十百零〇\d]+[条章节]\s*")
_BOOK: Final = re.compile(r"^《|》$")
# A question of less (a Chinese character or an English word each) does not say what it is about.
_TELLING: Final = {"zh": 15, "en": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a block that is no heading, table or code; ``block`` counts the document's blocks."""

    span: Span
    text: str
    block: int


def sentences_of(document: Document) -> Iterator[Sentence]:
    """The sentences of paragraphs and items, in order."""
    for at, block in enumerate(document.blocks):
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            for span in sentences(document.text, block.span.start, block.span.end):
                yield Sentence(span=span, text=span.of(document.text), block=at)


def title_of(document: Document) -> str:
    """As it is named in a question: 《title》 in Chinese, "title" in English."""
    title = _BOOK.sub("", document.title.strip())
    return f"《{title}》" if document.language == "zh" else f'"{title}"'


def outspoken(text: str, document: Document) -> str:
    """The text with "this regulation" written out, without marks of bold."""
    return _ITSELF.sub(title_of(document), _MARKUP.sub("", text))


def plain(text: str) -> str:
    """Without marks of bold, the mark or number of an item or article, and the punctuation at its end."""
    bare = _ARTICLE.sub("", _ITEM.sub("", _MARKUP.sub("", text)))
    return bare.strip().rstrip("。；;.，,：:").strip()


def placed(question: str, document: Document) -> str:
    """The question with the name of the document before it, where it does not say what it is about."""
    is_chinese = document.language == "zh"
    size = len(question) if is_chinese else len(question.split())
    if size >= _TELLING["zh" if is_chinese else "en"] or title_of(document) in question:
        return question
    return (
        f"根据{title_of(document)}，{question}"
        if is_chinese
        else f"According to {title_of(document)}: {question}"
    )


def lowered(words: str) -> str:
    """Without a capital at the start of an article, a pronoun or "each", as inside a sentence."""
    first, _, rest = words.partition(" ")
    return f"{first.lower()} {rest}" if first in _SMALL and rest else words


_SMALL: Final = frozenset({"The", "A", "An", "Each", "Every", "All", "Any", "This", "These", "Our", "Your"})


def heading_of(block: Block) -> str:
    """The innermost heading over a block, without its number; "" where there is none."""
    return plain(after_number(_ARTICLE.sub("", block.section_path[-1]))) if block.section_path else ""
