"""The cells of one sheet, read in one pass: what each shows, merges, what is hidden, formulas without a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from xml.etree import ElementTree

from ingest.parsers.grid.matrix import Area, Cell, Kind
from ingest.parsers.sheets.dates import iso_text
from ingest.parsers.sheets.formats import shown
from ingest.parsers.sheets.workbook import Style, Workbook, rich_text, unescaped

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_GENERAL = Style()


@dataclass(slots=True)
class Sheet:
    """``cells`` are keyed by (row, column) from 1; only those that show something are there.

    ``hidden`` says that some of them stand in hidden rows or columns, ``unvalued`` counts formulas without a stored value, and
    ``cut`` says that the sheet held more cells than were asked for.
    """

    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    merges: list[Area] = field(default_factory=list)
    hidden: bool = False
    unvalued: int = 0
    cut: bool = False


def read_sheet(workbook: Workbook, part: str, limit: int) -> Sheet:
    """At most ``limit`` cells of a sheet. Raises what ``Workbook`` raises."""
    sheet = Sheet()
    reader = _CellReader(workbook, sheet, limit)
    with workbook.open(part) as stream:
        # Tags are compared by their ends: this runs a few times for every cell.
        for _, element in ElementTree.iterparse(stream):
            tag = element.tag
            if tag.endswith("}row"):
                reader.read_row(element)
                element.clear()
            elif tag.endswith("}col") and _is_true(element.get("hidden")):
                reader.hide_columns(int(element.get("min", "0")), int(element.get("max", "0")))
            elif tag.endswith("}mergeCell"):
                sheet.merges += _area(element.get("ref", ""))
    _drop_covered(sheet)
    return sheet


class _CellReader:
    """Keeps the place in the sheet: rows and cells may leave their own out."""

    def __init__(self, workbook: Workbook, sheet: Sheet, limit: int) -> None:
        self._workbook, self._sheet, self._limit = workbook, sheet, limit
        self._row = self._column = 0
        self._shared: dict[str, tuple[str, str]] = {}
        self._hidden_columns: list[range] = []

    def hide_columns(self, first: int, last: int) -> None:
        self._hidden_columns.append(range(first, last + 1))

    def read_row(self, element: ElementTree.Element) -> None:
        """Puts the cells where they belong, except those that show nothing."""
        self._row = int(element.get("r") or self._row + 1)
        self._column = 0
        is_hidden = _is_true(element.get("hidden"))
        for cell in element:
            place = _place(cell.get("r", ""))
            if place is not None:
                self._row, self._column = place
            else:
                self._column += 1
            if not len(cell):
                continue
            if len(self._sheet.cells) >= self._limit:
                self._sheet.cut = True
                return
            style = self._style(int(cell.get("s", "0")))
            text, kind = self._content(cell, style)
            if text and not text.isspace():
                self._sheet.cells[self._row, self._column] = Cell(text, kind, style.bold)
                if is_hidden or any(self._column in columns for columns in self._hidden_columns):
                    self._sheet.hidden = True

    def _style(self, number: int) -> Style:
        styles = self._workbook.styles
        return styles[number] if number < len(styles) else _GENERAL

    def _content(self, element: ElementTree.Element, style: Style) -> tuple[str, Kind | None]:
        value = formula = inline = None
        for child in element:
            tag = child.tag
            if tag.endswith("}v"):
                value = child
            elif tag.endswith("}f"):
                formula = child
            elif tag.endswith("}is"):
                inline = child
        kind = element.get("t", "n")
        if formula is not None and formula.get("t") == "shared" and formula.text:
            self._shared[formula.get("si", "")] = (self._here(), formula.text)
        if inline is not None:
            return rich_text(inline), None
        if value is None or value.text is None:
            # A formula whose text is empty shows nothing; one that was never computed shows itself.
            if formula is None or kind == "str":
                return "", None
            self._sheet.unvalued += 1
            return self._formula(formula), Kind.NUMBER
        return self._value(value.text, kind, style)

    def _value(self, text: str, kind: str, style: Style) -> tuple[str, Kind | None]:
        if kind == "s":
            return self._workbook.strings[int(text)], None
        if kind == "b":
            return ("TRUE" if _is_true(text.strip()) else "FALSE"), None
        try:
            if kind == "d":
                return iso_text(datetime.fromisoformat(text.strip().removesuffix("Z")))
            if kind == "n":
                return shown(float(text), style.code, from_1904=self._workbook.from_1904)
        except (ValueError, OverflowError):
            # Not what its kind says, such as NaN: shown as it stands.
            return text.strip(), None
        return unescaped(text), None

    def _formula(self, element: ElementTree.Element) -> str:
        """The formula as text; one that repeats another is moved to its own cell."""
        first = self._shared.get(element.get("si", "")) if element.get("t") == "shared" else None
        if first is None or element.text:
            return f"={element.text or ''}"
        from openpyxl.formula.translate import Translator

        origin, text = first
        return str(Translator(f"={text}", origin=origin).translate_formula(self._here()))

    def _here(self) -> str:
        """The cell's name, such as "B3"."""
        letters, column = "", self._column
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(65 + rest) + letters
        return f"{letters}{self._row}"


def _place(reference: str) -> tuple[int, int] | None:
    """ "B3" as (3, 2)."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        return None
    column = 0
    for letter in found.group(1):
        column = column * 26 + ord(letter) - 64
    return int(found.group(2)), column


def _area(reference: str) -> list[Area]:
    first, _, last = reference.partition(":")
    start, end = _place(first), _place(last)
    return [Area(*start, *end)] if start and end and start != end else []


def _drop_covered(sheet: Sheet) -> None:
    """Values left behind under a merge are shown nowhere."""
    for merge in sheet.merges:
        size = (merge.bottom - merge.top + 1) * (merge.right - merge.left + 1)
        origin = (merge.top, merge.left)
        if size > len(sheet.cells):
            covered = [p for p in sheet.cells if _covers(merge, p) and p != origin]
        else:
            rows, columns = range(merge.top, merge.bottom + 1), range(merge.left, merge.right + 1)
            covered = [(r, c) for r in rows for c in columns if (r, c) != origin]
        for place in covered:
            sheet.cells.pop(place, None)


def _covers(merge: Area, place: tuple[int, int]) -> bool:
    return merge.top <= place[0] <= merge.bottom and merge.left <= place[1] <= merge.right


def _is_true(value: str | None) -> bool:
    return value in ("1", "true", "TRUE")
