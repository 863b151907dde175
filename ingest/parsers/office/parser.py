"""Old Office formats, RTF and OpenDocument: LibreOffice makes them DOCX, PPTX or XLSX, whose parser reads on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

from core.document import Document, Notice
from core.errors import ConversionFailedError, DamagedDocumentError, PasswordNeededError
from core.protocols import Parser
from core.reading import DEFAULT_READING, Reading
from core.registry import resolve
from ingest.parsers.office.container import OLE, is_protected, is_whole
from ingest.parsers.office.libreoffice import converted
from ingest.parsers.zipped import checked_zip

_ZIP: Final = b"PK\x03\x04"
_HEAD: Final = 1024


@dataclass(frozen=True, slots=True)
class Kind:
    """A format by its usual extension, the parser (and extension) it is converted for, and its media type."""

    suffix: str
    target: str
    media_type: str


_ODF: Final = "application/vnd.oasis.opendocument."
DOC: Final = Kind("doc", "docx", "application/msword")
XLS: Final = Kind("xls", "xlsx", "application/vnd.ms-excel")
PPT: Final = Kind("ppt", "pptx", "application/vnd.ms-powerpoint")
RTF: Final = Kind("rtf", "docx", "application/rtf")
XLSB: Final = Kind("xlsb", "xlsx", "application/vnd.ms-excel.sheet.binary.macroEnabled.12")
ODT: Final = Kind("odt", "docx", _ODF + "text")
ODS: Final = Kind("ods", "xlsx", _ODF + "spreadsheet")
ODP: Final = Kind("odp", "pptx", _ODF + "presentation")
_BY_SUFFIX: Final = {kind.suffix: kind for kind in (DOC, XLS, PPT, RTF, XLSB, ODT, ODS, ODP)} | {
    "dot": DOC, "xlt": XLS, "pps": PPT, "pot": PPT, "ott": ODT, "ots": ODS, "otp": ODP,
}  # fmt: skip
# Names of streams in old Office files, as they are written there.
_BY_STREAM: Final = tuple(
    (stream.encode("utf-16-le"), kind)
    for stream, kind in (
        ("PowerPoint Document", PPT),
        ("WordDocument", DOC),
        ("Workbook", XLS),
        ("Book", XLS),
    )
)


class OfficeParser:
    """Reads ``.doc .xls .ppt .rtf .odt .ods .odp`` and their templates where LibreOffice is installed."""

    version = "office-1"
    media_type = "application/x-office"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document, under the media type of the original.

        Raises ``DamagedDocumentError``, ``ConverterMissingError``, ``ConversionFailedError``,
        ``ParserTimeoutError``, ``PasswordNeededError`` and what the parser of the new format raises.
        """
        if data.startswith(_ZIP):
            checked_zip(data, name, reading.settings)
        kind = kind_of(data, name)
        if not (data.startswith(_ZIP) or kind is RTF or (data.startswith(OLE) and is_whole(data))):
            # LibreOffice would take the bytes for a plain text.
            raise DamagedDocumentError(name=name)
        try:
            fresh = converted(data, name, kind.suffix, kind.target, reading.settings)
        except ConversionFailedError as exc:
            # Asked only now: some files are encrypted with a password that every program knows.
            if is_protected(data):
                raise PasswordNeededError(name=name) from exc
            raise
        parser: Parser = resolve("parser", kind.target)()
        document = parser.parse(fresh, name, reading)
        notice = Notice(code="converted", details=(("suffix", kind.suffix.upper()),))
        return replace(document, media_type=kind.media_type, notices=(notice, *document.notices))


def kind_of(data: bytes, name: str) -> Kind:
    """The format by its content, where that says it, else by its name; DOC when neither does."""
    if data[:_HEAD].lstrip().startswith(b"{\\rt"):
        return RTF
    if data.startswith(OLE):
        found = next((kind for stream, kind in _BY_STREAM if stream in data), None)
        if found is not None:
            return found
    if data.startswith(_ZIP):
        # OpenDocument files begin with an unpacked entry that holds their media type.
        for kind in (ODS, ODP, ODT):
            if kind.media_type.encode() in data[:_HEAD]:
                return kind
    return _BY_SUFFIX.get(PurePath(name).suffix.lower().lstrip("."), DOC)
