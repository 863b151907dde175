"""Mail: what was written, by whom, to whom and when; attachments are named here and read as files of their own."""

from __future__ import annotations

from collections.abc import Iterator

from core.document import Document
from core.reading import DEFAULT_READING, Reading
from core.settings import ParsingSettings
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.mail.eml import read_eml
from ingest.parsers.mail.letter import Letter, add_letter
from ingest.parsers.mail.msg import read_msg
from ingest.parsers.office.container import OLE


class EmlParser:
    """Reads ``.eml``."""

    version = "eml-1"
    media_type = "message/rfc822"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``DamagedDocumentError``, ``NestedTooDeepError``, ``ProtectedDocumentError`` and
        ``EmptyDocumentError``.
        """
        return _document(read_eml(data, name, reading.settings.max_depth), name, self.media_type)


class MsgParser:
    """Reads ``.msg``."""

    version = "msg-1"
    media_type = "application/vnd.ms-outlook"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``DamagedDocumentError``, ``NestedTooDeepError`` and ``EmptyDocumentError``."""
        return _document(read_msg(data, name, reading.settings.max_depth), name, self.media_type)


def attachments(data: bytes) -> list[tuple[str, bytes]]:
    """The files attached to a mail (EML or MSG) and to those enclosed in it, with their names, in order.

    Enclosed mails themselves are part of the mail's document. Small pictures inside a text are left out, as
    are attachments that only point to a file. Raises what the parsers raise, without a name.
    """
    read = read_msg if data.startswith(OLE) else read_eml
    return list(_attached(read(data, "", ParsingSettings().max_depth)))


def _attached(letter: Letter) -> Iterator[tuple[str, bytes]]:
    yield from ((attachment.name, attachment.data) for attachment in letter.attachments if attachment.data)
    for enclosed in letter.enclosed:
        yield from _attached(enclosed)


def _document(letter: Letter, name: str, media_type: str) -> Document:
    builder = DocumentBuilder()
    add_letter(builder, letter).tell(builder)
    return builder.document(name=name, media_type=media_type, title=letter.subject)
