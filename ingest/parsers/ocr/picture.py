"""Encoded pictures as pixels: upright, on a plain ground, in RGB; bombs and torn files are refused."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ingest.parsers.ocr.engine import Pixels

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_MEGAPIXELS: Final = 160
# Frames of these are pages; frames of GIF and WebP are an animation, those of JPEG a preview.
_PAGED: Final = ("TIFF",)
# What Pillow raises on torn, forged or unknown files.
_FAULTS: Final = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, struct.error)


class TooManyPixelsError(ValueError):
    """The picture has more than ``MAX_MEGAPIXELS``; ``megapixels`` says how many."""

    def __init__(self, megapixels: float) -> None:
        super().__init__(f"expected at most {MAX_MEGAPIXELS} megapixels, got {megapixels:.0f}")
        self.megapixels = megapixels


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFacts:
    """``pages`` are the frames that ``frames`` yields; ``frame_count`` counts those of an animation as well."""

    media_type: str
    pages: int
    frame_count: int


def picture_facts(data: bytes) -> PictureFacts:
    """What kind of picture it is. Raises as ``frames`` does."""
    from PIL import Image

    with _decoding(data), _opened(data) as image:
        count = int(getattr(image, "n_frames", 1))
        return PictureFacts(
            media_type=Image.MIME.get(image.format or "", "image/png"),
            pages=_page_count(image),
            frame_count=1 if image.format == "MPO" else count,
        )


def frames(data: bytes) -> Iterator[Pixels]:
    """The pages of the picture as (height, width, 3) uint8: all frames of a TIFF, the first of others.

    Raises ``TooManyPixelsError``, and ``ValueError`` when the data cannot be decoded.
    """
    with _decoding(data), _opened(data) as image:
        for number in range(_page_count(image)):
            image.seek(number)
            _check_size(image)
            yield _pixels(image)


def as_drawn(data: bytes) -> bytes:
    """The picture in a format that MuPDF opens: it draws all of ours but WebP. Raises as ``frames`` does."""
    return as_png(data) if picture_facts(data).media_type == "image/webp" else data


def page_sizes(data: bytes) -> tuple[tuple[float, float], ...]:
    """Width and height of every page in points, as MuPDF makes pages of the picture. Raises as ``frames`` does."""
    import pymupdf

    with _decoding(data), pymupdf.open(stream=as_drawn(data)) as pages:
        return tuple((float(page.rect.width), float(page.rect.height)) for page in pages)


def as_png(data: bytes) -> bytes:
    """The first frame as a PNG, for viewers that do not draw its format. Raises as ``frames`` does."""
    from PIL import Image

    written = io.BytesIO()
    Image.fromarray(next(frames(data))).save(written, "png")
    return written.getvalue()


@contextmanager
def _decoding(data: bytes) -> Iterator[None]:
    """Turns what Pillow raises on torn files into ``ValueError``."""
    try:
        yield
    except TooManyPixelsError:
        raise
    except _FAULTS as exc:
        raise ValueError(f"expected a picture, got {data[:8]!r}...: {exc}") from exc


def _opened(data: bytes) -> Image:
    from PIL import Image

    with warnings.catch_warnings():
        # Pillow warns before our limit and refuses after it.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            return Image.open(io.BytesIO(data))
        except Image.DecompressionBombError as exc:
            raise TooManyPixelsError(2 * (Image.MAX_IMAGE_PIXELS or 0) / 1e6) from exc


def _page_count(image: Image) -> int:
    return int(getattr(image, "n_frames", 1)) if image.format in _PAGED else 1


def _check_size(image: Image) -> None:
    megapixels = image.width * image.height / 1e6
    if megapixels > MAX_MEGAPIXELS:
        raise TooManyPixelsError(megapixels)


def _pixels(image: Image) -> Pixels:
    from PIL import ImageOps

    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith(("I", "F")):
        values = np.asarray(upright, np.float64)
        grey = (values - values.min()) * (255.0 / max(float(np.ptp(values)), 1e-9))
        return np.repeat(grey.astype(np.uint8)[:, :, np.newaxis], 3, axis=2)
    if upright.has_transparency_data:
        return _on_ground(np.asarray(upright.convert("RGBA")))
    return np.asarray(upright.convert("RGB"))


def _on_ground(rgba: Pixels) -> Pixels:
    """On white; on black when what is drawn is light, so that white letters stay to be seen."""
    opacity = rgba[:, :, 3:].astype(np.float32) / 255
    colours = rgba[:, :, :3].astype(np.float32)
    drawn = float((colours * opacity).sum() / max(float(opacity.sum()) * 3, 1.0))
    ground = 0.0 if drawn > 170 and float(opacity.mean()) < 0.7 else 255.0
    return (colours * opacity + ground * (1 - opacity)).astype(np.uint8)
