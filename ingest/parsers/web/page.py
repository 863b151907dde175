"""One HTML tree into a document, and what was left out on the way."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.web.blocks import HtmlBlocks
from ingest.parsers.web.furniture import drop_furniture
from ingest.parsers.web.hidden import drop_hidden
from ingest.parsers.web.inline import drop_note_marks
from ingest.parsers.web.tree import Element


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Characters hidden, characters of the site's furniture, marks of notes."""

    hidden: int = 0
    furniture: int = 0
    marks: int = 0

    def __add__(self, other: LeftOut) -> LeftOut:
        return LeftOut(
            hidden=self.hidden + other.hidden,
            furniture=self.furniture + other.furniture,
            marks=self.marks + other.marks,
        )

    def tell(self, builder: DocumentBuilder) -> None:
        """Adds a notice for each kind of thing that was left out."""
        if self.hidden:
            builder.notice("hidden_left_out", characters=self.hidden)
        if self.furniture:
            builder.notice("furniture_left_out", characters=self.furniture)
        if self.marks:
            builder.notice("note_marks_left_out", count=self.marks)


def add_page(builder: DocumentBuilder, root: Element, *, of_a_site: bool = False, quote: str = "") -> LeftOut:
    """Adds the blocks of a page; ``of_a_site`` says that menus and the like stand around its content.

    ``quote`` is written before each line of a block quote.
    """
    hidden = drop_hidden(root)
    marks = drop_note_marks(root)
    furniture = drop_furniture(root) if of_a_site else 0
    HtmlBlocks(builder, quote=quote).write(root)
    return LeftOut(hidden=hidden, furniture=furniture, marks=marks)
