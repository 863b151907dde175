"""Running headers, footers and page numbers: what repeats goes and is named, what stands once stays."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.document import BlockKind
from ingest.parsers.pdf.layer import Dropped
from ingest.parsers.pdf.page import PdfBlock

_PAGE_NUMBER = re.compile(
    r"[\W\d_]*|[\W_]*(?:第|page|p\.)?\s*[\divxlc]+\s*(?:(?:页|/|of|共|第)[\s\W]*)*\d*\s*页?[\W_]*",
    re.IGNORECASE,
)
# A line that the layout model overlooked is furniture when it stands at the same height, in the outer
# eighth of the page or in a side margin, on at least three pages and on more than half of them.
_MARGIN, _SIDE_MARGIN, _FEWEST_PAGES, _SHARE, _HEIGHT_TOLERANCE = 0.125, 0.08, 3, 0.5, 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """One page: its number (1-based), size in points, and blocks in reading order."""

    number: int
    width: float
    height: float
    blocks: tuple[PdfBlock, ...]


@dataclass(slots=True)
class Furniture:
    """What was left out: the running lines with their pages, and the page numbers."""

    lines: dict[str, list[int]] = field(default_factory=dict)
    numbers: list[tuple[int, str]] = field(default_factory=list)

    @property
    def dropped(self) -> list[tuple[int, Dropped]]:
        """Page and characters, with the reason."""
        lines = [
            (page, Dropped(text=line, reason="running_line"))
            for line, numbers in self.lines.items()
            for page in numbers
        ]
        return lines + [(page, Dropped(text=text, reason="page_number")) for page, text in self.numbers]


def without_furniture(pages: Sequence[PageContent]) -> tuple[list[PageContent], Furniture]:
    """The pages without page numbers and without headers and footers that stand on several pages.

    Two count as the same when only their numbers differ. One that stands once is content: it becomes a
    paragraph.
    """
    marked = _with_overlooked(pages)
    seen: dict[str, list[int]] = defaultdict(list)
    for page in marked:
        for key in {_key(block) for block in page.blocks if block.kind is BlockKind.PAGE_FURNITURE}:
            seen[key].append(page.number)
    left_out = Furniture()
    kept: list[PageContent] = []
    for page in marked:
        blocks = tuple(_content(page, seen, left_out))
        kept.append(replace(page, blocks=blocks))
    return kept, left_out


def _content(page: PageContent, seen: dict[str, list[int]], left_out: Furniture) -> Iterator[PdfBlock]:
    for block in page.blocks:
        if block.kind is not BlockKind.PAGE_FURNITURE:
            yield block
        elif _PAGE_NUMBER.fullmatch(block.words):
            left_out.numbers.append((page.number, block.words))
        elif len(seen[_key(block)]) == 1:
            # At the foot it stands apart from the sentence above it, as a footnote does.
            yield replace(block, kind=BlockKind.PARAGRAPH, is_footnote=not _is_high(block, page))
        else:
            left_out.lines.setdefault(block.words, []).append(page.number)


def _with_overlooked(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages with lines marked as furniture that the layout model took for content."""
    heights: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for page in pages:
        for block in page.blocks:
            if _is_marginal(block, page):
                heights[_key(block), _is_high(block, page)].append(block.box[1])
    needed = max(_FEWEST_PAGES, _SHARE * len(pages))
    marked = Counter(
        key
        for page in pages
        for key in {_key(block) for block in page.blocks if block.kind is BlockKind.PAGE_FURNITURE}
    )
    known = {key for key, count in marked.items() if count > 1}
    running = {place: sorted(tops)[len(tops) // 2] for place, tops in heights.items() if len(tops) >= needed}
    return [
        replace(page, blocks=tuple(_marked(block, page, running, known) for block in page.blocks))
        for page in pages
    ]


def _marked(
    block: PdfBlock, page: PageContent, running: dict[tuple[str, bool], float], known: set[str]
) -> PdfBlock:
    if not _is_marginal(block, page):
        return block
    if _key(block) in known:
        return replace(block, kind=BlockKind.PAGE_FURNITURE)
    usual = running.get((_key(block), _is_high(block, page)))
    if usual is None or abs(block.box[1] - usual) > _HEIGHT_TOLERANCE:
        return block
    return replace(block, kind=BlockKind.PAGE_FURNITURE)


def _is_marginal(block: PdfBlock, page: PageContent) -> bool:
    if block.kind is BlockKind.TABLE or block.is_addition:
        return False
    left, top, right, bottom = block.box
    at_side = right < _SIDE_MARGIN * page.width or left > (1 - _SIDE_MARGIN) * page.width
    return at_side or bottom < _MARGIN * page.height or top > (1 - _MARGIN) * page.height


def _is_high(block: PdfBlock, page: PageContent) -> bool:
    return block.box[1] < page.height / 2


def _key(block: PdfBlock) -> str:
    return re.sub(r"\d+", "#", "".join(block.words.split()))
