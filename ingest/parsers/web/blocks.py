"""An HTML tree as blocks of a document: what a reader sees, in reading order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.document import BlockKind
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.numerals import numeral
from ingest.parsers.web.inline import (
    SPACED,
    Flow,
    atom_of,
    is_formula_picture,
    line_of,
    picture_words,
    verbatim_text,
)
from ingest.parsers.web.style import style_of
from ingest.parsers.web.tables import add_data_table, data_table, is_list_mark
from ingest.parsers.web.tree import Element

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS: Final = frozenset(
    [
        "address", "article", "aside", "body", "blockquote", "center", "dd", "details", "dialog",
        "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header",
        "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup", "p",
        "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    ]
)  # fmt: skip
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_VERBATIM: Final = frozenset({"pre", "listing", "xmp", "plaintext"})
_UNSHOWN: Final = frozenset({"head", "title", "svg", "rp", "colgroup", "frameset"})
_NUMBER_KINDS: Final = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_BULLET: Final = "• "
_STEP: Final = 2
# Deeper lists are indented no further, so that a line keeps room for words.
_DEEPEST_INDENT: Final = 24


@dataclass(slots=True)
class _Place:
    """Where a block stands. ``mark`` is written once, before the first words of a list item."""

    kind: BlockKind = BlockKind.PARAGRAPH
    mark: str = ""
    indent: int = 0
    quote: str = ""
    preserve: bool = False

    def inner(self, **changes: object) -> _Place:
        """A place inside, which starts without a mark."""
        made = _Place(self.kind, "", self.indent, self.quote, self.preserve)
        for name, value in changes.items():
            setattr(made, name, value)
        return made


class HtmlBlocks:
    """Writes trees into a builder.

    ``quote`` stands before each line of a ``<blockquote>``: mail shows by it who wrote what.
    """

    def __init__(self, builder: DocumentBuilder, *, quote: str = "") -> None:
        self._builder = builder
        self._quote = quote
        self._flow = Flow()
        self._pictures: list[str] = []
        self._has_boxes = False

    def write(self, root: Element) -> None:
        """Adds the blocks of ``root``."""
        place = _Place()
        self._walk(root, place)
        self._flush(place)

    def _walk(self, element: Element, place: _Place) -> None:
        before: str | None = None
        for child in element.children:
            if isinstance(child, str):
                self._flow.add(child, preserve=place.preserve)
                before = None if child else before
                continue
            if child.tag == before == "a":
                # Links side by side are words apart, even where the source has nothing between them.
                self._flow.add(" ")
            self._element(child, place)
            before = child.tag

    def _element(self, element: Element, place: _Place) -> None:
        tag = element.tag
        if tag in _UNSHOWN:
            self._drawn_words(element, place)
        elif level := _heading_level(element):
            self._heading(element, level, place)
        elif tag == "br":
            self._flow.break_line()
        elif tag == "img":
            self._picture(element)
        elif (atom := atom_of(element)) is not None:
            self._has_boxes = self._has_boxes or tag == "input"
            self._flow.add(atom)
        elif tag in _VERBATIM:
            self._verbatim(element, place)
        elif tag == "table":
            self._table(element, place)
        elif tag == "tr":
            self._row(element, place)
        elif tag in _LISTS:
            self._list(element, place)
        elif _is_block(element):
            self._block(element, place)
        else:
            self._inline(element, place)

    def _inline(self, element: Element, place: _Place) -> None:
        apart = " " if element.tag in SPACED else ""
        self._flow.add(apart)
        preserve = place.preserve or _keeps_white_space(element)
        # The mark of a list item belongs to the first words, wherever they stand.
        if preserve == place.preserve:
            self._walk(element, place)
        else:
            place.preserve = preserve
            self._walk(element, place)
            place.preserve = not preserve
        self._flow.add(apart)

    def _block(self, element: Element, place: _Place) -> None:
        self._flush(place)
        inside = place
        if element.tag == "figure":
            self._figure(element, place)
            return
        if element.tag in ("figcaption", "caption"):
            inside = place.inner(kind=BlockKind.CAPTION)
        elif element.tag == "dd":
            inside = place.inner(indent=place.indent + _STEP)
        elif element.tag == "blockquote":
            inside = place.inner(quote=place.quote + self._quote)
        elif element.tag == "li":
            inside = place.inner(kind=BlockKind.LIST_ITEM, mark=_BULLET)
        elif _keeps_white_space(element) and not place.preserve:
            inside = place.inner(preserve=True)
        self._walk(element, inside)
        self._flush(inside)

    def _figure(self, element: Element, place: _Place) -> None:
        captions = " ".join(line_of(caption) for caption in element.all("figcaption"))
        for image in element.all("img"):
            if picture_words(image) in captions:
                # The caption says it already.
                image.attributes["alt"] = ""
        self._walk(element, place)
        self._flush(place)

    def _heading(self, element: Element, level: int, place: _Place) -> None:
        self._flush(place)
        words = line_of(element)
        number = place.mark if place.mark.strip(" •") else ""
        if self._builder.heading(number + words, level) is not None:
            place.mark = ""

    def _list(self, element: Element, place: _Place) -> None:
        self._flush(place)
        items = [child for child in element.elements() if child.tag == "li"]
        step = -1 if "reversed" in element.attributes else 1
        number = _integer(element.get("start"), len(items) if step < 0 else 1)
        kind = _NUMBER_KINDS.get(element.get("type"), "decimal")
        around = place.inner()
        for child in element.children:
            if isinstance(child, str) or child.tag != "li":
                self._walk(Element(element.tag, {}, [child]), around)
                continue
            number = _integer(child.get("value"), number)
            mark = f"{numeral(number, kind)}. " if element.tag == "ol" else _BULLET
            number += step
            item = place.inner(kind=BlockKind.LIST_ITEM, mark=mark)
            self._flush(around)
            self._walk(child, item)
            self._flush(item)
        self._flush(around)

    def _verbatim(self, element: Element, place: _Place) -> None:
        self._flush(place)
        text = verbatim_text(element)
        self._builder.add(BlockKind.CODE, text.rstrip())
        place.mark = ""

    def _table(self, element: Element, place: _Place) -> None:
        self._flush(place)
        table = data_table(element)
        if table is not None:
            add_data_table(self._builder, table)
            return
        self._walk(element, place)
        self._flush(place)

    def _row(self, row: Element, place: _Place) -> None:
        """A row that only lays out the page; a sign beside a text is the mark of a list item."""
        self._flush(place)
        filled = [cell for cell in row.elements() if cell.has() or cell.size()]
        if len(filled) == 2 and is_list_mark(filled[0]) and not filled[1].has("table"):
            item = place.inner(kind=BlockKind.LIST_ITEM, mark=f"{line_of(filled[0])} ")
            self._walk(filled[1], item)
            self._flush(item)
            return
        self._walk(row, place)
        self._flush(place)

    def _picture(self, image: Element) -> None:
        words = picture_words(image)
        if words and (is_formula_picture(image) or not any(char.isalnum() for char in words)):
            # Formulas and emoji are part of the line.
            self._flow.add(words)
        elif words:
            self._pictures.append(words)

    def _drawn_words(self, element: Element, place: _Place) -> None:
        """The words inside a drawing are on the page; its title and description are not."""
        if element.tag == "svg":
            for text in element.all("text"):
                self._flush(place)
                self._flow.add(line_of(text))
            self._flush(place)

    def _flush(self, place: _Place) -> None:
        """The words so far become a block, or several where lines were left empty between them."""
        paragraphs = self._flow.take()
        if self._has_boxes:
            # A box with nothing to tick moves a part of the page by its style sheet.
            paragraphs = [paragraph for paragraph in paragraphs if paragraph not in ("☐", "☑")]
            self._has_boxes = False
        pictures = self._pictures
        self._pictures = []
        for paragraph in paragraphs:
            self._emit(paragraph, place)
        said = "\n".join(paragraphs)
        for words in pictures:
            if words not in said:
                self._builder.add(BlockKind.IMAGE, words)

    def _emit(self, paragraph: str, place: _Place) -> None:
        margin = place.quote + " " * min(place.indent, _DEEPEST_INDENT)
        hanging = " " * len(place.mark)
        lines = [margin + hanging + line for line in paragraph.split("\n")]
        lines[0] = margin + place.mark + lines[0][len(margin) + len(hanging) :]
        goes_on = place.kind is BlockKind.LIST_ITEM and not place.mark
        kind = BlockKind.PARAGRAPH if goes_on else place.kind
        if self._builder.add(kind, "\n".join(lines)) is not None and place.mark:
            # What follows in the item stands under its first words.
            place.indent += len(place.mark)
            place.mark = ""


def _heading_level(element: Element) -> int:
    if element.tag in _HEADINGS:
        return _HEADINGS[element.tag]
    if element.get("role") == "heading":
        return _integer(element.get("aria-level"), 2)
    return 0


def _is_block(element: Element) -> bool:
    if "style" in element.attributes:
        display = style_of(element).get("display", "")
        if display.startswith("inline") or display == "contents":
            return False
        if display.split("-")[0] in ("block", "flex", "grid", "table", "list") and display != "table-cell":
            return True
    return element.tag in _BLOCKS


def _keeps_white_space(element: Element) -> bool:
    return "white-space" in element.get("style") and style_of(element).get("white-space", "").startswith(
        ("pre", "break-spaces")
    )


def _integer(value: str, default: int) -> int:
    found = re.match(r"\s*([+-]?\d{1,9})", value)
    return int(found.group(1)) if found else default
