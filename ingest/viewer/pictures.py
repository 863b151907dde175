"""Pages as pictures: drawn from the stored original where that is possible, else their size alone."""

from __future__ import annotations

import base64
import io
import re
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from core.document import Line

if TYPE_CHECKING:
    from PIL.Image import Image

_PDF: Final = "application/pdf"
_IMAGE: Final = "image/"
_DPI: Final = 110
# Longest side of a picture in pixels: posters and photographs need no more on a screen.
_LONGEST_SIDE: Final = 2000
# WebP takes a third of what PNG takes for a page of text, at a tenth of a second.
_QUALITY: Final = 62
_EFFORT: Final = 2
_EMU: Final = 12700
_SLIDE_SIZE: Final = re.compile(rb"<p:sldSz\b[^>]*>")
# MuPDF is made for one thread at a time.
_MUPDF: Final = threading.Lock()
_SIDES: Final = (re.compile(rb'\bcx="(\d{1,9})"'), re.compile(rb'\bcy="(\d{1,9})"'))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page: its size in points, and its picture as a data address (empty when there is none)."""

    width: float
    height: float
    picture: str = ""


# Draws a page (1-based); without a picture when the second argument is false.
Drawer = Callable[[int, bool], Sheet]


def warm_up() -> None:
    """Load what draws pages now, so that the first page does not wait for it."""
    import pymupdf  # noqa: F401


def is_drawable(media_type: str) -> bool:
    """Whether originals of this type have pages that can be drawn."""
    return media_type == _PDF or media_type.startswith(_IMAGE)


@contextmanager
def drawer(data: bytes, media_type: str, lines: Sequence[Line], password: str = "") -> Iterator[Drawer]:
    """What draws the pages of the original ``data``; those it cannot draw come as blank sheets."""
    blank = _blank_sheet(data, lines)
    if media_type == _PDF:
        with _pdf_drawer(data, blank, password) as draw:
            yield draw
    elif media_type.startswith(_IMAGE):
        yield _image_drawer(data, blank)
    else:
        yield lambda page, wanted: blank


@contextmanager
def _pdf_drawer(data: bytes, blank: Sheet, password: str) -> Iterator[Drawer]:
    # Imported here: it takes half a second of every start of the command line.
    import pymupdf

    faults = (RuntimeError, ValueError, pymupdf.FileDataError, pymupdf.mupdf.FzErrorBase)
    try:
        with _MUPDF:
            pdf = pymupdf.open(stream=data, filetype="pdf")
            is_open = not pdf.needs_pass or bool(password and pdf.authenticate(password))
    except faults:
        yield lambda page, wanted: blank
        return

    def draw(page: int, wanted: bool) -> Sheet:
        from PIL import Image

        try:
            with _MUPDF:
                shown = pdf.load_page(page - 1)
                width, height = float(shown.rect.width), float(shown.rect.height)
                if not wanted:
                    return Sheet(width=width, height=height)
                dpi = max(min(_DPI, int(72 * _LONGEST_SIDE / max(width, height, 1))), 8)
                shot = shown.get_pixmap(dpi=dpi, alpha=False, colorspace=pymupdf.csRGB)
                image = Image.frombytes("RGB", (shot.width, shot.height), shot.samples)
                del shown, shot
        except faults:
            return blank
        return Sheet(width=width, height=height, picture=_address(image))

    try:
        yield draw if is_open else lambda page, wanted: blank
    finally:
        with _MUPDF:
            pdf.close()


def _image_drawer(data: bytes, blank: Sheet) -> Drawer:
    """Boxes on a picture are in points of the page that MuPDF makes of it, as its parser places them."""
    from PIL import Image

    from ingest.parsers.ocr.picture import frames, page_sizes

    @cache
    def sizes() -> tuple[tuple[float, float], ...]:
        return page_sizes(data)

    def draw(page: int, wanted: bool) -> Sheet:
        try:
            with _MUPDF:
                width, height = sizes()[page - 1]
            if not wanted:
                return Sheet(width=width, height=height)
            pixels = next(frame for number, frame in enumerate(frames(data), start=1) if number == page)
        except (ValueError, IndexError, StopIteration):
            return blank
        image = Image.fromarray(pixels)
        image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
        return Sheet(width=width, height=height, picture=_address(image))

    return draw


def _address(image: Image) -> str:
    written = io.BytesIO()
    image.save(written, "webp", quality=_QUALITY, method=_EFFORT)
    return "data:image/webp;base64," + base64.b64encode(written.getvalue()).decode("ascii")


def _blank_sheet(data: bytes, lines: Sequence[Line]) -> Sheet:
    """Of the size of the slides in ``data``, else large enough for all ``lines``."""
    right = max((line.x1 for line in lines), default=0.0)
    bottom = max((line.y1 for line in lines), default=0.0)
    size = _slide_size(data)
    if size and all(size):
        return Sheet(width=size[0], height=size[1])
    margin = max(min((line.x0 for line in lines), default=0.0), 12.0)
    return Sheet(width=max(right + margin, 72.0), height=max(bottom + margin, 72.0))


def _slide_size(data: bytes) -> tuple[float, float] | None:
    """Width and height of the slides of a PPTX, in points; ``None`` for anything else."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package, package.open("ppt/presentation.xml") as part:
            found = _SLIDE_SIZE.search(part.read(1 << 20))
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, ValueError, NotImplementedError):
        return None
    sides = [pattern.search(found[0]) for pattern in _SIDES] if found else []
    width, height = (int(side[1]) / _EMU if side else 0.0 for side in sides) if sides else (0.0, 0.0)
    return width, height
