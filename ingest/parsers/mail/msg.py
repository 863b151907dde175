"""Outlook's .msg files as a letter. Storages come from oxmsg; properties are read here, as [MS-OXMSG] has them.

The library's own properties decode strictly by a table of code pages, and one damaged subject or a GBK
character in a mail that calls itself GB 2312 would cost the whole mail; nor does it open enclosed mails.
"""

from __future__ import annotations

import io
import struct
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import policy
from email.parser import HeaderParser
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

from core.document import Notice
from core.errors import DamagedDocumentError, DocumentError, NestedTooDeepError
from ingest.parsers.mail.headers import SHOWN, header
from ingest.parsers.mail.letter import Attachment, Body, Letter
from ingest.parsers.web.charset import decoded_page

if TYPE_CHECKING:
    from oxmsg.storage import Storage

# Property ids of [MS-OXPROPS] and types of [MS-OXCDATA] 2.11.1.
_SUBJECT, _BODY, _HTML, _RTF, _HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
_SENDER_NAME, _SENDER_ADDRESSES = 0x0C1A, (0x5D01, 0x0C1F, 0x5D02, 0x0065)
_DISPLAY_TO, _DISPLAY_CC, _TIMES = 0x0E04, 0x0E03, (0x0039, 0x0E06)
_FILE_NAMES, _FILE_DATA, _CONTENT_ID = (0x3707, 0x3704, 0x3001), 0x3701, 0x3712
_STRING8, _UNICODE, _BINARY, _TIME, _INT32 = 0x001E, 0x001F, 0x0102, 0x0040, 0x0003
_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
# Bytes before the entries of a properties stream ([MS-OXMSG] 2.4.1).
_TOP_HEADER, _ENCLOSED_HEADER = 32, 24
_ENCLOSED_MAIL: Final = "__substg1.0_3701000D"
_CODE_PAGES: Final = {
    65001: "utf-8", 1200: "utf-16-le", 936: "gb18030", 20936: "gb18030", 52936: "hz", 54936: "gb18030",
    950: "big5", 932: "shift_jis", 949: "euc-kr", 51949: "euc-kr", 20127: "ascii", 28591: "iso-8859-1",
    28605: "iso-8859-15", 50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 20866: "koi8-r",
}  # fmt: skip
_DECORATION: Final = 20_000
_DAMAGED: Final = (
    OSError,
    KeyError,
    ValueError,
    IndexError,
    TypeError,
    AttributeError,
    OverflowError,
    struct.error,
)


def read_msg(data: bytes, name: str, max_depth: int) -> Letter:
    """The letter. Raises ``DamagedDocumentError`` and ``NestedTooDeepError``."""
    from olefile import OleFileIO  # type: ignore[import-untyped]
    from oxmsg.storage import Storage

    try:
        with OleFileIO(io.BytesIO(data)) as ole:
            root = Storage.from_ole(ole)
            is_damaged = bool(ole.parsing_issues)
        letter = _letter(root, name, _TOP_HEADER, max_depth + 1)
    except RecursionError as exc:
        raise NestedTooDeepError(name=name, limit=max_depth) from exc
    except _DAMAGED as exc:
        raise DamagedDocumentError(name=name) from exc
    if is_damaged and not letter.headers and not letter.bodies:
        raise DamagedDocumentError(name=name)
    return replace(letter, repaired=is_damaged)


def _letter(storage: Storage, name: str, header_bytes: int, depth: int) -> Letter:
    if depth < 1:
        raise NestedTooDeepError(name=name, limit=depth)
    fixed = _fixed_properties(storage.properties_stream_bytes[header_bytes:])
    strings = _Strings(storage, name, fixed)
    enclosed: list[Letter] = []
    attachments: list[Attachment] = []
    for number, part in enumerate(storage.iter_attachment_storages(), start=1):
        inner = next((child for child in part.storages if child.name == _ENCLOSED_MAIL), None)
        if inner is not None and _holds_mail(inner):
            enclosed.append(_letter(inner, name, _ENCLOSED_HEADER, depth - 1))
        elif (attachment := _attachment(part, name, fixed, number)) is not None:
            attachments.append(attachment)
    body, notices = strings.text(_BODY)
    html, said = strings.text(_HTML)
    notices += tuple(notice for notice in said if notice not in notices)
    written = bool(body.strip() or html.strip())
    return Letter(
        subject=strings.first(_SUBJECT),
        headers=_headers(strings, fixed),
        bodies=(Body(plain=body, html=html, notices=notices),) if written else (),
        enclosed=tuple(enclosed),
        attachments=tuple(attachments),
        unread=not written and bool(_stream(storage, _RTF, _BINARY)),
    )


