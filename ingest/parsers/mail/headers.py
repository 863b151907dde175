"""Headers of mail as a reader sees them (RFC 2047 encoded words, and the raw bytes that some programs send)."""

from __future__ import annotations

import binascii
import re
from email.message import Message
from typing import Final

from core.errors import DocumentError
from ingest.parsers.text.decode import decode
from ingest.parsers.web.charset import codec_of

SHOWN: Final = ("From", "To", "Cc", "Date", "Subject")
_ENCODED: Final = re.compile(r"=\?([^?\s]+)\?([bBqQ])\?([^?\s]*|[^?]*?)\?=")
_BETWEEN: Final = re.compile(r"[ \t\r\n]*")
_HEX: Final = re.compile(r"=([0-9A-Fa-f]{2})")


def header(message: Message, name: str) -> str:
    """The first header of that name, decoded, on one line; nothing when there is none."""
    wanted = name.lower()
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == wanted), "")
    return decoded_header(raw)


def decoded_header(raw: str) -> str:
    """The words of a header.

    Neighbouring encoded words of one charset are decoded together: programs cut Chinese characters in two
    there, although RFC 2047 forbids it.
    """
    parts: list[str] = []
    charset, pending, position = "", b"", 0
    for found in _ENCODED.finditer(raw):
        between = raw[position : found.start()]
        label = found.group(1).partition("*")[0].lower()
        if pending and (label != charset or not _BETWEEN.fullmatch(between)):
            parts.append(_text(pending, charset))
            pending = b""
        if not (_BETWEEN.fullmatch(between) and position):
            parts.append(_unencoded(between))
        charset, position = label, found.end()
        pending += _bytes(found.group(2), found.group(3))
    if pending:
        parts.append(_text(pending, charset))
    parts.append(_unencoded(raw[position:]))
    return " ".join("".join(parts).split())


def _bytes(encoding: str, body: str) -> bytes:
    ascii_body = body.encode("ascii", "ignore")
    if encoding in "qQ":
        return _HEX.sub(lambda found: chr(int(found.group(1), 16)), body.replace("_", " ")).encode(
            "latin-1", "ignore"
        )
    try:
        return binascii.a2b_base64(ascii_body + b"=" * (-len(ascii_body) % 4))
    except binascii.Error:
        return ascii_body


def _text(data: bytes, charset: str) -> str:
    codec = codec_of(charset)
    if codec:
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            pass
    return _guessed(data)


def _unencoded(raw: str) -> str:
    """Header text outside encoded words; bytes that were never encoded are in it as surrogates."""
    if raw.isascii():
        return raw
    try:
        data = raw.encode("ascii", "surrogateescape")
    except UnicodeEncodeError:
        return raw
    return _guessed(data)


def _guessed(data: bytes) -> str:
    try:
        return decode(data, "")[0]
    except DocumentError:
        return data.decode("utf-8", "replace")
