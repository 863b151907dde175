"""Where a picture is cut: long strips between lines, found lines at cell borders and gutters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from ingest.parsers.ocr.engine import Pixels, Quad

# A strip this narrow holds no lines of text. Noise of a picture, in grey values.
_LEAST_STRIP: Final = 32
_QUIET: Final = 8
# All in heights of the line's box, which is about 1.4 times the size of its letters.
_GUTTER: Final = 1.1
_LEAST_WIDTH: Final = 3.0
_PADDING: Final = 0.1
_RULE_WIDTH: Final = 0.08
_RULE_SPACE: Final = 0.12
# A column of pixels that is inked from edge to edge belongs to a rule; letters leave room above and below.
_RULE_INK: Final = 0.95
_SPECK: Final = 0.04
# Above and below this band the lines next to it reach in.
_BAND: Final = 0.15


def tiles(pixels: Pixels) -> Iterator[tuple[int, Pixels]]:
    """``pixels`` in pieces, each with the row it begins at: a long strip is cut in the middle of a quiet band."""
    height, width = pixels.shape[:2]
    top = 0
    while height - top > 2.5 * width and width >= _LEAST_STRIP:
        first, last = top + int(1.2 * width), top + int(1.8 * width)
        unrest = np.ptp(pixels[first:last].reshape(last - first, -1), axis=1)
        start, end = max(_runs(unrest <= int(unrest.min()) + _QUIET), key=lambda run: run[1] - run[0])
        cut = first + (start + end) // 2
        yield top, pixels[top:cut]
        top = cut
    yield top, pixels[top:]


def split(line: Pixels, quad: Quad) -> list[Quad]:
    """``quad`` in its parts, left to right; ``line`` is the straightened picture inside it."""
    height, width = line.shape[:2]
    if width < _LEAST_WIDTH * height:
        return [quad]
    parts = [part for part in _parts(line) if part[1] - part[0] > 0.2 * height]
    if len(parts) < 2:
        return [quad]
    padding = _PADDING * height
    return [
        _slice(quad, max(start - padding, 0) / width, min(end + padding, width) / width)
        for start, end in parts
    ]


def _parts(line: Pixels) -> Iterator[tuple[int, int]]:
    """First and last column of the inked runs between gutters and rules."""
    height = line.shape[0]
    ink = _ink(line)
    band = ink[int(_BAND * height) : int((1 - _BAND) * height) + 1]
    start = last = -1
    ruled = False
    for run_start, run_end in _runs(band.mean(axis=0) > _SPECK):
        if _is_rule(ink, run_start, run_end):
            ruled = True
            continue
        if last >= 0 and (ruled or run_start - last > _GUTTER * height):
            yield start, last
            start = -1
        start = run_start if start < 0 else start
        last, ruled = run_end, False
    if last >= 0:
        yield start, last


def _is_rule(ink: npt.NDArray[np.bool_], start: int, end: int) -> bool:
    """Whether a run of columns is a thin line from edge to edge with room on both sides."""
    height, width = ink.shape
    room = max(int(_RULE_SPACE * height), 1)
    sides = ink[:, max(start - room, 0) : start], ink[:, end : min(end + room, width)]
    return (
        end - start <= max(_RULE_WIDTH * height, 2)
        and float(ink[:, start:end].any(axis=1).mean()) > _RULE_INK
        and all(float(side.mean()) < _SPECK for side in sides if side.size)
    )


def _ink(line: Pixels) -> npt.NDArray[np.bool_]:
    """Which pixels differ from the ground, whatever its colour."""
    grey = line.mean(axis=2)
    distance = np.abs(grey - np.median(grey))
    return np.asarray(distance > max(0.4 * float(np.percentile(distance, 98)), 24.0))


def _runs(marked: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First and past-the-last column of every run."""
    edges = np.flatnonzero(np.diff(marked.astype(np.int8), prepend=0, append=0))
    for start, end in edges.reshape(-1, 2):
        yield int(start), int(end)


def _slice(quad: Quad, start: float, end: float) -> Quad:
    top_left, top_right, bottom_right, bottom_left = quad
    top, bottom = top_right - top_left, bottom_right - bottom_left
    return np.stack(
        [
            top_left + start * top,
            top_left + end * top,
            bottom_left + end * bottom,
            bottom_left + start * bottom,
        ]
    ).astype(np.float32)
