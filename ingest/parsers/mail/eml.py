"""Mail in its own format (RFC 5322 and MIME) as a letter. The stdlib parses; charsets are read as browsers do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import Message
from typing import Final

from core.document import Notice
from core.errors import DamagedDocumentError, DocumentError, NestedTooDeepError, ProtectedDocumentError
from ingest.parsers.mail.headers import SHOWN, decoded_header, header
from ingest.parsers.mail.letter import Attachment, Body, Letter
from ingest.parsers.web.charset import decoded_page

_MAIL_HEADERS: Final = (
    "from", "to", "subject", "date", "received", "mime-version", "content-type", "message-id", "return-path",
)  # fmt: skip
_ENCRYPTED: Final = ("application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted")
_EXTENSIONS: Final = {
    "message/rfc822": ".eml", "text/calendar": ".ics", "text/plain": ".txt", "text/html": ".html",
    "application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif",
}  # fmt: skip
# Bytes. Smaller pictures inside a text are logos and lines.
_DECORATION: Final = 20_000


def read_eml(data: bytes, name: str, max_depth: int) -> Letter:
    """The letter.

    Raises ``DamagedDocumentError`` for what is no mail, ``NestedTooDeepError`` and
    ``ProtectedDocumentError`` when the whole text is encrypted.
    """
    try:
        return _letter(data, name, max_depth)
    except RecursionError as exc:
        raise NestedTooDeepError(name=name, limit=max_depth) from exc


def _letter(data: bytes, name: str, max_depth: int) -> Letter:
    # The header objects of the newer policies fail on headers that are met in real mail.
    message = message_from_bytes(data.lstrip(b"\r\n \t\xef\xbb\xbf"), policy=policy.compat32)
    if not any(key.lower() in _MAIL_HEADERS for key in message.keys()):  # noqa: SIM118 - a mail is no dict
        raise DamagedDocumentError(name=name)
    reader = _Reader(name, max_depth)
    letter = reader.letter(message, 1)
    if (
        letter.unread
        and not letter.bodies
        and any(part.get_content_type() in _ENCRYPTED for part in message.walk())
    ):
        raise ProtectedDocumentError(name=name)
    return letter


class _Reader:
    """Reads the parts of one file. Mails deeper than ``max_depth`` are attachments like other files."""

    def __init__(self, name: str, max_depth: int) -> None:
        self._name, self._max_depth = name, max_depth

    def letter(self, message: Message, depth: int) -> Letter:
        """The letter, with those enclosed."""
        bodies: list[Body] = []
        enclosed: list[Letter] = []
        attachments: list[Attachment] = []
        unread = False
        for part in _leaves(message):
            kind = part.get_content_type()
            if isinstance(part, _Choice):
                bodies.append(self._body(part.parts))
            elif kind == "message/rfc822" and depth <= self._max_depth:
                enclosed += [self.letter(inner, depth + 1) for inner in _parts(part)]
            elif _is_text(part):
                bodies.append(self._body([part]))
            elif kind in _ENCRYPTED:
                unread = True
            elif not _is_decoration(part):
                attachments.append(_attachment(part, len(attachments) + 1))
        return Letter(
            subject=header(message, "Subject"),
            headers=tuple((key, value) for key in SHOWN if (value := header(message, key))),
            bodies=tuple(body for body in bodies if body.plain.strip() or body.html.strip()),
            enclosed=tuple(enclosed),
            attachments=tuple(attachments),
            unread=unread,
        )

    def _body(self, parts: list[Message]) -> Body:
        plain = html = ""
        notices: list[Notice] = []
        for part in parts:
            text, said = self._text(part)
            notices += [notice for notice in said if notice not in notices]
            if part.get_content_type() == "text/html":
                html += text
            else:
                plain += ("\n\n" if plain else "") + text
        return Body(plain=plain, html=html, notices=tuple(notices))

    def _text(self, part: Message) -> tuple[str, tuple[Notice, ...]]:
        payload = part.get_payload(decode=True)
        if not isinstance(payload, bytes) or not payload.strip():
            return "", ()
        label = part.get_param("charset", "")
        label = label[2] if isinstance(label, tuple) else str(label or "")
        # "us-ascii" is what programs write that never thought about it.
        declared = "" if label.lower() in ("us-ascii", "ascii") and not payload.isascii() else label
        try:
            text, notices = decoded_page(payload, self._name, declared)
        except DocumentError:
            text, notices = payload.decode("utf-8", "replace"), ()
        if part.get_content_type() == "text/plain" and str(part.get_param("format", "")).lower() == "flowed":
            text = _unflowed(text, delete_space=str(part.get_param("delsp", "")).lower() == "yes")
        return text, notices


class _Choice(Message):
    """The parts of a ``multipart/alternative`` that are versions of one text."""

    def __init__(self, parts: list[Message]) -> None:
        super().__init__()
        self.parts = parts


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold something, in order; versions of one text come as a choice."""
    kind = message.get_content_type()
    if kind == "message/rfc822" or kind in _ENCRYPTED or not message.is_multipart():
        yield message
    elif kind == "multipart/alternative":
        leaves = [leaf for part in _parts(message) for leaf in _leaves(part)]
        texts = [leaf for leaf in leaves if _is_text(leaf)]
        if texts:
            yield _Choice(texts)
        yield from (leaf for leaf in leaves if not _is_text(leaf))
    else:
        for part in _parts(message):
            yield from _leaves(part)


def _parts(message: Message) -> list[Message]:
    payload = message.get_payload()
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []


def _is_text(part: Message) -> bool:
    if part.get_content_maintype() != "text" or part.get_content_type() in ("text/calendar", "text/rtf"):
        return False
    return part.get_content_disposition() != "attachment" and not _file_name(part)


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except (LookupError, ValueError, TypeError):
        name = ""
    # A name is not a path, whatever the sender wrote.
    return re.split(r"[\\/]", decoded_header(name))[-1].strip()


def _is_decoration(part: Message) -> bool:
    inside = part.get_content_disposition() == "inline" or part.get("Content-ID")
    if part.get_content_type() in ("application/pgp-signature", "application/pkcs7-signature"):
        return True
    return bool(inside) and part.get_content_maintype() == "image" and len(_content(part)) < _DECORATION


def _attachment(part: Message, number: int) -> Attachment:
    kind = part.get_content_type()
    name = _file_name(part) or f"attachment-{number}{_EXTENSIONS.get(kind, '')}"
    return Attachment(name=name, data=_content(part))


def _content(part: Message) -> bytes:
    if part.is_multipart():
        return b"".join(inner.as_bytes() for inner in _parts(part))
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _unflowed(text: str, *, delete_space: bool) -> str:
    """Soft line breaks of ``format=flowed`` taken back (RFC 3676)."""
    lines: list[str] = []
    goes_on = False
    for raw in text.splitlines():
        quote = re.match(r">*", raw)
        depth = quote.group() if quote else ""
        line = raw[len(depth) :].removeprefix(" ") if depth or raw.startswith(" ") else raw
        if goes_on and lines and _depth(lines[-1]) == len(depth) and line != "-- ":
            lines[-1] += line
        else:
            lines.append(f"{depth} {line}" if depth else line)
        goes_on = line.endswith(" ") and line != "-- "
        if goes_on and delete_space:
            lines[-1] = lines[-1][:-1]
    return "\n".join(lines)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(">"))
