"""What stands with a table or a picture: its caption, and the short lines before it ("Unit: USD")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ingest.parsers.outline import width
from ingest.splitters.atoms import Atom

_FLOATS: Final = frozenset({"row", "image"})
# Borders inside one table.
_INNER: Final = frozenset({"row", "clause", "token"})
# Columns of a line that is a title or a unit and no paragraph, and how many such lines a table may have.
_LABEL_WIDTH: Final = 60
_LABELS: Final = 3
_ENDS: Final = "。！？.!?；;"


def captioned(text: str, atoms: Sequence[Atom]) -> frozenset[int]:
    """The atoms that belong to what stands before them, because one of both is a table or picture.

    A caption between two tables belongs to the second where the first has one before it, else to the first.
    """
    held: set[int] = set()
    for first, end in _floats(atoms):
        place = first
        while (
            place > 0
            and first - place < _LABELS
            and place - 1 not in held
            and _is_label(text, atoms[place - 1])
        ):
            held.add(place)
            place -= 1
        leads = any(atom.kind == "caption" for atom in atoms[place:first])
        is_between = end + 1 < len(atoms) and atoms[end + 1].kind in _FLOATS
        if end < len(atoms) and atoms[end].kind == "caption" and not (leads and is_between):
            held.add(end)
    return frozenset(held)


def _floats(atoms: Sequence[Atom]) -> Iterator[tuple[int, int]]:
    """The first atom of each table and picture, and the one behind it."""
    place = 0
    while place < len(atoms):
        first = place
        place += 1
        if atoms[first].kind in _FLOATS:
            while place < len(atoms) and atoms[place].border in _INNER:
                place += 1
            yield first, place


def _is_label(text: str, atom: Atom) -> bool:
    """Whether the atom is a caption or one short line that is no sentence."""
    if atom.kind == "caption":
        return True
    words = atom.span.of(text)
    is_short = atom.kind == "paragraph" and "\n" not in words and width(words) <= _LABEL_WIDTH
    return is_short and words[-1] not in _ENDS and atom.border in ("block", "under_heading")
