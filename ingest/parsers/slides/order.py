"""The order in which a slide is read, and what repeats on every slide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ingest.parsers.builder import Box
from ingest.parsers.grid.blocks import hull_of
from ingest.parsers.slides.placeholders import Role
from ingest.parsers.slides.shapes import Piece

# Boxes are drawn larger than their words: so much of a side (a share, at most some points) may overlap.
_SLACK, _MAX_SLACK = 0.15, 8.0
_LEAST_REPEATS = 3
_MAX_FURNITURE_CHARS = 80

Unit = list[Piece]


def in_reading_order(units: Sequence[Unit]) -> list[Piece]:
    """Titles first; then rows from top to bottom, and inside a row from left to right.

    A recursive cut along blank bands (XY-cut, Nagy and Seth 1984) over the boxes of the units; units that
    no band parts follow by their tops, then by their left sides, then as they were painted.
    """
    titles = [piece for unit in units for piece in unit if piece.role is Role.TITLE]
    rest = [[piece for piece in unit if piece.role is not Role.TITLE] for unit in units]
    ordered = _cut([unit for unit in rest if unit])
    inside = [_cut([[piece] for piece in unit]) for unit in ordered]
    return titles + [piece for unit in inside for part in unit for piece in part]


def _cut(units: list[Unit]) -> list[Unit]:
    if len(units) < 2:
        return units
    for axis in (1, 0):
        parts = _parted(units, axis)
        if len(parts) > 1:
            return [unit for part in parts for unit in _cut(part)]
    return sorted(units, key=lambda unit: (_box(unit)[1], _box(unit)[0]))


def _parted(units: list[Unit], axis: int) -> list[list[Unit]]:
    """``units`` grouped between the blank bands across ``axis`` (1: rows, 0: columns)."""
    parts: list[list[Unit]] = []
    reach = float("-inf")
    for unit in sorted(units, key=lambda unit: _box(unit)[axis]):
        start, end = _box(unit)[axis], _box(unit)[axis + 2]
        slack = min(_SLACK * (end - start), _MAX_SLACK)
        if not parts or start + slack >= reach:
            parts.append([])
        parts[-1].append(unit)
        reach = max(reach, end - slack)
    return parts


def _box(unit: Unit) -> Box:
    return hull_of([piece.box for piece in unit])


def without_furniture(slides: Sequence[list[Unit]]) -> tuple[list[list[Unit]], list[str]]:
    """The slides without page numbers and repeated footers, and the texts that were left out.

    A footer or date goes when it stands on two slides or more; any other short text when it stands at the
    same place on three or more, and on half of all.
    """
    footers = Counter(piece.text for slide in slides for piece in _pieces(slide) if piece.role is Role.FOOTER)
    places = Counter(key for slide in slides for key in {_key(p) for p in _pieces(slide) if _is_short(p)})
    needed = max(_LEAST_REPEATS, len(slides) / 2)
    dropped: dict[str, None] = {}
    kept: list[list[Unit]] = []
    for slide in slides:
        kept.append([])
        for unit in slide:
            rest: Unit = []
            for piece in unit:
                repeated = footers[piece.text] > 1 if piece.role is Role.FOOTER else False
                repeated |= _is_short(piece) and places[_key(piece)] >= needed
                if piece.role is Role.NUMBER:
                    continue
                if repeated:
                    dropped[piece.text] = None
                else:
                    rest.append(piece)
            if rest:
                kept[-1].append(rest)
    return kept, list(dropped)


def _pieces(slide: list[Unit]) -> list[Piece]:
    return [piece for unit in slide for piece in unit]


def _is_short(piece: Piece) -> bool:
    return piece.role is Role.BODY and 0 < len(piece.text) <= _MAX_FURNITURE_CHARS


def _key(piece: Piece) -> tuple[str, tuple[int, ...]]:
    return piece.text, tuple(round(side) for side in piece.box)
