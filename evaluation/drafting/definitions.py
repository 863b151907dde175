"""Questions for definitions: "X是指…", '"X" means ...', and the entries of a section of terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from core.document import Document
from core.span import Span
from evaluation.drafting.draft import Proposal
from evaluation.drafting.wording import Sentence, heading_of, plain, sentences_of, title_of

_ZH: Final = re.compile(
    r"(?:所称的?|其中[，,]?|^(?:[（(]\S{1,3}[)）]|第\S{1,8}条\s+)?)(?!本\S{1,4}所称)[“\"「]?"
    r"(?P<term>[^，。；：、（）“”\"\s]{2,20})[”\"」]?[，,]?\s*是指(?P<meaning>[^；。]{4,200})"
)
_EN: Final = re.compile(
    r"(?:^|\b[Ii]n this \w+, |[;,] and )(?:\*\*|[\"“])(?P<term>[A-Za-z][\w /-]{1,40})(?:\*\*|[\"”]) means "
    r"(?P<meaning>.{4,300}?)(?=, and (?:\*\*|[\"“])|\.?$)"
)
_ENTRY: Final = re.compile(
    r"^\s*[-*•]\s*(?:\*\*)?(?P<term>[^：:*]{2,24})(?:\*\*)?[：:]\s*(?P<meaning>.{4,300})$"
)
_OPENERS: Final = frozenset('“"「*')
_TERMS: Final = re.compile(r"定义|术语|名词|释义|解释|definition|glossar|terms", re.IGNORECASE)


def definitions(document: Document) -> Iterator[Proposal]:
    """In the order of the text."""
    for sentence in sentences_of(document):
        for found in _found(sentence, document):
            term = found["term"].strip()
            start = found.start("term")
            while start and sentence.text[start - 1] in _OPENERS:
                start -= 1
            span = Span(sentence.span.start + start, sentence.span.start + found.end("meaning"))
            yield Proposal(
                question=_question(term, document),
                answer=plain(found["meaning"]),
                spans=(span,),
                source="definition",
            )


def _found(sentence: Sentence, document: Document) -> Iterator[re.Match[str]]:
    yield from (_ZH if document.language == "zh" else _EN).finditer(sentence.text)
    heading = heading_of(document.blocks[sentence.block])
    if _TERMS.search(heading) and (entry := _ENTRY.match(sentence.text)):
        yield entry


def _question(term: str, document: Document) -> str:
    if document.language == "zh":
        return f"{title_of(document)}中的“{term}”是指什么？"
    return f'What does "{term}" mean in {title_of(document)}?'
