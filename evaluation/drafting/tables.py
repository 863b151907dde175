"""Questions for tables: a row by its first cell, a column by its name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.document import BlockKind, Document
from core.hashing import stable_id
from core.span import Span
from evaluation.drafting.draft import Proposal
from evaluation.drafting.wording import heading_of, title_of

_ROWS_A_TABLE: Final = 6
_LONGEST_CELL: Final = 40
_RULE: Final = frozenset("|-: ")
_AMOUNT: Final = re.compile(r"^[±约<>≥≤+-]?\s*[\d.,]+\s*\S{0,12}$")
_BORDER: Final = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    span: Span
    cells: tuple[str, ...]


def tables(document: Document) -> Iterator[Proposal]:
    """A few rows of each table with a header, the same ones each time; of each row one column."""
    for block in document.blocks:
        if block.kind is not BlockKind.TABLE:
            continue
        header, *rows = _rows(document.text, block.span) or [_Row(span=block.span, cells=())]
        about = heading_of(block)
        shared = Counter(row.cells[:1] for row in rows)
        asked = sorted(rows, key=lambda row: stable_id(*row.cells))[:_ROWS_A_TABLE]
        for row in sorted(asked, key=lambda row: row.span):
            column = _column(header, row)
            if shared[row.cells[:1]] == 1 and column and 0 < len(row.cells[0]) <= _LONGEST_CELL:
                name, cell = header.cells[column], row.cells[column]
                yield Proposal(
                    question=_question(about, row.cells[0], name, cell, document),
                    answer=cell,
                    spans=(row.span,),
                    source="table",
                )


def _rows(text: str, span: Span) -> list[_Row]:
    """The rows without the rule under the header; the first is the header."""
    rows: list[_Row] = []
    start = span.start
    for line in span.of(text).splitlines(keepends=True):
        if set(line.strip()) - _RULE:
            cells = tuple(cell.strip() for cell in _BORDER.split(line.strip().strip("|")))
            rows.append(_Row(span=Span(start, start + len(line.rstrip())), cells=cells))
        start += len(line)
    return rows


def _column(header: _Row, row: _Row) -> int:
    """One of the columns behind the first that have a name and a value here, by chance; 0 for none."""
    if len(header.cells) != len(row.cells):
        return 0
    held = [at for at in range(1, len(row.cells)) if header.cells[at] and row.cells[at].strip("—- ")]
    return min(held, key=lambda at: stable_id(header.cells[at], *row.cells), default=0)


def _question(about: str, key: str, name: str, cell: str, document: Document) -> str:
    title = title_of(document)
    if document.language == "zh":
        asks = "是多少" if _AMOUNT.match(cell) else "是什么"
        return f"{title}{f'的“{about}”' if about else ''}中，“{key}”的“{name}”{asks}？"
    where = f', under "{about}"' if about else ""
    return f'In {title}{where}, what is the "{name}" of "{key}"?'
