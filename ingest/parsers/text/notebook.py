"""Jupyter notebooks: cells of Markdown with their structure, code, and what it printed."""

from __future__ import annotations

import re
from pathlib import PurePath

from core.document import BlockKind, Document
from core.errors import DamagedDocumentError
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.text.decode import decode
from ingest.parsers.text.json_tree import Json, Members, load_json, printable
from ingest.parsers.text.markdown import markdown_title
from ingest.parsers.text.markdown_blocks import markdown_blocks

_TERMINAL_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# What a reader sees as text, the best first; notebooks before version 4 had short names.
_TEXT_TYPES = ("text/markdown", "text/plain", "text")


class NotebookParser:
    """Reads ``.ipynb`` of versions 3 and 4."""

    version = "notebook-1"
    media_type = "application/x-ipynb+json"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``EncodingError``, ``EmptyDocumentError``, ``InvalidJsonError`` and ``DamagedDocumentError`` for
        JSON that is no notebook.
        """
        source, notices = decode(data, name)
        notebook = load_json(source, name)
        if not isinstance(notebook, Members):
            raise DamagedDocumentError(name=name)
        builder = DocumentBuilder()
        left_out = sum(_add_cell(builder, cell) for cell in _cells(notebook, name))
        for notice in notices:
            builder.notice(notice.code, **dict(notice.details))
        if left_out:
            builder.notice("outputs_left_out", count=left_out)
        title = _members(_member(notebook, "metadata")).first_text("title") or builder.first_heading
        return builder.document(
            name=name, media_type=self.media_type, title=printable(title)[0] or PurePath(name).stem
        )


def _cells(notebook: Members, name: str) -> list[Members]:
    cells = _member(notebook, "cells")
    if cells is None:
        sheets = _entries(_member(notebook, "worksheets"))
        cells = [cell for sheet in sheets for cell in _entries(_member(sheet, "cells"))]
        if not sheets:
            raise DamagedDocumentError(name=name)
    return _entries(cells)


def _add_cell(builder: DocumentBuilder, cell: Members) -> int:
    """Adds what a reader of the cell sees; returns how many outputs are no text."""
    kind = cell.first_text("cell_type")
    source = _text(_member(cell, "source") or _member(cell, "input"))
    if kind == "code":
        builder.add(BlockKind.CODE, source)
        return sum(not _add_output(builder, output) for output in _entries(_member(cell, "outputs")))
    if kind == "markdown":
        for block in markdown_blocks(source):
            words = block.span.of(source)
            if block.kind is BlockKind.HEADING:
                builder.heading(markdown_title(words), block.level)
            else:
                builder.add(block.kind, words)
    elif kind == "heading":
        level = _text(_member(cell, "level"))
        builder.heading(source, int(level) if level.isdigit() else 1)
    else:
        builder.add(BlockKind.PARAGRAPH, source)
    return 0


def _add_output(builder: DocumentBuilder, output: Members) -> bool:
    """Whether the output holds text; that is added."""
    kind = output.first_text("output_type")
    if kind in ("error", "pyerr"):
        words = f"{output.first_text('ename')}: {output.first_text('evalue')}"
    elif kind == "stream":
        words = _text(_member(output, "text"))
    else:
        bundle = _members(_member(output, "data")) or output
        found = (_text(value) for wanted in _TEXT_TYPES for key, value in bundle if key == wanted)
        words = next(found, "")
        if not words.strip():
            return False
    builder.add(BlockKind.CODE, _TERMINAL_COLOURS.sub("", words))
    return True


def _member(members: Members, key: str) -> Json:
    return next((value for name, value in members if name == key), None)


def _members(value: Json) -> Members:
    return value if isinstance(value, Members) else Members()


def _entries(value: Json) -> list[Members]:
    """The objects of an array."""
    return [item for item in value if isinstance(item, Members)] if isinstance(value, list) else []


def _text(value: Json) -> str:
    """A text, or lines of one, as notebooks store both."""
    parts = value if isinstance(value, list) else [value]
    return printable("".join(part for part in parts if isinstance(part, str)))[0]
