"""JSON and JSON lines as readable text: headings for records and large members, key paths with their values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from core.document import BlockKind, Document
from core.errors import EmptyDocumentError, InvalidJsonError
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.text.decode import decode
from ingest.parsers.text.json_tree import (
    Json,
    Literal,
    Members,
    children,
    load_json,
    load_json_lines,
    printable,
    scalar_text,
)

_LINES = (".jsonl", ".ndjson")
# Keys that name a record, the best first.
_LABELS = ("title", "name", "标题", "名称", "question", "问题", "subject", "heading", "label", "id", "text")
_LABEL_CHARS = 60
_LONG_CHARS = 200
_CELL_CHARS = 120
_MAX_COLUMNS = 12
# A member with fewer values is told in lines, not under a heading of its own: in the whole file, in a part.
_SECTION_VALUES, _INNER_SECTION_VALUES = 4, 16
_DEEPEST_HEADING = 3


class JsonParser:
    """Reads ``.json``, ``.jsonl`` and their kin; the document's text is written anew, value by value."""

    version = "json-1"
    media_type = "application/json"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``EncodingError``, ``EmptyDocumentError``, ``InvalidJsonError`` and ``NestedTooDeepError``.
        """
        source, notices = decode(data, name)
        builder = DocumentBuilder()
        value = _value(source, name, builder)
        if not (children(value) or isinstance(value, str)):
            raise EmptyDocumentError(name=name)
        writer = _Writer(builder)
        writer.write(value, "", 1)
        writer.flush()
        for notice in notices:
            builder.notice(notice.code, **dict(notice.details))
        if writer.replaced:
            builder.notice("bytes_replaced", encoding="JSON", count=writer.replaced)
        title = value.first_text(*_LABELS[:4]) if isinstance(value, Members) else ""
        return builder.document(
            name=name, media_type=self.media_type, title=printable(title)[0] or PurePath(name).stem
        )


def _value(source: str, name: str, builder: DocumentBuilder) -> Json:
    """The file's one value, or its lines as an array when it holds a value a line."""
    if PurePath(name).suffix.lower() not in _LINES:
        try:
            return load_json(source, name)
        except InvalidJsonError:
            if not _is_lines(source):
                raise
    lines = list(load_json_lines(source))
    bad = [str(number) for number, line, value in lines if value is line]
    if len(bad) * 2 > len(lines):
        load_json(lines[0][1], name)
        raise InvalidJsonError(name=name, line=bad[0], column=1)
    if bad:
        builder.notice("lines_not_json", lines=", ".join(bad[:10]) + ("…" if len(bad) > 10 else ""))
    return [value for _, _, value in lines]


def _is_lines(source: str) -> bool:
    """Whether the first two lines are objects or arrays of their own."""
    first = [line for line in source.split("\n", 20)[:20] if line.strip()][:2]
    values = [value for line in first for _, _, value in load_json_lines(line)]
    return len(values) == 2 and all(isinstance(value, list | Members) for value in values)


class _Writer:
    """Writes values in the order of the file, but an object's own lines before its larger members: what
    stands behind a heading would read as part of it."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._lines: list[str] = []
        self.replaced = 0

    def write(self, value: Json, path: str, level: int) -> None:
        """A value that has a heading of its own, or is the whole file."""
        if isinstance(value, Members):
            self._object(value, path, level)
        elif isinstance(value, list):
            self._array(value, path, level)
        else:
            self._line(path, value)

    def flush(self) -> None:
        """Ends the block of lines."""
        self._builder.add(BlockKind.PARAGRAPH, "\n".join(self._lines))
        self._lines.clear()

    def _object(self, members: Members, path: str, level: int) -> None:
        large: list[tuple[str, Json]] = []
        for key, value in members:
            if level <= _DEEPEST_HEADING and _is_large(
                value, _SECTION_VALUES if level == 1 else _INNER_SECTION_VALUES
            ):
                large.append((key, value))
            else:
                self._flat(value, _joined(path, key))
        self.flush()
        for key, value in large:
            inner = _joined(path, key)
            self._builder.heading(self._clean(inner), level)
            self.write(value, inner, level + 1)
            self.flush()

    def _array(self, items: list[Json], path: str, level: int) -> None:
        self.flush()
        if rows := _table(items):
            self._builder.table([[self._clean(cell) for cell in row] for row in rows])
            return
        for number, item in enumerate(items):
            inner = f"{path}[{number}]"
            if level <= _DEEPEST_HEADING and isinstance(item, Members) and item:
                label = item.first_text(*_LABELS)
                short = label if len(label) <= _LABEL_CHARS else label[:_LABEL_CHARS] + "…"
                self._builder.heading(self._clean(f"{inner} {short}"), level)
                self._object(item, "", level + 1)
            else:
                self._flat(item, inner)

    def _flat(self, value: Json, path: str) -> None:
        """A value in lines of its own, each with the whole path."""
        if not children(value):
            self._line(path, value)
        elif isinstance(value, Members):
            for key, child in value:
                self._flat(child, _joined(path, key))
        elif isinstance(value, list) and (compact := _compact(value)):
            self._line(path, compact)
        else:
            for number, child in enumerate(children(value)):
                self._flat(child, f"{path}[{number}]")

    def _line(self, path: str, value: Json) -> None:
        text = self._clean(scalar_text(value))
        source = f"{self._clean(path)}: {text}" if path else text
        if len(text) > _LONG_CHARS or "\n" in text:
            self.flush()
            self._builder.add(BlockKind.PARAGRAPH, source)
        else:
            # The mark keeps a line a unit of its own where text is cut into sentences.
            self._lines.append(f"- {source}")

    def _clean(self, text: str) -> str:
        cleaned, count = printable(text)
        self.replaced += count
        return cleaned


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _is_large(value: Json, least: int) -> bool:
    """Whether a value holds at least so many others, at any depth, that it needs a heading."""
    level: list[Json] = children(value)
    if isinstance(value, list) and _compact(value):
        return False
    count = 0
    while level and count < least:
        count += sum(not children(child) for child in level)
        level = [grandchild for child in level for grandchild in children(child)]
    return count >= least


def _compact(items: list[Json]) -> str:
    """Short texts or numbers of any nesting on one line, or nothing."""
    if all(_is_numeric(item) for item in items):
        return ", ".join(_numeric_text(item) for item in items)
    if any(isinstance(item, list | Members) for item in items):
        return ""
    line = ", ".join(scalar_text(item) for item in items)
    return line if len(line) <= _LONG_CHARS and "\n" not in line else ""


def _is_numeric(value: Json) -> bool:
    return isinstance(value, Literal) or (isinstance(value, list) and all(map(_is_numeric, value)))


def _numeric_text(value: Json) -> str:
    return f"[{', '.join(map(_numeric_text, children(value)))}]" if isinstance(value, list) else str(value)


def _table(items: Sequence[Json]) -> list[list[str]]:
    """Header and rows of records that share their keys and hold short values alone; else nothing."""
    records = [item for item in items if isinstance(item, Members)]
    if len(records) < 2 or len(records) < len(items):
        return []
    columns = list(dict.fromkeys(key for record in records for key, _ in record))
    same = all(len(record) * 2 >= len(columns) and len(dict(record)) == len(record) for record in records)
    if not same or len(columns) > _MAX_COLUMNS:
        return []
    values = [value for record in records for _, value in record]
    if any(isinstance(value, list | Members) or len(scalar_text(value)) > _CELL_CHARS for value in values):
        return []
    return [columns, *([scalar_text(dict(record).get(key, "")) for key in columns] for record in records)]
