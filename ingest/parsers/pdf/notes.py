"""What people added to a PDF page: comments, typed text, filled form fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pymupdf

from core.document import BlockKind
from core.language import language_of
from ingest.parsers.builder import Box
from ingest.parsers.pdf.layer import Run
from ingest.parsers.pdf.lines import PdfLine
from ingest.parsers.pdf.page import PdfBlock

_MARKS = {
    "note": {"zh": "【批注】", "en": "[Note] "},
    "field": {"zh": "【填写】", "en": "[Field] "},
}
_OFF = {"", "Off", "No", "0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """``kind`` is "note" or "field"; ``label`` is what the form calls the field, or empty."""

    kind: str
    text: str
    box: Box
    label: str = ""


def additions(page: pymupdf.Page, *, is_form: bool) -> list[Addition]:
    """The page's comments and, with ``is_form``, its filled fields. Ticked boxes only with a label."""
    return [*_notes(page), *(_fields(page) if is_form else ())]


def _notes(page: pymupdf.Page) -> Iterator[Addition]:
    for note in page.annots() or ():
        words = " ".join((note.info.get("content") or "").split())
        if words:
            yield Addition(kind="note", text=words, box=_box(note.rect))


def _fields(page: pymupdf.Page) -> Iterator[Addition]:
    for field in page.widgets() or ():
        value = " ".join(str(field.field_value or "").split())
        kind = field.field_type_string
        ticked = kind in ("CheckBox", "RadioButton")
        label = " ".join((field.field_label or "").split())
        if kind in ("Button", "Signature") or value in _OFF or (ticked and not label):
            continue
        yield Addition(kind="field", text="√" if ticked else value, box=_box(field.rect), label=label)


def without_additions(runs: Sequence[Run], added: Sequence[Addition]) -> tuple[list[Run], list[Addition]]:
    """The page's own runs, and the additions to be told apart from them.

    Typed comments leave the runs; a field whose value is drawn on the page stays there, beside its label.
    """
    own, apart = list(runs), []
    for addition in added:
        inside = [run for run in own if _is_inside(run, addition.box)]
        drawn = _squeezed("".join(run.text for run in inside))
        words = _squeezed(addition.text)
        if addition.kind == "note":
            own = [run for run in own if run not in inside] if drawn and drawn == words else own
        elif words in drawn:
            continue
        apart.append(addition)
    return own, apart


def addition_blocks(added: Sequence[Addition], page_text: str) -> list[PdfBlock]:
    """One block each, with a mark in the language of the page."""
    language = "zh" if language_of(page_text) == "zh" else "en"
    blocks = []
    for addition in added:
        label = f"{addition.label}: " if addition.label else ""
        text = f"{_MARKS[addition.kind][language]}{label}{addition.text}"
        line = PdfLine(text=text, box=addition.box)
        blocks.append(PdfBlock(kind=BlockKind.LIST_ITEM, lines=(line,), is_addition=True))
    return blocks


def _box(rect: pymupdf.Rect) -> Box:
    return float(rect.x0), float(rect.y0), float(rect.x1), float(rect.y1)


def _is_inside(run: Run, box: Box) -> bool:
    x, y = run.centre
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _squeezed(text: str) -> str:
    return "".join(text.split())
