"""The raw text layer of a PDF page: runs of characters with their boxes, each of them once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pymupdf

from core.span import is_blank
from ingest.parsers.builder import Box
from ingest.parsers.pdf.hidden_text import HiddenSpan
from ingest.parsers.symbols import UNKNOWN, symbol

# Ligatures are spelt out: a reader sees two letters. ActualText is left alone, as in the layout analysis.
_FLAGS = (
    pymupdf.TEXT_COLLECT_STYLES
    | pymupdf.TEXT_PRESERVE_WHITESPACE
    | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_IGNORE_ACTUALTEXT
)
_BOLD_FONT, _BOLD_DRAWN, _MONO_FONT = 16, 8, 8
# How PDFs name the symbol fonts, the longer names first.
_SYMBOL_FONTS = {
    "wingdings2": "wingdings 2",
    "wingdings 2": "wingdings 2",
    "wingdings": "wingdings",
    "symbol": "symbol",
}
# A gap between spans, and inside one, that is a blank; in letter sizes.
_SPAN_GAP, _LETTER_GAP = 0.1, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Characters without a blank between them on one line of the layer.

    ``edges`` are the left edges of the characters and the right end of the last, ``gaps``
    the white between one and the next. ``line`` and ``block``
    number the layer's lines and blocks; ``spaced`` says that a blank stands before. ``direction`` is the
    writing direction: (1, 0) left to right, (0, 1) downwards.
    """

    text: str
    box: Box
    edges: tuple[float, ...]
    gaps: tuple[float, ...]
    size: float
    bold: bool
    mono: bool
    line: int
    block: int
    spaced: bool
    direction: tuple[float, float] = (1.0, 0.0)

    @property
    def centre(self) -> tuple[float, float]:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def is_level(self) -> bool:
        """Whether it is written from left to right (or right to left) on a level line."""
        return abs(self.direction[0] - 1) < 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Characters of the layer that the text leaves out, and why."""

    text: str
    reason: str


def raw_runs(page: pymupdf.Page, hidden: Sequence[HiddenSpan] = ()) -> tuple[list[Run], list[Dropped]]:
    """The runs of ``page`` in the order of the layer, and what was dropped: hidden or drawn twice."""
    unseen = _Unseen(hidden)
    runs: list[Run] = []
    dropped = [Dropped(text=span.text, reason=span.reason.value) for span in hidden]
    known: dict[str, list[Box]] = defaultdict(list)
    for run in _runs(page.get_text("rawdict", flags=_FLAGS)["blocks"], unseen):
        if any(_is_same_place(run, box) for box in known[run.text]):
            dropped.append(Dropped(text=run.text, reason="drawn_twice"))
            continue
        known[run.text].append(run.box)
        runs.append(run)
    return runs, dropped


def _runs(blocks: Iterable[dict[str, Any]], unseen: _Unseen) -> Iterator[Run]:
    number = 0
    for block_number, block in enumerate(blocks):
        for line in block.get("lines", ()):
            number += 1
            yield from _line_runs(line, number, block_number, unseen)


def _line_runs(line: dict[str, Any], number: int, block: int, unseen: _Unseen) -> Iterator[Run]:
    letters: list[tuple[str, Box]] = []
    style, spaced, right = (0.0, False, False), False, None
    direction = (float(line["dir"][0]), float(line["dir"][1]))
    for span in line["spans"]:
        bold = bool(span["flags"] & _BOLD_FONT or span.get("char_flags", 0) & _BOLD_DRAWN)
        gap_limit = _SPAN_GAP
        for char in span["chars"]:
            letter, box = _shown(char["c"], span["font"]), tuple(char["bbox"])
            blank = letter < " " or is_blank(letter)
            gap = (
                right is not None
                and abs(direction[0] - 1) < 0.02
                and (box[0] - right > gap_limit * span["size"])
            )
            if letters and (blank or gap):
                yield _run(letters, style, number, block, spaced, direction)
                letters, spaced = [], False
            spaced = spaced or blank or gap
            gap_limit = _LETTER_GAP
            if blank or unseen.holds(letter, box):
                continue
            if not letters:
                style = (float(span["size"]), bold, bool(span["flags"] & _MONO_FONT))
            letters.append((letter, box))
            right = box[2]
    if letters:
        yield _run(letters, style, number, block, spaced, direction)


def _shown(letter: str, font: str) -> str:
    """The letter; that of a symbol font as the sign that a reader sees."""
    if not "\uf000" <= letter <= "\uf0ff":
        return letter
    family = re.sub(r"^[A-Z]{6}\+", "", font).lower()
    kind = next((kind for kind in _SYMBOL_FONTS if family.startswith(kind)), "")
    sign = symbol(ord(letter), _SYMBOL_FONTS.get(kind, ""))
    return letter if sign == UNKNOWN else sign


def _run(
    letters: Sequence[tuple[str, Box]],
    style: tuple[float, bool, bool],
    line: int,
    block: int,
    spaced: bool,
    direction: tuple[float, float],
) -> Run:
    boxes = [box for _, box in letters]
    return Run(
        text="".join(letter for letter, _ in letters),
        box=hull(boxes),
        edges=(*(box[0] for box in boxes), boxes[-1][2]),
        gaps=tuple(after[0] - before[2] for before, after in pairwise(boxes)),
        size=style[0],
        bold=style[1],
        mono=style[2],
        line=line,
        block=block,
        spaced=spaced,
        direction=direction,
    )


class _Unseen:
    """Which characters nobody sees, by letter and place."""

    def __init__(self, hidden: Sequence[HiddenSpan]) -> None:
        self._boxes: dict[str, list[Box]] = defaultdict(list)
        for span in hidden:
            for letter, box in zip(span.text, span.boxes, strict=False):
                self._boxes[letter].append(box)

    def holds(self, letter: str, box: Box) -> bool:
        return any(
            abs(box[0] - other[0]) < 1.5 and other[1] - 1.5 < (box[1] + box[3]) / 2 < other[3] + 1.5
            for other in self._boxes.get(letter, ())
        )


def _is_same_place(run: Run, box: Box) -> bool:
    """Whether it is the shadow of a run already there: bold or shaded letters are often drawn twice."""
    return abs(run.box[0] - box[0]) < 0.15 * run.size and abs(run.box[1] - box[1]) < 0.15 * run.size


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box around ``boxes``."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
