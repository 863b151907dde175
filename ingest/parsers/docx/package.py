"""Opens a Word file with python-docx, mended where it is not quite right; python-docx stays in here."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast
from xml.etree.ElementTree import Element

from core.errors import DamagedDocumentError, WrongExtensionError
from core.settings import ParsingSettings
from ingest.parsers.docx.xml import W
from ingest.parsers.office.container import OLE, refuse_encrypted
from ingest.parsers.zipped import ZIP_ERRORS, checked_zip

# What python-docx and lxml raise for packages that miss parts or are broken inside (lxml's are SyntaxError).
_OPEN_ERRORS: Final = (
    KeyError, IndexError, AttributeError, TypeError, SyntaxError, RecursionError, *ZIP_ERRORS,
)  # fmt: skip
_STORIES: Final = "word/_rels/"
# The strict form of the standard (ISO/IEC 29500 part 1) differs from the usual one in its names.
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_TRANSITIONAL: Final = rb"http://schemas.openxmlformats.org/\1/2006/\2"
# Templates and files with macros hold the same document under another content type.
_MAIN_TYPE: Final = re.compile(
    rb"application/vnd\.(?:ms-word|openxmlformats-officedocument\.wordprocessingml)"
    rb"\.(?:document|template)(?:\.macroEnabled\w*)?\.main\+xml"
)
_DOCUMENT: Final = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A part that is no story of its own: a picture, a chart, an object. ``name`` is without its folder."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPackage:
    """The parts of a Word file. Elements are lxml's, used through the interface of ``ElementTree``.

    ``files`` holds what the body refers to, by relationship id. ``furniture`` has the headers and footers.
    ``mended`` says that parts were broken or missing.
    """

    document: Element
    styles: Element | None
    numbering: Element | None
    notes: Mapping[str, Element]
    comments: Element | None
    furniture: tuple[Element, ...]
    files: Mapping[str, StoredFile]
    title: str
    mended: bool


def open_word(data: bytes, name: str, settings: ParsingSettings) -> WordPackage:
    """The package. Raises ``PasswordNeededError``, ``WrongExtensionError``, ``DamagedDocumentError`` and
    what ``checked_zip`` raises.
    """
    refuse_encrypted(data, name)
    if data.startswith(OLE):
        raise WrongExtensionError(name=name, kind="Office 97-2003")
    checked_zip(data, name, settings)
    try:
        return _opened(data, mended=False)
    except _OPEN_ERRORS:
        pass
    try:
        fresh, lost = _mended(data)
        return _opened(fresh, mended=lost)
    except _OPEN_ERRORS as exc:
        raise DamagedDocumentError(name=name) from exc


def _opened(data: bytes, *, mended: bool) -> WordPackage:
    from docx.package import Package

    package = Package.open(io.BytesIO(data))
    main: Any = package.main_document_part
    if main.element.find(W + "body") is None:
        raise KeyError("the main part holds no body in the usual namespace")
    parts = {rel.rId: (rel.reltype.rsplit("/", 1)[-1], rel.target_part) for rel in _inside(main)}
    named = dict(parts.values())
    return WordPackage(
        document=main.element,
        styles=_element(named.get("styles")),
        numbering=_element(named.get("numbering")),
        notes={kind: _element(named[kind]) for kind in ("footnotes", "endnotes") if kind in named},
        comments=_element(named.get("comments")),
        furniture=tuple(part.element for kind, part in parts.values() if kind in ("header", "footer")),
        files={key: _file(part) for key, (_, part) in parts.items() if not hasattr(part, "element")},
        title=package.core_properties.title,
        mended=mended,
    )


def _inside(part: Any) -> Iterator[Any]:
    return (rel for rel in part.rels.values() if not rel.is_external)


def _file(part: Any) -> StoredFile:
    return StoredFile(name=posixpath.basename(str(part.partname)), data=part.blob)


def _element(part: Any) -> Any:
    """The root of a part, whether or not python-docx parsed it; ``None`` without a part."""
    if part is None:
        return None
    return part.element if hasattr(part, "element") else parsed(part.blob)


def parsed(xml: bytes) -> Element:
    """The root element, without fetching or expanding anything. Raises ``SyntaxError`` (lxml's)."""
    from docx.oxml.parser import parse_xml

    root: Any = parse_xml(xml)
    return cast("Element", root)


def _mended(data: bytes) -> tuple[bytes, bool]:
    """The package with the usual names and without what is broken, and whether anything was left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        count = len([info for info in packed.infolist() if not info.is_dir()])
        parts = dict(_readable(packed))
    lost = len(parts) < count
    fresh = io.BytesIO()
    with zipfile.ZipFile(fresh, "w") as packed:
        for part, content in parts.items():
            if part.endswith(".rels"):
                content, dropped = _without_dangling(part, content, parts)
                # LibreOffice leaves charts without the sheets that they once came from: nothing is missed.
                lost = lost or (dropped and part.startswith(_STORIES))
            packed.writestr(part, content)
    return fresh.getvalue(), lost


def _readable(packed: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    for info in packed.infolist():
        part = info.filename.replace("\\", "/").lstrip("/")
        try:
            content = packed.read(info)
            if part.endswith((".xml", ".rels")):
                content = _MAIN_TYPE.sub(_DOCUMENT, _STRICT.sub(_TRANSITIONAL, content))
                parsed(content)
        except (SyntaxError, *ZIP_ERRORS):
            continue
        if not info.is_dir():
            yield part, content


def _without_dangling(part: str, content: bytes, parts: Mapping[str, bytes]) -> tuple[bytes, bool]:
    """The relationships whose target is there, and whether others were dropped."""
    from docx.opc.oxml import serialize_part_xml

    root: Any = parsed(content)
    folder = posixpath.dirname(posixpath.dirname(part))
    dangling = [
        rel
        for rel in root
        if rel.get("TargetMode") != "External"
        and posixpath.normpath(posixpath.join("/", folder, rel.get("Target", ""))).lstrip("/") not in parts
    ]
    for rel in dangling:
        root.remove(rel)
    return serialize_part_xml(root), bool(dangling)
