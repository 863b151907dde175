"""Tables as Markdown: one line a row, so that a row can be cited and a table cut between rows."""

from __future__ import annotations

from collections.abc import Sequence


def markdown_rows(rows: Sequence[Sequence[str]], *, header: bool = True) -> list[str]:
    """One line a row, all of equal width, with a rule under the first when it is a header.

    Rows without any text are left out; no lines when nothing is left.
    """
    cells = [[cell_text(value) for value in row] for row in rows]
    cells = [row for row in cells if any(row)]
    if not cells:
        return []
    width = max(len(row) for row in cells)
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in cells]
    if header:
        lines.insert(1, "|" + " --- |" * width)
    return lines


def cell_text(value: str) -> str:
    """A cell's words on one line, with the column mark escaped."""
    return " ".join(value.split()).replace("|", "\\|")
