"""Runs of lines of a plain text that are a table or program code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.document import BlockKind
from ingest.parsers.outline import LIST_ITEM, is_rule, width
from ingest.parsers.text.lines import TextLine

_MIN_ROWS = 3
_FENCE = re.compile(r"(`{3,5}|~{3,5})[\w+#.-]*$")
_DRAWN = re.compile(r"[-+|=:│┃║┌┐└┘├┤┬┴┼─━═╔╗╚╝╠╣╦╩╬\s]{3,}$")
_GAP = re.compile(r"\s{2,}")
_COLUMN_MARKS = "|│┃║"
_CODE_INDENT = 4
# A gutter is at least this many columns wide.
_GUTTER = 2
_RULE = [""]
_CODE_LINE = re.compile(
    r"[;{}]$|^[})\]]+[;,]?$|\)\s*[:{;]$|^[\w.]+\(.*\)$|^(?:\$|>>>|\.\.\.|#|//|/\*|\*/|--|@)\s?\S|^[\w.\[\]\"']+\s*(?:=|\+=|:=|<-)\s*\S"
    r"|^(?:def|class|if|for|while|return|import|from|else|elif|try|except|function|var|let|const|public|private"
    r"|static|void|int|SELECT|INSERT|CREATE|UPDATE|FROM|WHERE)\b.*[:({;=]?"
)
_MIN_CODE_SHARE = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Lines ``first`` to ``last``, both inclusive."""

    kind: BlockKind
    first: int
    last: int


def regions(lines: Sequence[TextLine], text: str) -> list[Region]:
    """Tables and code in order; they share no line."""
    found: list[Region] = []
    closings: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if line.source[0] in "`~":
            closings[line.source].append(number)
    at = 0
    while at < len(lines):
        region = _fenced(lines, at, closings) or _table(lines, text, at) or _indented_code(lines, at)
        if region is not None:
            found.append(region)
        at = region.last + 1 if region is not None else at + 1
    return found


def _fenced(lines: Sequence[TextLine], at: int, closings: Mapping[str, list[int]]) -> Region | None:
    opening = _FENCE.match(lines[at].source)
    if not opening:
        return None
    ends = closings[opening.group(1)]
    end = bisect_right(ends, at)
    return Region(kind=BlockKind.CODE, first=at, last=ends[end]) if end < len(ends) else None


def _table(lines: Sequence[TextLine], text: str, at: int) -> Region | None:
    """A table that starts here: drawn with column marks, parted by tabs, or set in columns."""
    for row_of, fitting in ((_marked_row, _marks_fit), (_tabbed_row, _tabs_fit), (_set_row, _gutters_fit)):
        fits = fitting()
        last, full_rows = at - 1, 0
        while last + 1 < len(lines) and (last < at or not lines[last + 1].blank_before):
            row = row_of(_full(lines[last + 1], text))
            if not row or not fits(row):
                break
            full_rows += row != _RULE
            last += 1
        if last - at + 1 >= _MIN_ROWS and full_rows >= _MIN_ROWS - 1:
            return Region(kind=BlockKind.TABLE, first=at, last=last)
    return None


def _full(line: TextLine, text: str) -> str:
    """The line with its indent, tabs inside kept."""
    return " " * line.indent + line.span.of(text)


def _marked_row(line: str) -> list[str]:
    """Cells between column marks."""
    source = line.strip()
    if _DRAWN.fullmatch(source):
        return _RULE
    marks = sum(source.count(mark) for mark in _COLUMN_MARKS)
    return re.split(f"[{_COLUMN_MARKS}]", source) if marks >= 2 else []


def _tabbed_row(line: str) -> list[str]:
    cells = re.split(r"\t+", line.strip())
    return cells if len(cells) > 1 and all(width(cell) <= 60 for cell in cells) else []


def _set_row(line: str) -> list[str]:
    """The line itself, where at least two gaps part three cells."""
    if LIST_ITEM.match(line) or "\t" in line:
        return []
    cells = _GAP.split(line.strip())
    return [line] if len(cells) >= 3 and all(width(cell) <= 40 for cell in cells) else []


# Each of these makes a judge of rows, one after the other: whether the next one belongs to the same table.


def _marks_fit() -> Callable[[Sequence[str]], bool]:
    """At least half of the rows have the commonest number of cells."""
    counts: Counter[int] = Counter()

    def fits(row: Sequence[str]) -> bool:
        counts[len(row)] += row != _RULE
        return counts.total() < 2 * _MIN_ROWS or max(counts.values()) * 2 >= counts.total()

    return fits


def _tabs_fit() -> Callable[[Sequence[str]], bool]:
    """All rows have the same number of cells."""
    first: list[int] = []

    def fits(row: Sequence[str]) -> bool:
        first.append(len(row))
        return first[-1] == first[0]

    return fits


def _gutters_fit() -> Callable[[Sequence[str]], bool]:
    """At least two gutters run through all rows: columns of the page where none has a character."""
    inked: set[int] = set()

    def fits(row: Sequence[str]) -> bool:
        column = 0
        for char in row[0]:
            wide = width(char)
            inked.update(range(column, column + wide) if char != " " else ())
            column += wide
        return sum(right - left > _GUTTER for left, right in pairwise(sorted(inked))) >= 2

    return fits


def _indented_code(lines: Sequence[TextLine], at: int) -> Region | None:
    """Indented lines of which most look like code, from the first that does."""
    if not _is_code(lines[at]) or (at and lines[at - 1].indent >= _CODE_INDENT):
        return None
    last = at
    while last + 1 < len(lines) and lines[last + 1].indent >= _CODE_INDENT:
        last += 1
    run = lines[at : last + 1]
    share = sum(map(_is_code, run)) / len(run)
    if len(run) < 2 or share < _MIN_CODE_SHARE:
        return None
    return Region(kind=BlockKind.CODE, first=at, last=last)


def _is_code(line: TextLine) -> bool:
    source = line.source
    return (
        line.indent >= _CODE_INDENT
        and not line.full_width_indent
        and source.isascii()
        and not is_rule(source)
        and bool(_CODE_LINE.search(source))
    )


def region_lines(found: Sequence[Region]) -> Iterator[int]:
    """The numbers of all lines in ``found``."""
    for region in found:
        yield from range(region.first, region.last + 1)
