"""Text of a PDF page that nobody sees: invisible, of the ground's colour, tiny, covered, outside the page.

Layers that are switched off do not come this far: MuPDF leaves them out of the text by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

import numpy as np
import pymupdf

from core.span import is_blank
from ingest.parsers.builder import Box
from ingest.parsers.pdf.page_paint import INVISIBLE, Boxes, PagePaint, Painting, Pixels

# Letters below this many points cannot be read.
_TINY: Final = 1.5
# Paler than this (0 black, 1 white) text is looked at on the page's picture.
_PALE: Final = 0.75
# Grey values (of 256) that letter and ground differ by at least, and that thin strokes may lose to smoothing.
_CONTRAST: Final = 20
_NEAR: Final = 90
# A page is a scan when pictures cover this share of it and this share of its text is unseen.
_SCAN: Final = 0.5


class HiddenReason(StrEnum):
    """Why a reader does not see the text."""

    INVISIBLE = "invisible"
    BACKGROUND_COLOUR = "background_colour"
    TINY = "tiny"
    OUTSIDE = "outside"
    COVERED = "covered"


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenSpan:
    """Characters of one reason that follow each other. ``boxes`` has one box a character, in page points."""

    text: str
    box: Box
    boxes: tuple[Box, ...]
    reason: HiddenReason


@dataclass(frozen=True, slots=True)
class _Letter:
    char: str
    box: Box
    reason: HiddenReason | None


def page_paint(page: pymupdf.Page) -> PagePaint:
    """What is painted on ``page``."""
    painting = Painting(page)
    return PagePaint(
        image_coverage=painting.image_coverage,
        drawn_paths=painting.paths,
        invisible=_is_scan(painting, _letters(painting)),
    )


def hidden_spans(page: pymupdf.Page) -> tuple[HiddenSpan, ...]:
    """The characters of ``page`` that no reader sees, in the order they are painted.

    On a scan the unseen text is what the picture says: there only tiny letters and those outside count.
    """
    painting = Painting(page)
    letters = _letters(painting)
    if _is_scan(painting, letters):
        letters = [_unless_layer(letter) for letter in letters]
    return tuple(
        _span(list(group), reason)
        for reason, group in groupby(letters, key=lambda letter: letter.reason)
        if reason is not None
    )


def _unless_layer(letter: _Letter) -> _Letter:
    if letter.reason in (HiddenReason.TINY, HiddenReason.OUTSIDE):
        return letter
    return _Letter(letter.char, letter.box, None)


def _is_scan(painting: Painting, letters: list[_Letter]) -> bool:
    if painting.image_coverage < _SCAN or not letters:
        return False
    layer = (HiddenReason.INVISIBLE, HiddenReason.COVERED)
    return sum(letter.reason in layer for letter in letters) >= _SCAN * len(letters)


def _letters(painting: Painting) -> list[_Letter]:
    return [letter for span in painting.spans for letter in _span_letters(span, painting)]


def _span_letters(span: dict[str, Any], painting: Painting) -> list[_Letter]:
    """The letters of a span, blanks left out."""
    placed = [
        (chr(code) if code > 0 else "\ufffd", box)
        for code, _, _, box in span["chars"]
        if not is_blank(chr(max(code, 0)))
    ]
    boxes = [box for _, box in placed]
    whole = _whole_reason(span)
    reasons = [whole] * len(boxes) if whole else _seen_reasons(span, boxes, painting)
    width, height = painting.size
    return [
        _Letter(char, box, reason)
        if box[0] < width and box[2] > 0 and box[1] < height and box[3] > 0
        else _Letter(char, box, HiddenReason.OUTSIDE)
        for (char, box), reason in zip(placed, reasons, strict=True)
    ]


def _seen_reasons(
    span: dict[str, Any], boxes: Sequence[Box], painting: Painting
) -> Sequence[HiddenReason | None]:
    """Why letters of ink are not seen on the page's picture.

    Boxes alone do not tell: what is painted over may be clipped, transparent or a highlighter's. And a letter
    alone does not tell: a thin one may fade in the picture, or take contrast from what stands near.
    """
    shade = _shade(span)
    covers = _touching(painting, span, later=True)
    under = [number for number, box in enumerate(boxes) if _is_under(box, covers)]
    reasons: list[HiddenReason | None] = [None] * len(boxes)
    if under and _most(not _shows(painting.shades(boxes[number]), shade) for number in under):
        under_plain = set(under)
    else:
        under_plain = {number for number in under if _is_plain(painting.shades(boxes[number]))}
    for number in under_plain:
        reasons[number] = HiddenReason.COVERED
    may_fade = shade > _PALE or bool(_touching(painting, span, later=False).size)
    if may_fade and not under_plain and _most(_is_plain(painting.shades(box)) for box in boxes):
        return [HiddenReason.BACKGROUND_COLOUR] * len(boxes)
    return reasons


def _most(answers: Iterable[bool]) -> bool:
    known = list(answers)
    return bool(known) and sum(known) >= 0.6 * len(known)


def _is_plain(shades: Pixels) -> bool:
    """Whether nothing is to be seen: one shade all over."""
    return shades.size == 0 or int(np.ptp(shades)) < _CONTRAST


def _shows(shades: Pixels, shade: float) -> bool:
    """Whether the letter's own shade is there, and another one beside it."""
    return not _is_plain(shades) and bool((abs(shades.astype(np.int16) - 255 * shade) < _NEAR).any())


def _whole_reason(span: dict[str, Any]) -> HiddenReason | None:
    """A reason that holds for every letter of the span."""
    if span["type"] == INVISIBLE or span["opacity"] < 0.02:
        return HiddenReason.INVISIBLE
    return HiddenReason.TINY if span["size"] < _TINY else None


def _shade(span: dict[str, Any]) -> float:
    """How bright the letters are, 0 black to 1 white."""
    colour: tuple[float, ...] = span["color"] or (0.0,)
    if len(colour) == 4:  # cyan, magenta, yellow, black
        return 1 - min(sum(colour[:3]) / 3 + colour[3], 1.0)
    if len(colour) == 3:  # luma of Rec. 601, as MuPDF makes grey
        return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return sum(colour) / len(colour)


def _touching(painting: Painting, span: dict[str, Any], *, later: bool) -> Boxes:
    """Pictures and filled shapes that touch the span's box and are painted after it, or before."""
    when, box = span["seqno"], span["bbox"]
    painted = painting.solids
    in_time = painted[:, 0] > when if later else painted[:, 0] < when
    x0, y0, x1, y1 = painted[:, 1], painted[:, 2], painted[:, 3], painted[:, 4]
    found: Boxes = painted[in_time & (x0 < box[2]) & (x1 > box[0]) & (y0 < box[3]) & (y1 > box[1])]
    return found


def _is_under(box: Box, covers: Boxes) -> bool:
    """Whether the letter's middle half lies inside one of the boxes."""
    inner_x, inner_y = (box[2] - box[0]) / 4, (box[3] - box[1]) / 4
    return bool(
        (
            (covers[:, 1] <= box[0] + inner_x)
            & (covers[:, 2] <= box[1] + inner_y)
            & (covers[:, 3] >= box[2] - inner_x)
            & (covers[:, 4] >= box[3] - inner_y)
        ).any()
    )


def _span(letters: list[_Letter], reason: HiddenReason) -> HiddenSpan:
    boxes = tuple(letter.box for letter in letters)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return HiddenSpan(
        text="".join(letter.char for letter in letters),
        box=(min(lefts), min(tops), max(rights), max(bottoms)),
        boxes=boxes,
        reason=reason,
    )
