"""The contents of one slide, shape by shape with their places: texts, tables, charts, SmartArt, pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pptx.exc import PythonPptxError

from ingest.parsers.builder import Box
from ingest.parsers.grid.matrix import Area, Cell, Matrix
from ingest.parsers.office.graphics import chart_of, diagram_of
from ingest.parsers.slides.ground import Grounds
from ingest.parsers.slides.placeholders import Role, role_of, styles_of
from ingest.parsers.slides.text import SlideLine, TextReader

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_POINT: Final = 12700  # English metric units
# What python-pptx and the XML readers raise for a part that is missing or malformed.
BROKEN: Final = (PythonPptxError, SyntaxError, KeyError, ValueError)
# Alt texts that say nothing: names given by the program, file names, guesses of a model.
_EMPTY_ALT: Final = re.compile(
    r"(?:图片|图像|图形|图表|内容占位符|Picture|Image|Graphic|Chart|Content Placeholder)\s*\d*"
    r"|[^\n]+\.(?:png|jpe?g|gif|bmp|emf|wmf|svg|tiff?|webp)"
    r"|.*(?:Description automatically generated|已自动生成说明|AI[- ]generated content).*",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One shape's share of the text: lines, or a table, or what a picture shows; ``box`` in points."""

    box: Box
    role: Role = Role.BODY
    lines: tuple[SlideLine, ...] = ()
    matrix: Matrix | None = None
    row_boxes: tuple[Box, ...] = ()
    header_rows: int | None = None
    alt_text: str = ""
    picture: bytes = b""

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Frame:
    """How a group's coordinates become points of the slide."""

    scale_x: float = 1 / _POINT
    scale_y: float = 1 / _POINT
    shift_x: float = 0.0
    shift_y: float = 0.0

    def box(self, left: float, top: float, width: float, height: float) -> Box:
        x0, y0 = left * self.scale_x + self.shift_x, top * self.scale_y + self.shift_y
        return x0, y0, x0 + width * self.scale_x, y0 + height * self.scale_y

    def inside(self, group: Any) -> _Frame:
        """The frame of a group's children (20.1.7.5 and .6: chOff and chExt are drawn at off and ext)."""
        xfrm = group._element.find(f"{_P}grpSpPr/{_A}xfrm")
        parts = [
            xfrm.find(f"{_A}{name}") if xfrm is not None else None
            for name in ("off", "ext", "chOff", "chExt")
        ]
        off, ext, child_off, child_ext = parts
        if off is None or ext is None or child_off is None or child_ext is None:
            return self
        x, y = int(off.get("x")), int(off.get("y"))
        ratio_x = int(ext.get("cx")) / (int(child_ext.get("cx")) or 1)
        ratio_y = int(ext.get("cy")) / (int(child_ext.get("cy")) or 1)
        return _Frame(
            self.scale_x * ratio_x,
            self.scale_y * ratio_y,
            self.shift_x + self.scale_x * (x - ratio_x * int(child_off.get("x"))),
            self.shift_y + self.scale_y * (y - ratio_y * int(child_off.get("y"))),
        )


