"""Grows the text of formats that have none of their own (Office, slides, mail): block by block, with its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from core.document import BODY_LEVEL, Block, BlockKind, Document, Line, Notice
from core.errors import EmptyDocumentError
from core.language import language_of
from core.span import Span, is_blank
from ingest.parsers.outline import with_section_paths
from ingest.parsers.tables import cell_text, markdown_rows

# Points from the page's top left: x0, y0, x1, y1.
Box = tuple[float, float, float, float]


class DocumentBuilder:
    """Blocks part at a blank line; blank ones are left out. Positions are spans over the text so far."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._lines: list[Line] = []
        self._notices: list[Notice] = []

    def heading(self, text: str, level: int, *, page: int = 0, box: Box | None = None) -> Span | None:
        """A heading of level 1..6; its words stand on one line."""
        words = " ".join(text.split())
        return self._add(BlockKind.HEADING, words, min(max(level, 1), 6), page, box)

    def add(self, kind: BlockKind, text: str, *, page: int = 0, box: Box | None = None) -> Span | None:
        """A block of any other kind. Returns its span, or ``None`` when ``text`` is blank.

        With ``page`` (1-based) and ``box`` the whole block is one line there.
        """
        return self._add(kind, text.strip("\r\n"), BODY_LEVEL, page, box)

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        header: bool = True,
        page: int = 0,
        boxes: Sequence[Box] = (),
    ) -> Span | None:
        """A table as Markdown, one line a row; ``boxes`` gives the place of each row of ``rows``.

        Without ``header`` the first row is data like the others and no rule is drawn under it.
        """
        kept = [number for number, row in enumerate(rows) if any(cell_text(value) for value in row)]
        lines = markdown_rows([rows[number] for number in kept], header=header)
        if not lines:
            return None
        span = self._add(BlockKind.TABLE, "\n".join(lines), BODY_LEVEL, 0, None)
        if span is not None and page and boxes:
            self._place_rows(lines, span.start, page, [boxes[number] for number in kept], header)
        return span

    def notice(self, code: str, **details: object) -> None:
        """Something the reader must know; said once."""
        notice = Notice(code=code, details=tuple((key, str(value)) for key, value in details.items()))
        if notice not in self._notices:
            self._notices.append(notice)

    @property
    def first_heading(self) -> str:
        """The first heading's words, or nothing."""
        text = "".join(self._parts)
        return next((b.span.of(text) for b in self._blocks if b.kind is BlockKind.HEADING), "")

    def document(self, *, name: str, media_type: str, title: str = "", page_count: int = 0) -> Document:
        """The document; without ``title`` the first heading names it, else the file's name.

        Raises ``EmptyDocumentError`` when no block was added.
        """
        text = "".join(self._parts)
        if not text:
            raise EmptyDocumentError(name=name)
        return Document(
            text=text,
            title=" ".join(title.split()) or self.first_heading or PurePath(name).stem,
            language=language_of(text),
            media_type=media_type,
            blocks=with_section_paths(self._blocks, text),
            lines=tuple(self._lines),
            page_count=page_count,
            notices=tuple(self._notices),
        )

    def _add(self, kind: BlockKind, text: str, level: int, page: int, box: Box | None) -> Span | None:
        if all(is_blank(char) for char in text):
            return None
        if self._parts:
            self._append("\n\n")
        span = Span(self._length, self._length + len(text))
        self._append(text)
        self._blocks.append(Block(kind=kind, span=span, level=level))
        if page and box is not None:
            self._lines.append(_line(span, page, box))
        return span

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _place_rows(
        self, lines: Sequence[str], start: int, page: int, boxes: Sequence[Box], header: bool
    ) -> None:
        for number, line in enumerate(lines):
            # The rule under the header shares the header's box.
            row = number - 1 if header and number > 0 else number
            self._lines.append(_line(Span(start, start + len(line)), page, boxes[row]))
            start += len(line) + 1


def _line(span: Span, page: int, box: Box) -> Line:
    x0, y0, x1, y1 = box
    return Line(span=span, page=page, x0=x0, y0=y0, x1=x1, y1=y1)
