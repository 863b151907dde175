"""Reads the words on a picture, with their places; the engine itself is behind ``ocr_engine``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from ingest.parsers.builder import Box
from ingest.parsers.ocr.engine import OcrEngine, Pixels, Quad, Reading, cores, crop, resized
from ingest.parsers.ocr.layout import Piece, Row, hull, lies_on_its_side, rows_in_order, skew, straight_box
from ingest.parsers.ocr.picture import frames
from ingest.parsers.ocr.splits import split, tiles
from ingest.parsers.ocr.text import repaired

# Below this a line has a wrong character more often than not and is shown as unsure.
SURE: Final = 0.85
# Below this the engine sees letters where there are none (stamps, pictures); such lines are left out.
_READABLE: Final = 0.5
# An upright page is read with more than this; below it the picture may lie on its side or head.
_UPRIGHT: Final = 0.85
# Lines that are tried out in a turned picture.
_SAMPLE: Final = 6
# Pieces of a row that are further apart, in line heights, are cells of their own.
_CELL_GAP: Final = 0.5
# Longest side of what is read, in pixels; more costs time and gains nothing.
_LONGEST_SIDE: Final = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrCell:
    """Words of one line that stand together; ``box`` is upright."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrLine:
    """One printed line. ``confidence`` is 0..1; ``box`` is in pixels of the picture as it was given.

    ``upright`` is its box on the picture turned and straightened, which layout goes by; ``cells`` are its
    parts as they stand apart there.
    """

    text: str
    confidence: float
    box: Box
    upright: Box
    cells: tuple[OcrCell, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether the line may be shown without a warning."""
        return self.confidence >= SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrImage:
    """What stands on a picture, lines in reading order (columns one after the other).

    ``width`` and ``height`` are those of the picture as given; ``rotation`` (0, 90, 180, 270) is how far it
    was turned clockwise to stand upright.
    """

    lines: tuple[OcrLine, ...]
    width: int
    height: int
    rotation: int = 0

    @property
    def text(self) -> str:
        """The lines, one below the other."""
        return "\n".join(line.text for line in self.lines)

    @property
    def confidence(self) -> float:
        """Mean of the lines weighted by their characters; 0 when nothing was read."""
        count = sum(len(line.text) for line in self.lines)
        return sum(line.confidence * len(line.text) for line in self.lines) / count if count else 0.0


def read_image(data: bytes) -> OcrImage:
    """What stands on the first frame of an encoded picture, turned as its EXIF mark says.

    Raises ``OcrUnavailableError``, and ``ValueError`` when ``data`` is no picture that can be decoded or has
    too many pixels.
    """
    return read_pixels(next(frames(data)))


def read_pixels(pixels: Pixels) -> OcrImage:
    """What stands on ``pixels`` (height, width, 3) uint8 RGB. Raises ``OcrUnavailableError``."""
    height, width = pixels.shape[:2]
    small, scale = _shrunk(pixels)
    turns, pieces = _upright(small, scale)
    back = _Back(turns=turns, width=width, height=height)
    rows = rows_in_order([piece for piece in pieces if piece.confidence >= _READABLE])
    lines = tuple(line for line in (_line(row, back) for row in rows) if line.text)
    return OcrImage(lines=lines, width=width, height=height, rotation=90 * turns)


@cache
def _engine() -> OcrEngine:
    return OcrEngine(cores())


def _shrunk(pixels: Pixels) -> tuple[Pixels, float]:
    """``pixels`` at a size worth reading, and how much smaller it is (1: as it was)."""
    # A strip (a long screenshot) keeps its size: its letters are as large as its narrow side says.
    side = min(max(pixels.shape[:2]), 2 * min(pixels.shape[:2]))
    scale = min(1.0, _LONGEST_SIDE / side)
    return resized(pixels, scale), scale


def _upright(pixels: Pixels, scale: float) -> tuple[int, list[Piece]]:
    """How many quarter turns clockwise set the picture upright, and what stands on it then."""
    turns = 0
    quads = _found(pixels)
    if lies_on_its_side(quads):
        turns, pixels = 1, _turned(pixels, 1)
        quads = _found(pixels)
    pieces = _pieces(pixels, quads, scale)
    if pieces and _mean(pieces) < _UPRIGHT and _stands_on_its_head(pixels, quads):
        turns, pixels = turns + 2, _turned(pixels, 2)
        pieces = _pieces(pixels, _found(pixels), scale)
    return turns, pieces


def _found(pixels: Pixels) -> list[Quad]:
    """The lines on the picture, in no order."""
    return [
        quad + np.array([0, top], np.float32)
        for top, tile in tiles(pixels)
        for quad in _engine().find(np.ascontiguousarray(tile))
    ]


def _stands_on_its_head(pixels: Pixels, quads: Sequence[Quad]) -> bool:
    """Whether the longest lines read better upside down."""
    longest = sorted(quads, key=lambda quad: -float(np.hypot(*(quad[1] - quad[0]))))[:_SAMPLE]
    crops = [crop(pixels, quad) for quad in longest]
    return _mean(_engine().read([_turned(line, 2) for line in crops])) > _mean(_engine().read(crops))


def _turned(pixels: Pixels, turns: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(pixels, -turns)) if turns else pixels


def _mean(readings: Sequence[Reading | Piece]) -> float:
    count = sum(len(reading.text) for reading in readings)
    return sum(reading.confidence * len(reading.text) for reading in readings) / max(count, 1)


def _pieces(pixels: Pixels, quads: Sequence[Quad], scale: float) -> list[Piece]:
    """What stands in ``quads``, placed on the picture before it was shrunk by ``scale``."""
    angle = skew(quads)
    quads = [part for quad in quads for part in split(crop(pixels, quad), quad)]
    centre = pixels.shape[1] / scale / 2, pixels.shape[0] / scale / 2
    readings = _engine().read([crop(pixels, quad) for quad in quads])
    return [
        Piece(
            text=repaired(reading.text),
            confidence=reading.confidence,
            quad=quad / np.float32(scale),
            box=straight_box(quad / np.float32(scale), angle, centre),
        )
        for quad, reading in zip(quads, readings, strict=True)
        if reading.text.strip()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Back:
    """From a turned picture back to the picture as given (``width`` x ``height``)."""

    turns: int
    width: int
    height: int

    def box(self, quads: Sequence[Quad]) -> Box:
        points = np.concatenate(quads)
        x, y = points[:, 0], points[:, 1]
        if self.turns == 1:
            x, y = y, self.height - x
        elif self.turns == 2:
            x, y = self.width - x, self.height - y
        elif self.turns == 3:
            x, y = self.width - y, x
        x, y = x.clip(0, self.width), y.clip(0, self.height)
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _line(row: Row, back: _Back) -> OcrLine:
    boxes = [piece.box for piece in row]
    cells = _cells(row)
    return OcrLine(
        text=" ".join(cell.text for cell in cells),
        confidence=_mean(row),
        box=back.box([piece.quad for piece in row]),
        upright=hull(boxes),
        cells=cells,
    )


def _cells(row: Row) -> tuple[OcrCell, ...]:
    """The row's pieces; those that nearly touch are one."""
    cells: list[OcrCell] = []
    for piece in row:
        if cells and piece.box[0] - cells[-1].box[2] < _CELL_GAP * piece.height:
            before = cells.pop()
            text = repaired(f"{before.text} {piece.text}")
            cells.append(OcrCell(text=text, box=hull([before.box, piece.box])))
        else:
            cells.append(OcrCell(text=piece.text, box=piece.box))
    return tuple(cells)
