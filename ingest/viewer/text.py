"""The text with its structure: each part of a block as an element whose words are the document's own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from core.document import Block, BlockKind
from core.span import Span
from ingest.viewer.inert import attributes, inert
from ingest.viewer.layers import Layer, colour
from ingest.viewer.places import Part
from ingest.viewer.rows import cell_borders, cell_words, has_rule, table_rows
from ingest.viewer.view import DocumentView
from ingest.viewer.words import kind_text, word


def classes(block: Block | None) -> str:
    """The classes of a block's kind and level."""
    if block is None:
        return "loose"
    return f"heading h{block.level}" if block.kind is BlockKind.HEADING else block.kind.value


class TextWriter:
    """Writes parts of one document's text as HTML."""

    def __init__(self, view: DocumentView, layer: Layer, language: str) -> None:
        self._view = view
        self._layer = layer
        self._language = language

    def part(self, part: Part) -> str:
        """The part with its tag; the text of its ``.words`` is the document's at its span."""
        block = None if part.block is None else self._view.blocks[part.block]
        named: dict[str, object] = {} if part.block is None else {"data_b": part.block + 1}
        if part.is_first and part.block is not None:
            named["id"] = f"b{part.block + 1}"
        head = attributes(
            class_=f"part {classes(block)}",
            **named,
            data_kind=kind_text(block, self._language) if block else word("loose", self._language),
            data_span=f"{part.span.start}–{part.span.end}",
            data_path=" › ".join(block.section_path) if block else "",
        )
        tag = f'<span class="tag">{inert(self._tag(part, block))}</span>'
        return f"<div{head}>{tag}{self._words(part, block)}</div>\n"

    def _tag(self, part: Part, block: Block | None) -> str:
        if part.block is None or block is None:
            return word("loose", self._language)
        name = f"{part.block + 1}"
        if block.kind is BlockKind.HEADING:
            name += f" H{block.level}"
        return name if part.is_first else f"{name} {word('continued', self._language)}"

    def _words(self, part: Part, block: Block | None) -> str:
        if block is not None and block.kind is BlockKind.TABLE:
            rows = table_rows(self._view.text, part.span)
            if rows:
                return f'<div class="words wide"><table>{self._table(part, rows)}</table></div>'
        return f'<div class="words">{self._flow(part)}</div>'

    def _flow(self, part: Part) -> str:
        written: list[str] = []
        start = part.span.start
        for position, mark in self._layer.marks(part):
            if start < position:
                written.append(self._run(Span(start, position)))
                start = position
            written.append(mark)
        return "".join(written) + self._run(Span(start, part.span.end))

    def _run(self, span: Span) -> str:
        return "".join(
            _coloured(inert(stretch.span.of(self._view.text)), stretch.owners)
            for stretch in self._layer.stretches(span)
        )

    def _table(self, part: Part, rows: list[Span]) -> str:
        marks = list(self._layer.marks(part))
        text = self._view.text
        is_headed = has_rule(text, rows)
        written: list[str] = []
        for number, row in enumerate(rows):
            while marks and marks[0][0] < row.end:
                written.append(f'<tr><td colspan="99">{marks.pop(0)[1]}</td></tr>')
            if number == 1 and is_headed:
                written.append(f'<tr class="m"><td>{inert(row.of(text))}</td></tr>')
            else:
                cell = "th" if number == 0 and is_headed else "td"
                written.append(f"<tr>{''.join(self._cells(row, cell))}</tr>")
        return "".join(written)

    def _cells(self, row: Span, cell: str) -> Iterator[str]:
        """The cells; the signs between them are kept out of sight, so that copied words stay the text's."""
        text = self._view.text
        borders = cell_borders(text, row)
        for (left, right), (start, end) in zip(pairwise(borders), cell_words(text, row), strict=True):
            shown = self._run(Span(start, end)) if start < end else ""
            last = row.end if right == borders[-1] else right
            before, after = inert(text[left:start]), inert(text[end:last])
            yield f'<{cell}><i class="m">{before}</i>{shown}<i class="m">{after}</i></{cell}>'


def _coloured(written: str, owners: tuple[int, ...]) -> str:
    if not owners:
        return written
    names = " ".join(str(owner + 1) for owner in owners)
    shared = " shared" if len(owners) > 1 else ""
    return f'<span class="c {colour(owners[-1])}{shared}" data-c="{names}">{written}</span>'
