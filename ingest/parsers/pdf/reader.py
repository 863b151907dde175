"""Reads a PDF page by page: text layer, layout, additions, or the page's picture; notes what it left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pymupdf

from core.errors import OcrUnavailableError
from core.reading import Reading
from ingest.parsers.ocr.reader import OcrImage
from ingest.parsers.pdf.furniture import PageContent
from ingest.parsers.pdf.hidden_text import hidden_spans, page_paint
from ingest.parsers.pdf.layer import Dropped, Run, raw_runs
from ingest.parsers.pdf.layout import Region, is_overdrawn, is_overwritten, plain_regions, regions
from ingest.parsers.pdf.notes import addition_blocks, additions, without_additions
from ingest.parsers.pdf.ocr import ocr_blocks, read_page
from ingest.parsers.pdf.page import PdfBlock, page_blocks
from ingest.parsers.pdf.text_layer import LayerState, LayerVerdict, layer_quality, prefers_ocr
from ingest.parsers.pdf.turn import side_turn, turned_back

# What the layout analysis raises on pages it was not made for; such a page is read plainly.
_LAYOUT_FAILURES = (RuntimeError, ValueError, KeyError, IndexError, TypeError, ZeroDivisionError)


@dataclass(slots=True)
class Findings:
    """What happened while reading; pages are 1-based."""

    dropped: list[tuple[int, Dropped]] = field(default_factory=list)
    plain_pages: list[int] = field(default_factory=list)
    empty_pages: list[int] = field(default_factory=list)
    doubtful_pages: list[int] = field(default_factory=list)
    read_pages: dict[int, float] = field(default_factory=dict)
    ocr_failure: str = ""


class PdfReader:
    """``findings`` is complete when ``pages`` is used up."""

    def __init__(self, pdf: pymupdf.Document, reading: Reading) -> None:
        self._pdf = pdf
        self._reading = reading
        self._is_form = bool(pdf.is_form_pdf)
        self.findings = Findings()

    def pages(self) -> Iterator[PageContent]:
        """The pages in order; each is told to ``reading.on_page`` when it is done."""
        for index in range(self._pdf.page_count):
            yield self._page(index)
            # Fonts and pictures of pages that are done would pile up to hundreds of MB.
            pymupdf.TOOLS.store_shrink(100)
            self._reading.on_page(index + 1, self._pdf.page_count)

    def _page(self, index: int) -> PageContent:
        number = index + 1
        try:
            page = self._pdf.load_page(index)
        except (RuntimeError, ValueError):
            self.findings.empty_pages.append(number)
            return PageContent(number=number, width=0.0, height=0.0, blocks=())
        # From here on all boxes are on the page as it is shown.
        page.remove_rotation()
        width, height = float(page.rect.width), float(page.rect.height)
        turn = side_turn(page)
        if turn:
            page.set_rotation(turn)
            page.remove_rotation()
        blocks = turned_back(self._blocks(page, number), turn, page)
        if not blocks:
            self.findings.empty_pages.append(number)
        return PageContent(number=number, width=width, height=height, blocks=tuple(blocks))

    def _blocks(self, page: pymupdf.Page, number: int) -> list[PdfBlock]:
        overdrawn = is_overdrawn(page)
        hidden = () if overdrawn else hidden_spans(page)
        runs, dropped = raw_runs(page, hidden)
        verdict = self._verdict(page, runs)
        image = self._read(page, runs, verdict)
        if image is not None:
            self.findings.read_pages[number] = image.confidence
            self.findings.dropped.append((number, Dropped(text=_text(runs), reason="read_anew")))
            return ocr_blocks(image, page)
        if verdict.state is LayerState.BROKEN:
            self.findings.doubtful_pages.append(number)
        self.findings.dropped += [(number, piece) for piece in dropped]
        own, added = without_additions(runs, additions(page, is_form=self._is_form))
        blocks = page_blocks(own, self._regions(page, number, own, overdrawn)) if own else []
        return blocks + addition_blocks(added, _text(own))

    def _verdict(self, page: pymupdf.Page, runs: Sequence[Run]) -> LayerVerdict:
        paint = page_paint(page)
        return layer_quality(
            _text(runs),
            image_coverage=paint.image_coverage,
            drawn_paths=paint.drawn_paths,
            invisible=paint.invisible,
        )

    def _read(self, page: pymupdf.Page, runs: Sequence[Run], verdict: LayerVerdict) -> OcrImage | None:
        """What the page's picture says, when that is better than its text layer."""
        if not verdict.wants_ocr or self._reading.settings.ocr == "never" or self.findings.ocr_failure:
            return None
        try:
            image = read_page(page)
        except OcrUnavailableError as exc:
            self.findings.ocr_failure = str(exc.details.get("reason", "")) or "-"
            return None
        if not image.lines or (runs and not prefers_ocr(_text(runs), image.text, image.confidence)):
            return None
        return image

    def _regions(self, page: pymupdf.Page, number: int, runs: Sequence[Run], overdrawn: bool) -> list[Region]:
        if not (overdrawn or is_overwritten(runs)):
            try:
                return regions(page)
            except _LAYOUT_FAILURES:
                pass
        self.findings.plain_pages.append(number)
        return plain_regions(runs)


def _text(runs: Sequence[Run]) -> str:
    """The runs as the layer writes them, a line each."""
    text, line = "", 0
    for run in runs:
        if text:
            text += "\n" if run.line != line else " " * run.spaced
        text, line = text + run.text, run.line
    return text
