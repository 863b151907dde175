"""Bytes to text without ever mangling a character in silence."""

from __future__ import annotations

import codecs

from core.document import Notice
from core.errors import EmptyDocumentError, EncodingError, UnsupportedFormatError
from core.span import is_blank
from ingest.parsers.detect import KNOWN

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes, name: str) -> tuple[str, tuple[Notice, ...]]:
    """The text and what a reader should know about how it was decoded.

    Tries the byte order mark, UTF-8, then GB18030, each strictly. Line ends stay as they are, so that
    offsets are those of the decoded file; a byte order mark is not part of the text.

    Raises ``EncodingError``, ``EmptyDocumentError`` for nothing but white space, and
    ``UnsupportedFormatError`` for binary data.
    """
    text, encoding = _decoded(data, name)
    if "\x00" in text:
        raise UnsupportedFormatError(name=name, kind="binary", known=KNOWN)
    if all(is_blank(char) for char in text):
        raise EmptyDocumentError(name=name)
    if encoding == "utf-8":
        return text, ()
    return text, (Notice(code="decoded_as", details=(("encoding", encoding.upper()),)),)


def _decoded(data: bytes, name: str) -> tuple[str, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding), encoding
            except UnicodeDecodeError as exc:
                raise EncodingError(name=name) from exc
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise EncodingError(name=name)
