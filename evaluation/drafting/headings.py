"""Questions for sections: what a document says under one of its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from core.document import Block, BlockKind, Document
from evaluation.drafting.draft import Proposal
from evaluation.drafting.wording import heading_of, title_of

# Characters of the text below a heading that are worth a summary, and that a reader will read for one.
_SHORTEST, _LONGEST = 80, 1600
_RULES: Final = re.compile(r"办法|规定|条例|合同|协议|手册|制度|章程|细则|标准|法$")
_TEXT: Final = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE})


def headings(document: Document) -> Iterator[Proposal]:
    """Of each innermost section of a fair length with more than one block."""
    for at, block in enumerate(document.blocks):
        if block.kind is not BlockKind.HEADING or len(block.section_path) < 2:
            continue
        below = takewhile(lambda other: other.kind is not BlockKind.HEADING, document.blocks[at + 1 :])
        body = [other for other in below if other.kind in _TEXT]
        size = sum(len(other.span) for other in body)
        if len(body) > 1 and _SHORTEST <= size <= _LONGEST:
            yield _proposal(heading_of(block), body, document)


def _proposal(heading: str, body: list[Block], document: Document) -> Proposal:
    title = title_of(document)
    if document.language != "zh":
        question = f'Summarise what {title} says under "{heading}".'
    elif _RULES.search(document.title):
        question = f"{title}对“{heading}”是怎么规定的？"
    else:
        question = f"概述{title}中“{heading}”的内容。"
    return Proposal(
        question=question,
        answer="\n".join(block.span.of(document.text) for block in body),
        spans=tuple(block.span for block in body),
        source="heading",
        kind="summary",
    )
