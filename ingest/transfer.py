"""Documents and errors as JSON, so that they cross from the parsing process without running foreign code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from core.document import Block, BlockKind, Document, Line, Notice
from core.errors import DocumentError, YoujuError
from core.span import Span

Message = dict[str, Any]
# A lone half of a surrogate pair is no character and cannot be stored.
_SURROGATES: Final = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")


def to_bytes(message: Mapping[str, object]) -> bytes:
    """One message; halves of surrogate pairs have become U+FFFD, so that no length changes."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.translate(_SURROGATES).encode()


def from_bytes(data: bytes) -> Message:
    """The message. Raises ``ValueError`` when it is none."""
    message = json.loads(data)
    if not isinstance(message, dict):
        raise ValueError(f"expected an object, got {type(message).__name__}")
    return message


def packed_document(document: Document) -> Message:
    """Plain data; section paths, which many blocks share, are written once."""
    paths: dict[tuple[str, ...], int] = {}
    return {
        "text": document.text,
        "title": document.title,
        "language": document.language,
        "media_type": document.media_type,
        "page_count": document.page_count,
        "blocks": [
            (b.kind.value, b.span.start, b.span.end, b.level, paths.setdefault(b.section_path, len(paths)))
            for b in document.blocks
        ],
        "paths": list(paths),
        "lines": [(n.span.start, n.span.end, n.page, n.x0, n.y0, n.x1, n.y1) for n in document.lines],
        "notices": [(notice.code, notice.details) for notice in document.notices],
    }


def unpacked_document(value: Message) -> Document:
    """The document again. Raises ``KeyError``, ``TypeError`` or ``ValueError`` for anything else."""
    paths = [tuple(map(str, path)) for path in value["paths"]]
    document = Document(
        text=str(value["text"]),
        title=str(value["title"]),
        language=str(value["language"]),
        media_type=str(value["media_type"]),
        page_count=int(value["page_count"]),
        blocks=tuple(
            Block(kind=BlockKind(kind), span=Span(start, end), level=level, section_path=paths[path])
            for kind, start, end, level, path in value["blocks"]
        ),
        lines=tuple(
            Line(span=Span(start, end), page=page, x0=x0, y0=y0, x1=x1, y1=y1)
            for start, end, page, x0, y0, x1, y1 in value["lines"]
        ),
        notices=tuple(
            Notice(code=str(code), details=tuple((str(key), str(text)) for key, text in details))
            for code, details in value["notices"]
        ),
    )
    ends = [block.span.end for block in document.blocks] + [line.span.end for line in document.lines]
    if max(ends, default=0) > len(document.text):
        raise ValueError(f"expected spans within {len(document.text)} characters, got {max(ends)}")
    return document


def packed_error(error: YoujuError) -> Message:
    """The error's class by name and its details as plain values."""
    plain = (str, int, float, bool)
    details = {key: v if isinstance(v, plain) else str(v) for key, v in error.details.items()}
    return {"error": type(error).__name__, "details": details}


def unpacked_error(value: Message, name: str) -> YoujuError:
    """The error again, as the same class; one that this process does not know is a ``DocumentError``."""
    known = _classes(YoujuError)
    made = known.get(str(value["error"]))
    return made(**value["details"]) if made else DocumentError(name=name, reason=str(value["error"]))


def _classes(base: type[YoujuError]) -> dict[str, type[YoujuError]]:
    found = {base.__name__: base}
    for child in base.__subclasses__():
        found |= _classes(child)
    return found
