"""Running headers and footers: what repeats goes, what stands once stays."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.document import BlockKind
from ingest.parsers.pdf_page import PdfBlock

_PAGE_NUMBER = re.compile(
    r"[\W\d_]*|[\W_]*(?:第|page|p\.)?\s*[\divxlc]+\s*(?:页|/|of|共)?[\s\W]*\d*\s*页?[\W_]*", re.IGNORECASE
)


def without_furniture(pages: Sequence[list[PdfBlock]]) -> list[list[PdfBlock]]:
    """The pages without page numbers and without headers and footers that stand on several pages.

    Two count as the same when only their numbers differ. One that stands once is content: it becomes a
    paragraph.
    """
    seen = Counter(
        key for page in pages for key in {_key(b) for b in page if b.kind is BlockKind.PAGE_FURNITURE}
    )
    return [
        [
            replace(block, kind=BlockKind.PARAGRAPH) if block.kind is BlockKind.PAGE_FURNITURE else block
            for block in page
            if block.kind is not BlockKind.PAGE_FURNITURE or _is_content(block, seen)
        ]
        for page in pages
    ]


def _is_content(block: PdfBlock, seen: Counter[str]) -> bool:
    text = " ".join(line.text for line in block.lines)
    return seen[_key(block)] == 1 and not _PAGE_NUMBER.fullmatch(text)


def _key(block: PdfBlock) -> str:
    return re.sub(r"\d+", "#", "".join("".join(line.text.split()) for line in block.lines))
