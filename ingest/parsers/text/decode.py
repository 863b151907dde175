"""Bytes to text without ever mangling a character in silence."""

from __future__ import annotations

import codecs
import re

from core.document import Notice
from core.errors import EmptyDocumentError, EncodingError, UnsupportedFormatError
from core.span import is_blank
from ingest.parsers.detect import KNOWN
from ingest.parsers.text.encoding_guess import guesses, read_as

# The UTF-32 mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_NAMES = {
    "cp950": "Big5",
    "big5hkscs": "Big5-HKSCS",
    "cp932": "Shift-JIS",
    "cp949": "EUC-KR",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
    "cp1252": "windows-1252",
    "cp1251": "windows-1251",
    "koi8_r": "KOI8-R",
    "cp866": "IBM866",
    "cp1250": "windows-1250",
    "iso8859_2": "ISO-8859-2",
    "cp1253": "windows-1253",
    "cp1254": "windows-1254",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp874": "windows-874",
}
_REPLACEMENT = "\ufffd"
# More undecodable bytes than one in fifty characters beyond ASCII mean a wrong guess, not a damaged file.
_MAX_BAD_SHARE = 0.02
_UTF8_CHARACTER = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_JIS_ESCAPE = re.compile(rb"\x1b\$[@B]")


def decode(data: bytes, name: str) -> tuple[str, tuple[Notice, ...]]:
    """The text and what a reader should know about how it was decoded.

    A byte order mark decides; else UTF-8 where the bytes allow it; else what looks most like real text
    (see ``encoding_guess``). Line ends stay as they are, so that offsets are those of the decoded file; a
    byte order mark is not part of the text. The few bytes that do not decode become U+FFFD, with a notice.

    Raises ``EncodingError``, ``EmptyDocumentError`` for nothing but white space, and
    ``UnsupportedFormatError`` for binary data.
    """
    text, encoding, rival = _decoded(data, name)
    if "\x00" in text:
        raise UnsupportedFormatError(name=name, kind="binary", known=KNOWN)
    if all(is_blank(char) for char in text):
        raise EmptyDocumentError(name=name)
    return text, tuple(_notices(text, data, encoding, rival))


def _decoded(data: bytes, name: str) -> tuple[str, str, str]:
    """Text, encoding, and another encoding that is nearly as likely (or nothing)."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _by_mark(data[len(mark) :], encoding, name), encoding, ""
    if b"\x00" in data:
        return _guessed(data, name)
    if _JIS_ESCAPE.search(data):
        return data.decode("iso2022_jp", "replace"), "iso2022_jp", ""
    try:
        return data.decode("utf-8"), "utf-8", ""
    except UnicodeDecodeError:
        return _guessed(data, name)


def _by_mark(body: bytes, encoding: str, name: str) -> str:
    text = body.decode(encoding, "replace")
    if _mostly_good(text):
        return text
    raise EncodingError(name=name)


def _guessed(data: bytes, name: str) -> tuple[str, str, str]:
    if b"\x00" not in data and _is_damaged_utf8(data):
        return data.decode("utf-8", "replace"), "utf-8", ""
    for guess in guesses(data):
        text = read_as(data, guess.encoding)
        if _mostly_good(text):
            return text, guess.encoding, guess.rival
    if b"\x00" in data:
        raise UnsupportedFormatError(name=name, kind="binary", known=KNOWN)
    raise EncodingError(name=name)


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether the bytes beyond ASCII form UTF-8 characters but for a few; no other encoding does so by chance."""
    rest, good = _UTF8_CHARACTER.subn(b"", data)
    bad = len(rest) - len(rest.translate(None, bytes(range(0x80, 0x100))))
    return good >= 3 and bad <= max(3, _MAX_BAD_SHARE * good) and bad * 4 <= good


def _mostly_good(text: str) -> bool:
    bad = text.count(_REPLACEMENT)
    return not bad or bad <= _MAX_BAD_SHARE * sum(char > "\x7f" for char in text)


def _notices(text: str, data: bytes, encoding: str, rival: str) -> list[Notice]:
    shown = _NAMES.get(encoding, encoding.upper())
    found: list[Notice] = []
    if rival:
        other = _NAMES.get(rival, rival.upper())
        found.append(Notice(code="encoding_uncertain", details=(("encoding", shown), ("other", other))))
    elif encoding != "utf-8":
        found.append(Notice(code="decoded_as", details=(("encoding", shown),)))
    bad = text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode()) * (encoding == "utf-8")
    if bad:
        found.append(Notice(code="bytes_replaced", details=(("encoding", shown), ("count", str(bad)))))
    return found
