"""Where words stand on a picture: pieces to rows, columns one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from ingest.parsers.builder import Box
from ingest.parsers.ocr.engine import Quad

# A gutter is at least this wide, in line heights; the engine's boxes reach into it from both sides.
_GUTTER: Final = 0.25
# Columns have at least this many lines each.
_LEAST_ROWS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Words found together. ``box`` is upright: in a picture turned and straightened, in pixels."""

    text: str
    confidence: float
    quad: Quad
    box: Box

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


Row = tuple[Piece, ...]


def skew(quads: Sequence[Quad]) -> float:
    """Radians by which lines fall to the right: the median over the longer half."""
    edges = [quad[1] - quad[0] for quad in quads]
    edges.sort(key=lambda edge: float(np.hypot(*edge)))
    longer = edges[len(edges) // 2 :]
    return float(median(np.arctan2(edge[1], edge[0]) for edge in longer)) if longer else 0.0


def straight_box(quad: Quad, angle: float, centre: tuple[float, float]) -> Box:
    """The upright box of ``quad`` on a picture that is turned back by ``angle`` about its ``centre``."""
    x, y = quad.mean(axis=0) - np.asarray(centre, np.float32)
    cos, sin = np.cos(angle), np.sin(angle)
    middle_x, middle_y = centre[0] + cos * x + sin * y, centre[1] + cos * y - sin * x
    width, height = _size(quad)
    return (
        float(middle_x - width / 2), float(middle_y - height / 2),
        float(middle_x + width / 2), float(middle_y + height / 2),
    )  # fmt: skip


def lies_on_its_side(quads: Sequence[Quad]) -> bool:
    """Whether most of what was found is taller than wide, by length."""
    sizes = [_size(quad) for quad in quads]
    tall = sum(height for width, height in sizes if height > 1.5 * width)
    return tall > sum(width for width, height in sizes if width > 1.5 * height)


def _size(quad: Quad) -> tuple[float, float]:
    top, right, bottom, left = (float(np.hypot(*(quad[i] - quad[(i + 1) % 4]))) for i in range(4))
    return (top + bottom) / 2, (left + right) / 2


def hull(boxes: Sequence[Box]) -> Box:
    """The smallest box around ``boxes``."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def rows_in_order(pieces: Sequence[Piece]) -> list[Row]:
    """All pieces as rows in reading order; a row never crosses a gutter between columns."""
    columns = _columns(pieces)
    if columns is None:
        return _rows(pieces)
    return [row for part in columns for row in rows_in_order(part)]


def _rows(pieces: Sequence[Piece]) -> list[Row]:
    """Top to bottom, each left to right."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if rows and piece.middle - rows[-1][-1].middle < 0.5 * min(piece.height, rows[-1][-1].height):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [tuple(sorted(row, key=lambda piece: piece.box[0])) for row in rows]


def _columns(pieces: Sequence[Piece]) -> list[list[Piece]] | None:
    """What stands above, left of, right of and below the tallest gutter; ``None`` without one."""
    best: list[list[Piece]] | None = None
    tallest = 0.0
    for x in _gutters(pieces):
        for band in _bands(pieces, x):
            left = [piece for piece in band if piece.box[2] <= x]
            right = [piece for piece in band if piece.box[0] >= x]
            height = _shared_height(left, right)
            if height > tallest and _are_columns(left, right):
                tallest, best = height, _parted(pieces, band, left, right)
    return best


def _gutters(pieces: Sequence[Piece]) -> list[float]:
    """Places across the page where a column may end: just right of some piece."""
    if len(pieces) < 2 * _LEAST_ROWS:
        return []
    size = median(piece.height for piece in pieces)
    step = _GUTTER * size / 2
    ends = sorted({int(piece.box[2] / step) + 1 for piece in pieces})
    return [end * step for end in ends[:-1]]


def _bands(pieces: Sequence[Piece], x: float) -> list[list[Piece]]:
    """Runs of pieces, top to bottom, between those that cross the vertical line at ``x``."""
    bands: list[list[Piece]] = [[]]
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if piece.box[0] < x < piece.box[2]:
            bands.append([])
        else:
            bands[-1].append(piece)
    return [band for band in bands if len(band) >= 2 * _LEAST_ROWS]


def _shared_height(left: Sequence[Piece], right: Sequence[Piece]) -> float:
    if min(len(left), len(right)) < _LEAST_ROWS:
        return 0.0
    top = max(min(piece.box[1] for piece in side) for side in (left, right))
    bottom = min(max(piece.box[3] for piece in side) for side in (left, right))
    return bottom - top


def _are_columns(left: Sequence[Piece], right: Sequence[Piece]) -> bool:
    """Whether two sides are columns of text, not cells of a table.

    Text fills its lines. Beside full lines of text a narrow column of notes counts too, unless its rows stand
    level with the text's.
    """
    size = median(piece.height for piece in (*left, *right))
    gap = min(piece.box[0] for piece in right) - max(piece.box[2] for piece in left)
    if gap < _GUTTER * size:
        return False
    full = [_fullness(side, size) for side in (left, right)]
    if all(fill >= 0.55 and width >= 8 for fill, width in full):
        return True
    strong = max(full) if max(full)[0] >= 0.8 else (0.0, 0.0)
    return strong[1] >= 15 and _level(left, right) < 0.6


def _fullness(side: Sequence[Piece], size: float) -> tuple[float, float]:
    """How full the rows of ``side`` are (0..1), and their median width in line heights."""
    rows = _rows(side)
    if len(rows) < _LEAST_ROWS:
        return 0.0, 0.0
    extent = max(piece.box[2] for piece in side) - min(piece.box[0] for piece in side)
    widths = [sum(piece.box[2] - piece.box[0] for piece in row) for row in rows]
    return sum(widths) / (len(rows) * extent), median(widths) / size


def _level(left: Sequence[Piece], right: Sequence[Piece]) -> float:
    """The share of the shorter side's rows that stand level with one of the other side."""
    fewer, more = sorted((_rows(left), _rows(right)), key=len)
    level = [
        any(abs(row[0].middle - other[0].middle) < 0.3 * row[0].height for other in more) for row in fewer
    ]
    return sum(level) / len(level)


def _parted(
    pieces: Sequence[Piece], band: Sequence[Piece], left: list[Piece], right: list[Piece]
) -> list[list[Piece]]:
    inside = {id(piece) for piece in band}
    top = min(piece.middle for piece in band)
    outside = [piece for piece in pieces if id(piece) not in inside]
    above = [piece for piece in outside if piece.middle < top]
    below = [piece for piece in outside if piece.middle >= top]
    return [part for part in (above, left, right, below) if part]
