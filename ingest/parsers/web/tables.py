"""HTML tables: which of them hold data, and their cells as a grid."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.document import BlockKind
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.grid.blocks import add_matrix
from ingest.parsers.grid.headers import laid_out
from ingest.parsers.grid.matrix import Area, Cell, Matrix, Row
from ingest.parsers.web.inline import line_of, picture_words
from ingest.parsers.web.tree import Element

# What HTML allows (https://html.spec.whatwg.org/multipage/tables.html#attributes-common-to-td-and-th-elements).
_WIDEST, _TALLEST = 1000, 65_534
# In visible characters. A longer cell is a part of the page, not a value; without a header, sooner.
_LONGEST_CELL, _LONGEST_BARE_CELL, _LONGEST_PARAGRAPHS = 2000, 600, 200
# A longer value is not repeated in the rows that its cell reaches down to.
_LONGEST_REPEATED = 200
_NESTED_SHARE = 0.5
_PAGE_PARTS: Final = (
    "h1", "h2", "h3", "h4", "h5", "h6", "form", "hr", "figure", "article", "section", "pre", "blockquote",
)  # fmt: skip
_LONGEST_MARK: Final = 5
_MARK: Final = re.compile(r"[^\w\s]{1,2}|[(（]?[0-9a-zA-Z一二三四五六七八九十]{1,3}[).、．）]")
# Reports set the sign of a number in a cell of its own, so that the digits stand under each other.
_SIGN_BEFORE: Final = re.compile(r"[$¥￥€£(]{1,2}")
_SIGN_BEHIND: Final = re.compile(r"[)%％]{1,2}")
_NUMBER_START: Final = re.compile(r"[\d.(（—–-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataTable:
    """``captions`` stand above. ``header_rows`` is ``None`` where the page does not say which rows head it."""

    captions: tuple[str, ...]
    matrix: Matrix
    header_rows: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    cell: Cell
    area: Area
    heads: bool


def table_rows(table: Element) -> list[list[Element]]:
    """The cells of each row, in the order in which browsers show the parts of the table."""
    head: list[Element] = []
    body: list[Element] = []
    foot: list[Element] = []
    for part in table.elements():
        if part.tag == "tr":
            body.append(part)
        elif part.tag in ("thead", "tbody", "tfoot"):
            rows = {"thead": head, "tfoot": foot}.get(part.tag, body)
            rows.extend(row for row in part.elements() if row.tag == "tr")
    return [[cell for cell in row.elements() if cell.tag in ("td", "th")] for row in (*head, *body, *foot)]


def data_table(table: Element) -> DataTable | None:
    """The table as a grid, or ``None`` when it only lays out the page or shows nothing."""
    rows = table_rows(table)
    if not _holds_data(table, rows):
        return None
    placed = list(_placed(rows, _rows_of_head(table)))
    is_marked = any(entry.heads for entry in placed)
    captions = [line_of(caption) for caption in table.elements() if caption.tag == "caption"]
    right = max((entry.area.right for entry in placed), default=0)
    first = 0
    for top in sorted({entry.area.top for entry in placed}):
        row = [entry for entry in placed if entry.area.top == top]
        if right == 0 or len(row) > 1 or row[0].area.right - row[0].area.left < right:
            break
        # A row that is one cell is a title above the table.
        captions.append(row[0].cell.text)
        first = top + 1
    placed = [entry for entry in placed if entry.area.top >= first]
    if not placed:
        return None
    return DataTable(
        captions=tuple(caption for caption in captions if caption),
        matrix=_matrix(placed),
        header_rows=_header_rows(placed) if is_marked else None,
    )


def add_data_table(builder: DocumentBuilder, table: DataTable) -> None:
    """Adds the captions and the table; where the page marks no header, the cells tell whether there is one."""
    for caption in table.captions:
        builder.add(BlockKind.CAPTION, caption)
    if table.header_rows is None:
        add_matrix(builder, table.matrix)
        return
    layout = laid_out(table.matrix, header_rows=table.header_rows)
    rows = [[cell.text if cell else "" for cell in row] for row in layout.body]
    header = [list(layout.header)] if layout.header else []
    builder.table([*header, *rows], header=bool(header))


def is_list_mark(cell: Element) -> bool:
    """Whether a cell is but a bullet or a number, as in lists that are laid out by tables."""
    return cell.size() <= _LONGEST_MARK and _MARK.fullmatch(line_of(cell)) is not None


def _holds_data(table: Element, rows: list[list[Element]]) -> bool:
    role = table.get("role").lower()
    cells = [cell for row in rows for cell in row]
    is_marked = any(cell.tag == "th" for cell in cells) or role in ("table", "grid")
    if role in ("presentation", "none") or not (is_marked or _is_grid(rows)):
        return False
    sizes = [cell.size() for cell in cells]
    if not 0 < max(sizes, default=0) <= _LONGEST_CELL:
        return False
    if sum(sizes) < sum(part.size() for part in table.elements() if part.tag != "caption"):
        # Words beside the cells: the page is nested deeper than this tree is.
        return False
    nested = sum(inner.size() for cell in cells for inner in cell.all("table"))
    if nested > _NESTED_SHARE * sum(sizes):
        return False
    if is_marked:
        return len(cells) > 1
    return not any(_is_part_of_page(cell, size) for cell, size in zip(cells, sizes, strict=True))


def _is_grid(rows: list[list[Element]]) -> bool:
    """Whether a table without any header cell has the shape of data."""
    widest = max(map(len, rows), default=0)
    if len(rows) < 2 or widest < 2 or any(cell.has("table") for row in rows for cell in row):
        return False
    return widest > 2 or not all(is_list_mark(row[0]) for row in rows if row)


def _is_part_of_page(cell: Element, size: int) -> bool:
    if size > _LONGEST_BARE_CELL or cell.has(*_PAGE_PARTS):
        return True
    return size > _LONGEST_PARAGRAPHS and sum(1 for _ in cell.all("p", "li")) > 1


def _rows_of_head(table: Element) -> int:
    heads = (part for part in table.elements() if part.tag == "thead")
    return sum(1 for head in heads for row in head.elements() if row.tag == "tr")


def _placed(rows: list[list[Element]], in_head: int) -> Iterator[_Placed]:
    """The cells that show something, each where it stands once ``colspan`` and ``rowspan`` are laid out."""
    hanging: list[Area] = []
    for top, cells in enumerate(rows):
        hanging = sorted((area for area in hanging if area.bottom >= top), key=lambda area: area.left)
        column, waiting = 0, iter(hanging)
        above = next(waiting, None)
        opened: list[Area] = []
        row: list[_Placed] = []
        for cell in cells:
            while above is not None and above.left <= column:
                column, above = max(column, above.right + 1), next(waiting, None)
            width, height = _span(cell, "colspan", _WIDEST), _span(cell, "rowspan", _TALLEST)
            area = Area(top, column, min(top + height, len(rows)) - 1, column + width - 1)
            column = area.right + 1
            if area.bottom > top:
                opened.append(area)
            text = _cell_text(cell)
            if text:
                heads = cell.tag == "th" or top < in_head
                row.append(_Placed(cell=Cell(text, bold=heads or _is_bold(cell)), area=area, heads=heads))
        hanging += opened
        yield from _with_signs(row)


def _span(cell: Element, name: str, most: int) -> int:
    found = re.match(r"\s*(\d{1,6})", cell.get(name))
    number = int(found.group(1)) if found else 1
    if number == 0:
        return most if name == "rowspan" else 1
    return min(number, most)


def _with_signs(row: list[_Placed]) -> list[_Placed]:
    """The row with lone "$", "(" , ")" and "%" joined to their numbers."""
    joined: list[_Placed] = []
    before = ""
    for entry in row:
        text = entry.cell.text
        if _SIGN_BEFORE.fullmatch(text) and not before:
            before, waiting = text, entry
            continue
        if before:
            if _NUMBER_START.match(text):
                entry = replace(entry, cell=replace(entry.cell, text=before + text))
            else:
                joined.append(waiting)
            before = ""
        if (
            _SIGN_BEHIND.fullmatch(text)
            and joined
            and _NUMBER_START.match(joined[-1].cell.text.lstrip("$¥￥€£"))
        ):
            last = joined[-1]
            joined[-1] = replace(last, cell=replace(last.cell, text=last.cell.text + text))
            continue
        joined.append(entry)
    return [*joined, waiting] if before else joined


def _is_bold(cell: Element) -> bool:
    texts = [child for child in cell.children if isinstance(child, Element) or child.strip()]
    if len(texts) != 1 or isinstance(texts[0], str):
        return False
    return texts[0].tag in ("b", "strong") or (texts[0].tag in ("p", "span", "font") and _is_bold(texts[0]))


def _cell_text(cell: Element) -> str:
    """The cell on one line; the rows of a table inside are written out with their column names."""
    for inner in [cell, *cell.all()] if cell.has("table") else ():
        if any(child.tag == "table" for child in inner.elements()):
            inner.children = [
                f" {_flattened(child)} " if isinstance(child, Element) and child.tag == "table" else child
                for child in inner.children
            ]
    text = line_of(cell)
    return text or " ".join(filter(None, (picture_words(image) for image in cell.all("img"))))


def _flattened(table: Element) -> str:
    rows = [[line_of(cell) for cell in row] for row in table_rows(table)]
    cells = [cell for row in table_rows(table)[:1] for cell in row]
    if len(rows) > 1 and cells and all(cell.tag == "th" for cell in cells):
        names = [f"{name}: " if name else "" for name in rows.pop(0)]
        rows = [
            [name + value for name, value in zip(names, row, strict=False) if value] + row[len(names) :]
            for row in rows
        ]
    return "; ".join(", ".join(filter(None, row)) for row in rows)


def _header_rows(placed: list[_Placed]) -> int:
    """How many rows at the top are marked as header."""
    tops = sorted({entry.area.top for entry in placed})
    count = 0
    for top in tops[:-1]:
        if not all(entry.heads for entry in placed if entry.area.top == top):
            break
        count += 1
    return count


def _matrix(placed: list[_Placed]) -> Matrix:
    """The cells without blank rows and columns; a short value stands in every row that its cell reaches."""
    tops = sorted({entry.area.top for entry in placed})
    columns = _columns(placed)
    rows: list[Row] = [[None] * len(columns) for _ in tops]
    merges: list[Area] = []
    for entry in placed:
        area = Area(
            bisect_left(tops, entry.area.top),
            bisect_left(columns, entry.area.left),
            bisect_right(tops, entry.area.bottom) - 1,
            bisect_right(columns, entry.area.right) - 1,
        )
        reach = area.bottom if len(entry.cell.text) <= _LONGEST_REPEATED else area.top
        for row in range(area.top, reach + 1):
            rows[row][area.left] = entry.cell
        if area.bottom > area.top or area.right > area.left:
            merges.append(area)
    return Matrix(rows=rows, merges=tuple(merges))


def _columns(placed: list[_Placed]) -> list[int]:
    """The columns that are needed for every cell to have one: a cell over several narrow ones needs no own."""
    columns: list[int] = []
    for left, right in sorted(
        {(e.area.left, e.area.right) for e in placed}, key=lambda span: span[1] - span[0]
    ):
        position = bisect_left(columns, left)
        if position == len(columns) or columns[position] > right:
            columns.insert(position, left)
    return columns
