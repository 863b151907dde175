"""Where the rows and cells of a Markdown table stand in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from core.span import Span

_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = frozenset("|-: ")


def table_rows(text: str, span: Span) -> list[Span]:
    """The rows of a Markdown table, each with its line break; empty when it is not written as one."""
    rows: list[Span] = []
    start = span.start
    for line in span.of(text).splitlines(keepends=True):
        bare = line.strip()
        if len(bare) < 2 or not bare.startswith("|") or not bare.endswith("|") or bare.endswith("\\|"):
            return []
        rows.append(Span(start, start + len(line)))
        start += len(line)
    return rows


def has_rule(text: str, rows: Sequence[Span]) -> bool:
    """Whether the first row is a header: a rule of dashes stands below it."""
    return len(rows) > 1 and set(rows[1].of(text).strip()) <= _RULE


def cell_borders(text: str, row: Span) -> list[int]:
    """Where the marks between a row's cells stand."""
    return [row.start + found.start() for found in _CELL_BORDER.finditer(row.of(text))]


def cell_words(text: str, row: Span) -> Iterator[tuple[int, int]]:
    """Start and end of the words in each cell, without the blanks around them; an empty cell ends at its start."""
    for left, right in pairwise(cell_borders(text, row)):
        inner = text[left + 1 : right]
        start = left + 1 + len(inner) - len(inner.lstrip())
        yield start, max(start, right - len(inner) + len(inner.rstrip()))
