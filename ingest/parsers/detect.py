"""Which parser reads a file, by its content and its extension together."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from core.errors import EmptyDocumentError, UnsupportedFormatError, WrongExtensionError

_BY_EXTENSION: Final = {
    ".pdf": "pdf",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
}
KNOWN: Final = ", ".join(sorted(_BY_EXTENSION))

# (first bytes, what a person calls it); only what is often met under a wrong name.
_SIGNATURES: Final = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP / Office"),
    (b"\xd0\xcf\x11\xe0", "Office 97-2003"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"{\\rtf", "RTF"),
)


def is_known(name: str) -> bool:
    """Whether a file of this name can be taken."""
    return PurePath(name).suffix.lower() in _BY_EXTENSION


def parser_for(name: str, data: bytes) -> str:
    """The registry name of the parser.

    Raises ``EmptyDocumentError`` for no bytes, ``UnsupportedFormatError`` for an unknown extension and
    ``WrongExtensionError`` when the first bytes belong to another format than the extension says.
    """
    suffix = PurePath(name).suffix.lower()
    parser = _BY_EXTENSION.get(suffix)
    if parser is None:
        raise UnsupportedFormatError(name=name, kind=suffix or "?", known=KNOWN)
    if not data:
        raise EmptyDocumentError(name=name)
    kind = _kind_of(data)
    if (kind is not None and parser != "pdf") or (kind not in (None, "PDF") and parser == "pdf"):
        raise WrongExtensionError(name=name, kind=kind)
    return parser


def _kind_of(data: bytes) -> str | None:
    # PDF readers accept up to 1,024 bytes of other matter before the signature.
    if b"%PDF-" in data[:1024]:
        return "PDF"
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), None)
