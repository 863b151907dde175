"""Pictures: every frame is read and becomes a page, its lines marked where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pymupdf

from core.document import BlockKind, Document, Notice
from core.errors import DamagedDocumentError, NoTextError, PictureTooLargeError, TooManyPagesError
from core.language import language_of
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.ocr.picture import (
    MAX_MEGAPIXELS,
    PictureFacts,
    TooManyPixelsError,
    as_drawn,
    frames,
    picture_facts,
)
from ingest.parsers.ocr.reader import OcrImage, read_pixels
from ingest.parsers.outline import with_section_paths
from ingest.parsers.pdf.file import title_of
from ingest.parsers.pdf.notices import page_ranges
from ingest.parsers.pdf.ocr import ocr_blocks
from ingest.parsers.pdf.page import PdfBlock
from ingest.parsers.pdf.text import PdfText


class ImageParser:
    """Reads PNG, JPEG, WebP, TIFF (each frame a page), BMP and GIF by text recognition."""

    version = "image-1"
    media_type = "image/png"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document; boxes are in points of the page that MuPDF makes of the picture.

        Raises ``DamagedDocumentError``, ``PictureTooLargeError``, ``TooManyPagesError``,
        ``OcrUnavailableError`` and ``NoTextError``.
        """
        try:
            facts = picture_facts(data)
            _check(facts, name, reading)
            images = list(_read(data, facts, reading))
            text = _assembled(data, images)
        except TooManyPixelsError as exc:
            size = f"{exc.megapixels:.0f}"
            raise PictureTooLargeError(name=name, megapixels=size, limit=MAX_MEGAPIXELS) from exc
        except (ValueError, pymupdf.FileDataError) as exc:
            raise DamagedDocumentError(name=name) from exc
        if not text.text().strip():
            raise NoTextError(name=name, pages=page_ranges(list(range(1, facts.pages + 1))))
        return Document(
            text=text.text(),
            title=title_of("", text.first_heading(), name),
            language=language_of(text.text()),
            media_type=facts.media_type,
            blocks=with_section_paths(text.blocks(), text.text()),
            lines=text.lines(),
            page_count=facts.pages,
            notices=tuple(_notices(facts, images)),
        )


def _check(facts: PictureFacts, name: str, reading: Reading) -> None:
    if facts.pages > reading.settings.max_pages:
        raise TooManyPagesError(name=name, pages=facts.pages, limit=reading.settings.max_pages)
    if reading.settings.ocr == "never":
        raise NoTextError(name=name, pages=page_ranges(list(range(1, facts.pages + 1))))


def _read(data: bytes, facts: PictureFacts, reading: Reading) -> Iterator[OcrImage]:
    for number, pixels in enumerate(frames(data), start=1):
        yield read_pixels(pixels)
        reading.on_page(number, facts.pages)


def _assembled(data: bytes, images: Sequence[OcrImage]) -> PdfText:
    text = PdfText()
    # The pages of a viewer are those of MuPDF, in size and number.
    with pymupdf.open(stream=as_drawn(data)) as pages:
        for number, image in enumerate(images, start=1):
            blocks = ocr_blocks(image, pages[number - 1])
            text.add_page(number, tuple(_as_content(block) for block in blocks))
    text.finish()
    return text


def _as_content(block: PdfBlock) -> PdfBlock:
    """A picture has no running heads: what stands at its margin is content too."""
    is_furniture = block.kind is BlockKind.PAGE_FURNITURE
    return replace(block, kind=BlockKind.PARAGRAPH) if is_furniture else block


def _notices(facts: PictureFacts, images: Sequence[OcrImage]) -> Iterator[Notice]:
    read = [number for number, image in enumerate(images, start=1) if image.lines]
    share = sum(images[number - 1].confidence for number in read) / len(read)
    yield _notice("pages_read_by_ocr", pages=page_ranges(read), confidence=f"{100 * share:.0f}")
    unsure = [
        number for number, image in enumerate(images, start=1) for line in image.lines if not line.is_sure
    ]
    if unsure:
        pages = page_ranges(sorted(set(unsure)))
        yield _notice("ocr_lines_unsure", pages=pages, count=len(unsure))
    empty = [number for number in range(1, facts.pages + 1) if number not in read]
    if empty:
        yield _notice("pages_without_text", pages=page_ranges(empty))
    if facts.frame_count > facts.pages:
        yield _notice("frames_left_out", count=facts.frame_count)


def _notice(code: str, **details: object) -> Notice:
    return Notice(code=code, details=tuple((key, str(value)) for key, value in details.items()))
