"""Levels of a PDF's headings: bookmarks, numbering and type together, the same over the whole document."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.document import BlockKind
from ingest.parsers.outline import (
    after_number,
    chinese_heading_level,
    chinese_number,
    decimal_number,
    is_title_like,
)
from ingest.parsers.pdf.bookmarks import Bookmark, bookmarked_level, trusted_titles
from ingest.parsers.pdf.furniture import PageContent
from ingest.parsers.pdf.page import PdfBlock

# Size in whole points, and whether it is bold.
_Style = tuple[int, bool]
_DEEPEST, _LONGEST_PROMOTED = 6, 60
_COUNTED = ("、", "（）")


@dataclass(slots=True)
class _Levels:
    """``fixed`` by the heading's identity; ``counted`` for "一、" and "（一）"; ``decimal`` is added to the depth of
    "1.2"."""

    fixed: dict[int, int]
    styles: dict[_Style, int] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    decimal: int = 0

    def of(self, block: PdfBlock) -> int:
        words = block.words
        if (level := self.fixed.get(id(block))) is not None:
            return level
        if (number := chinese_number(words)) is not None and number[0] in self.counted:
            return self.counted[number[0]]
        if depth := _depth(words):
            return min(max(depth + self.decimal, 1), _DEEPEST)
        return self.styles[_style(block)]


def with_levels(pages: Sequence[PageContent], bookmarks: Sequence[Bookmark]) -> list[PageContent]:
    """The pages with a level at every heading, and headings that only bookmarks or numbering make known.

    Bookmarks count when most of them stand on their pages; then numbering; and what neither knows takes the
    level of its type: that of headings set alike, else by size, bold before regular.
    """
    titles = trusted_titles(pages, bookmarks)
    bold_body = _is_body_bold(pages)
    raised = [
        replace(
            page,
            blocks=tuple(_raised(block, titles.get(page.number, {}), bold_body) for block in page.blocks),
        )
        for page in pages
    ]
    levels = _levels(raised, titles)
    return [
        replace(
            page,
            blocks=tuple(
                _merged(
                    [
                        replace(block, level=levels.of(block)) if block.kind is BlockKind.HEADING else block
                        for block in page.blocks
                    ]
                )
            ),
        )
        for page in raised
    ]


def _raised(block: PdfBlock, titles: dict[str, int], bold_body: bool) -> PdfBlock:
    """The block as a heading when a bookmark names it, or its number and type say so."""
    if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or block.is_addition or block.is_footnote:
        return block
    first = block.lines[0]
    numbered = len(block.lines) == 1 and (
        chinese_heading_level(first.text) is not None
        or (first.bold and not bold_body and _is_numbered_title(first.text))
    )
    if numbered or bookmarked_level(block, titles) is not None:
        return replace(block, kind=BlockKind.HEADING)
    return block


def _is_numbered_title(text: str) -> bool:
    number = chinese_number(text) or decimal_number(text)
    return bool(number) and len(text) <= _LONGEST_PROMOTED and is_title_like(after_number(text))


def _levels(pages: Sequence[PageContent], titles: dict[int, dict[str, int]]) -> _Levels:
    headings = [block for page in pages for block in page.blocks if block.kind is BlockKind.HEADING]
    levels = _Levels(fixed=_fixed(pages, titles))
    plain = [block for block in headings if not _is_numbered(block) or id(block) in levels.fixed]
    levels.styles = _style_levels(headings, levels.fixed)
    worded = [chinese_heading_level(block.lines[0].text) or 0 for block in headings]
    for kind in _COUNTED:
        alike = [block for block in headings if (chinese_number(block.words) or ("", 0))[0] == kind]
        if alike:
            usual = Counter(levels.fixed.get(id(b)) or levels.styles[_style(b)] for b in alike)
            above = max([*worded, *levels.counted.values()])
            levels.counted[kind] = min(max(usual.most_common(1)[0][0], above + 1), _DEEPEST)
    levels.decimal = _decimal_offset(headings, plain, levels)
    numbered = {id(block): levels.of(block) for block in headings if _is_numbered(block)}
    levels.styles = _style_levels(headings, numbered | levels.fixed)
    return levels


def _fixed(pages: Sequence[PageContent], titles: dict[int, dict[str, int]]) -> dict[int, int]:
    """The level of each heading that a bookmark or a word such as 章 gives, by the heading's identity.

    Bookmarks often leave out the document's own title: then all of them stand below it.
    """
    headings = [
        (block, bookmarked_level(block, titles.get(page.number, {})))
        for page in pages
        for block in page.blocks
        if block.kind is BlockKind.HEADING
    ]
    largest = max((_style(block) for block, marked in headings if marked is not None), default=(0, False))
    has_title = bool(headings) and headings[0][1] is None and _style(headings[0][0]) > largest
    fixed: dict[int, int] = {}
    for block, marked in headings:
        level = chinese_heading_level(block.lines[0].text) if marked is None else marked + has_title
        if level is not None:
            fixed[id(block)] = min(level, _DEEPEST)
    return fixed


def _decimal_offset(headings: Sequence[PdfBlock], plain: Sequence[PdfBlock], levels: _Levels) -> int:
    """How many levels stand above "1": as the bookmarks show, else those set larger or counted in Chinese."""
    shown = Counter(
        levels.fixed[id(block)] - _depth(block.words)
        for block in headings
        if id(block) in levels.fixed and _depth(block.words)
    )
    if shown:
        return shown.most_common(1)[0][0]
    if levels.counted:
        return max(levels.counted.values())
    largest = max((_style(block) for block in headings if _depth(block.words) == 1), default=None)
    if largest is None:
        return 0
    return min(len({_style(block) for block in plain if _style(block) > largest}), 2)


def _is_numbered(block: PdfBlock) -> bool:
    return bool(_depth(block.words) or chinese_number(block.words))


def _depth(words: str) -> int:
    """2 for "1.2 Scope"; 0 without such a number."""
    return len(decimal_number(words))


def _style(block: PdfBlock) -> _Style:
    longest = max(block.lines, key=lambda line: len(line.text))
    return round(longest.size), longest.bold


def _style_levels(headings: Sequence[PdfBlock], known: dict[int, int]) -> dict[_Style, int]:
    """The level of each style: that of most of its headings with a known level, else one below the larger."""
    lessons: dict[_Style, Counter[int]] = defaultdict(Counter)
    for block in headings:
        level = known.get(id(block))
        lessons[_style(block)].update([level] if level else [])
    levels: dict[_Style, int] = {}
    for style in sorted(lessons, reverse=True):
        deeper = min(max(levels.values(), default=0) + 1, _DEEPEST)
        levels[style] = lessons[style].most_common(1)[0][0] if lessons[style] else deeper
    return levels


def _is_body_bold(pages: Sequence[PageContent]) -> bool:
    lines = [
        line
        for page in pages
        for block in page.blocks
        if block.kind is BlockKind.PARAGRAPH
        for line in block.lines
    ]
    return 2 * sum(len(line.text) for line in lines if line.bold) > sum(len(line.text) for line in lines)


def _merged(blocks: Sequence[PdfBlock]) -> Iterator[PdfBlock]:
    """A heading that runs over two regions as one."""
    held: PdfBlock | None = None
    for block in blocks:
        if held is not None and _runs_on(held, block):
            held = replace(held, lines=held.lines + block.lines)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _runs_on(first: PdfBlock, second: PdfBlock) -> bool:
    if not (first.kind is second.kind is BlockKind.HEADING and first.level == second.level):
        return False
    size = first.lines[-1].size
    gap = second.box[1] - first.box[3]
    return (
        _style(first) == _style(second)
        and size > 0
        and -0.5 * size < gap < 0.4 * size
        and not _is_numbered(second)
        and not re.match(r"[\W\d_]|第", second.words)
        and min(first.box[2], second.box[2]) > max(first.box[0], second.box[0])
    )