class ShapeReader:
    """Reads one slide of ``size`` points. ``hidden`` and ``unread`` say what was left out."""

    def __init__(self, slide: Any, size: tuple[float, float]) -> None:
        self._slide, self._size = slide, size
        self._grounds = Grounds(slide)
        self._texts = TextReader(self._grounds.colour_of)
        self.unread = False
        self._left_out = False

    @property
    def hidden(self) -> bool:
        """Whether the slide holds text that nobody sees."""
        return self._left_out or self._texts.found_hidden

    def units(self) -> list[list[Piece]]:
        """The pieces in the order in which they are painted; a group's pieces are one unit."""
        _choose(self._slide.shapes._spTree)
        units: list[list[Piece]] = []
        for shape in self._slide.shapes:
            try:
                units.append(list(self._pieces(shape, _Frame())))
            except BROKEN:
                self.unread = True
        return [unit for unit in units if unit]

    def _pieces(self, shape: Any, frame: _Frame) -> Iterator[Piece]:
        element = shape._element
        box = self._box(shape, frame)
        if _is_hidden(element) or not self._is_on_slide(box):
            self._left_out |= any((t.text or "").strip() for t in element.iter(f"{_A}t"))
            return
        name = element.tag.rpartition("}")[2]
        if name == "grpSp":
            inner = frame.inside(shape)
            for child in shape.shapes:
                yield from self._pieces(child, inner)
        elif name == "graphicFrame":
            yield from self._graphic(shape, box)
        elif name == "pic":
            yield Piece(box=box, alt_text=_alt_text(element), picture=_picture(shape))
        elif element.find(f"{_P}txBody") is not None:
            lines = self._texts.lines(
                element.find(f"{_P}txBody"),
                styles_of(element, self._slide),
                self._grounds.behind(element, box),
            )
            if lines:
                yield Piece(box=box, lines=tuple(lines), role=role_of(element))
        self._grounds.paint(element, box)

    def _box(self, shape: Any, frame: _Frame) -> Box:
        """Where the shape stands; the whole slide for one whose place is nowhere said."""
        place = (shape.left, shape.top, shape.width, shape.height)
        if any(value is None for value in place):
            return 0.0, 0.0, *self._size
        return frame.box(*place)

    def _is_on_slide(self, box: Box) -> bool:
        width, height = self._size
        return box[2] >= 0 and box[3] >= 0 and box[0] <= width and box[1] <= height

    def _graphic(self, shape: Any, box: Box) -> Iterator[Piece]:
        alt = _alt_text(shape._element)
        data = shape._element.find(f"{_A}graphic/{_A}graphicData")
        kind = data.get("uri", "") if data is not None else ""
        try:
            if shape.has_table:
                yield self._table(shape.table, box)
            elif kind.endswith(("/chart", "/chartex")):
                yield from self._chart(data, box)
            elif kind.endswith("/diagram"):
                items = diagram_of(self._related(data, "dm"))
                yield Piece(
                    box=box,
                    lines=tuple(SlideLine(text=f"{'  ' * n}- {text}", is_item=True) for n, text in items),
                )
        except BROKEN:
            self.unread = True
        if alt:
            yield Piece(box=box, alt_text=alt)

    def _chart(self, data: Any, box: Box) -> Iterator[Piece]:
        chart = chart_of(self._related(data, "id"))
        if chart.title:
            yield Piece(box=box, lines=(SlideLine(text=chart.title),))
        if chart.rows:
            rows = [[Cell(text) if text.strip() else None for text in row] for row in chart.rows]
            boxes = tuple(box for _ in rows)
            yield Piece(box=box, matrix=Matrix(rows=_even(rows)), row_boxes=boxes, header_rows=1)

    def _related(self, data: Any, attribute: str) -> bytes:
        """The part that a drawing names by ``r:id`` or ``r:dm``. Raises ``KeyError``."""
        key = next((e.get(_R + attribute) for e in data.iter() if e.get(_R + attribute)), "")
        return bytes(self._slide.part.related_part(key).blob)

    def _table(self, table: Any, box: Box) -> Piece:
        rows: list[list[Cell | None]] = []
        merges: list[Area] = []
        for number, row in enumerate(table.rows):
            rows.append([])
            for column, cell in enumerate(row.cells):
                body = None if cell.is_spanned else cell._tc.txBody
                lines = self._texts.lines(body, ()) if body is not None else []
                text = "\n".join(line.text for line in lines)
                rows[-1].append(Cell(text) if text else None)
                if cell.is_merge_origin:
                    last = number + cell.span_height - 1, column + cell.span_width - 1
                    merges.append(Area(number, column, *last))
        heading = 1 + max((m.bottom for m in merges if m.top == 0), default=0)
        return Piece(
            box=box,
            matrix=Matrix(rows=_even(rows), merges=tuple(merges)),
            row_boxes=_row_boxes(table, box),
            header_rows=min(heading, len(rows) - 1) if table.first_row else None,
        )


def _even(rows: list[list[Cell | None]]) -> list[list[Cell | None]]:
    width = max((len(row) for row in rows), default=0)
    return [row + [None] * (width - len(row)) for row in rows]


def _row_boxes(table: Any, box: Box) -> tuple[Box, ...]:
    """The rows' places by their heights, fitted into the table's box."""
    heights = [max(int(row.height or 0), 1) for row in table.rows]
    scale = (box[3] - box[1]) / (sum(heights) or 1)
    boxes: list[Box] = []
    top = box[1]
    for height in heights:
        boxes.append((box[0], top, box[2], top + height * scale))
        top += height * scale
    return tuple(boxes)


def _choose(tree: Any) -> None:
    """Puts the first choice of alternatives (equations, new charts) where python-pptx sees it."""
    for alternate in list(tree.iter(f"{_MC}AlternateContent")):
        parent = alternate.getparent()
        choice = alternate.find(f"{_MC}Choice")
        if parent is None or choice is None or parent.tag not in (f"{_P}spTree", f"{_P}grpSp"):
            continue
        for child in list(choice):
            alternate.addprevious(child)
        parent.remove(alternate)


def _properties(element: Any) -> Any:
    return next(element.iter(f"{_P}cNvPr"), None)


def _is_hidden(element: Any) -> bool:
    properties = _properties(element)
    return properties is not None and properties.get("hidden") in ("1", "true")


def _alt_text(element: Any) -> str:
    properties = _properties(element)
    text = " ".join((properties.get("descr") or "").split()) if properties is not None else ""
    return "" if _EMPTY_ALT.fullmatch(text) else text


def _picture(shape: Any) -> bytes:
    try:
        return bytes(shape.image.blob)
    except (AttributeError, KeyError, ValueError):
        # A placeholder without a picture, or one that is only linked.
        return b""