def _holds_mail(storage: Storage) -> bool:
    return any(stream.name == "__properties_version1.0" for stream in storage.streams)


def _fixed_properties(stream: bytes) -> dict[tuple[int, int], int]:
    """Values of fixed length by id and type: 16 bytes each, the value in the last eight."""
    whole = len(stream) // 16 * 16
    return {(pid, kind): value for kind, pid, _, value in struct.iter_unpack("<HHIQ", stream[:whole])}


def _stream(storage: Storage, pid: int, kind: int) -> bytes:
    wanted = f"__substg1.0_{pid:04X}{kind:04X}"
    return next((stream.bytes_ for stream in storage.streams if stream.name.upper() == wanted.upper()), b"")


class _Strings:
    """The texts of one mail or attachment; ``fixed`` are the properties of the mail."""

    def __init__(self, storage: Storage, name: str, fixed: dict[tuple[int, int], int]) -> None:
        self._storage, self._name, self._fixed = storage, name, fixed

    def first(self, *pids: int) -> str:
        """The first of these properties that has a text, on one line."""
        return next((text for pid in pids if (text := " ".join(self.text(pid)[0].split()))), "")

    def text(self, pid: int) -> tuple[str, tuple[Notice, ...]]:
        """A text and how it was decoded; nothing when the property is not there."""
        if wide := _stream(self._storage, pid, _UNICODE):
            return wide.decode("utf-16-le", "replace").replace("\0", ""), ()
        data = _stream(self._storage, pid, _STRING8) or (
            _stream(self._storage, pid, _BINARY) if pid == _HTML else b""
        )
        if not data.strip(b"\0 \r\n"):
            return "", ()
        try:
            return decoded_page(data.rstrip(b"\0"), self._name, self._charset(pid in (_BODY, _HTML)))
        except DocumentError:
            return data.decode("utf-8", "replace"), ()

    def _charset(self, is_body: bool) -> str:
        pages = (_INTERNET_CODE_PAGE, _MESSAGE_CODE_PAGE)
        for pid in pages if is_body else reversed(pages):
            page = self._fixed.get((pid, _INT32), 0) & 0xFFFFFFFF
            if page:
                return _CODE_PAGES.get(page, f"cp{page}")
        return ""


def _headers(strings: _Strings, fixed: dict[tuple[int, int], int]) -> tuple[tuple[str, str], ...]:
    """The headers as they travelled, else what Outlook noted."""
    message = HeaderParser(policy=policy.compat32).parsestr(strings.text(_HEADERS)[0].lstrip())
    noted = {
        "From": _sender(strings),
        "To": strings.first(_DISPLAY_TO),
        "Cc": strings.first(_DISPLAY_CC),
        "Date": next((_date(fixed[pid, _TIME]) for pid in _TIMES if (pid, _TIME) in fixed), ""),
        "Subject": strings.first(_SUBJECT),
    }
    found = ((key, header(message, key) or noted[key]) for key in SHOWN)
    return tuple((key, value) for key, value in found if value)


def _sender(strings: _Strings) -> str:
    name = strings.first(_SENDER_NAME)
    # Addresses inside an Exchange server are long names of directories, which say nothing to a reader.
    address = next((text for pid in _SENDER_ADDRESSES if "@" in (text := strings.first(pid))), "")
    return f"{name} <{address}>" if name and address and name != address else name or address


def _date(ticks: int) -> str:
    """A FILETIME: units of 100 ns since 1601."""
    try:
        return format_datetime(datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10))
    except OverflowError:
        return ""


def _attachment(
    storage: Storage, name: str, fixed: dict[tuple[int, int], int], number: int
) -> Attachment | None:
    """The file, ``None`` for a small picture inside the text."""
    strings = _Strings(storage, name, fixed)
    data = _stream(storage, _FILE_DATA, _BINARY)
    shown = strings.first(*_FILE_NAMES)
    is_picture = shown.lower().endswith((".png", ".gif", ".jpg", ".jpeg", ".bmp"))
    if is_picture and strings.first(_CONTENT_ID) and len(data) < _DECORATION:
        return None
    return Attachment(name=shown.replace("\\", "/").rsplit("/", 1)[-1] or f"attachment-{number}", data=data)
