"""The table of contents of an EPUB file: which chapters in which order, what they are called, who wrote them.

Package and navigation files are read as forgivingly as pages (one parser for all, no entities, no DTD):
books with a prefix that nobody declared are common.
Formats: https://www.w3.org/TR/epub-33/#sec-package-doc and OPF 2.0.1 with NCX for older books.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from core.errors import DamagedDocumentError, ProtectedDocumentError
from ingest.parsers.web.charset import decoded_page
from ingest.parsers.web.inline import line_of
from ingest.parsers.web.tree import Element, parsed_html
from ingest.parsers.zipped import ZIP_ERRORS

# Fonts are scrambled in many books that anybody may read.
_FONT_METHODS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGES: Final = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the table of contents calls a place: ``fragment`` of a file, or its start. ``depth`` is 1-based."""

    title: str
    fragment: str
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """One file of the reading order; ``role`` is what the book says it is: "cover", "toc" or nothing."""

    path: str
    labels: tuple[Label, ...] = ()
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What the package file says."""

    title: str
    creators: tuple[str, ...]
    chapters: tuple[Chapter, ...]


@dataclass(slots=True)
class _Package:
    root: Element
    path: str
    # Manifest id -> (path, media type, properties).
    items: dict[str, tuple[str, str, frozenset[str]]] = field(default_factory=dict)


def read_book(packed: zipfile.ZipFile, name: str) -> Book:
    """The book. Raises ``DamagedDocumentError`` and, for DRM, ``ProtectedDocumentError``."""
    _refuse_protected(packed, name)
    package = _package(packed, name)
    spine = [ref.get("idref") for ref in _named(package.root, "itemref")]
    files = [package.items[key] for key in spine if key in package.items]
    pages = [path for path, kind, _ in files if kind in _PAGES or path.endswith((".xhtml", ".html", ".htm"))]
    if not pages:
        raise DamagedDocumentError(name=name)
    labels = _labels(packed, package, name)
    roles = _roles(package)
    return Book(
        title=next(_texts(package.root, "title"), ""),
        creators=tuple(dict.fromkeys(_texts(package.root, "creator"))),
        chapters=tuple(
            Chapter(path=path, labels=tuple(labels.get(path, ())), role=roles.get(path, ""))
            for path in dict.fromkeys(pages)
        ),
    )


def read_part(packed: zipfile.ZipFile, path: str, name: str) -> Element | None:
    """A file of the book as a tree, ``None`` when it is not there or broken."""
    folded = {entry.lower(): entry for entry in packed.namelist()}
    for candidate in (path, unquote(path)):
        entry = folded.get(candidate.lower())
        if entry is not None:
            try:
                text, _ = decoded_page(packed.read(entry), name)
            except ZIP_ERRORS:
                return None
            return parsed_html(text, xhtml=True)
    return None


def _refuse_protected(packed: zipfile.ZipFile, name: str) -> None:
    rules = (
        read_part(packed, "META-INF/encryption.xml", name)
        if "META-INF/encryption.xml" in packed.namelist()
        else None
    )
    for method in _named(rules, "encryptionmethod") if rules else ():
        if method.get("algorithm") not in _FONT_METHODS:
            raise ProtectedDocumentError(name=name)


def _package(packed: zipfile.ZipFile, name: str) -> _Package:
    container = read_part(packed, "META-INF/container.xml", name)
    named = [ref.get("full-path") for ref in _named(container, "rootfile")] if container else []
    for path in (*named, *(entry for entry in packed.namelist() if entry.lower().endswith(".opf"))):
        root = read_part(packed, path, name) if path else None
        if root is not None:
            package = _Package(root, path)
            for item in _named(root, "item"):
                place = _resolved(path, item.get("href"))[0]
                kind = item.get("media-type").lower()
                package.items[item.get("id")] = (place, kind, item.words("properties"))
            return package
    raise DamagedDocumentError(name=name)


def _resolved(base: str, target: str) -> tuple[str, str]:
    """The path and the fragment that ``target`` means in the file ``base``."""
    path, _, fragment = target.partition("#")
    if not path:
        return base, fragment
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(path))).lstrip("/"), fragment


def _named(root: Element, local: str) -> Iterator[Element]:
    """Elements of a name, whatever prefix they have."""
    return (element for element in root.all() if element.tag.rpartition(":")[2] == local)


def _texts(root: Element, local: str) -> Iterator[str]:
    return (text for element in _named(root, local) if (text := line_of(element)))


def _roles(package: _Package) -> dict[str, str]:
    roles = {path: "toc" for path, _, properties in package.items.values() if "nav" in properties}
    for reference in _named(package.root, "reference"):
        path, fragment = _resolved(package.path, reference.get("href"))
        if reference.get("type").lower() in ("cover", "toc") and not fragment:
            roles.setdefault(path, reference.get("type").lower())
    return roles


def _labels(packed: zipfile.ZipFile, package: _Package, name: str) -> dict[str, list[Label]]:
    """The table of contents: for each file its labels, in order."""
    found: dict[str, list[Label]] = {}
    for path, kind, properties in sorted(package.items.values(), key=lambda item: "nav" not in item[2]):
        if found or not ("nav" in properties or kind == "application/x-dtbncx+xml"):
            continue
        root = read_part(packed, path, name)
        for target, title, depth in _entries(root) if root is not None else ():
            place, fragment = _resolved(path, target)
            if title:
                found.setdefault(place, []).append(Label(title=title, fragment=fragment, depth=depth))
    return found


def _entries(root: Element) -> Iterator[tuple[str, str, int]]:
    """Target, title and depth of each entry, from a navigation page or an NCX file."""
    navs = list(root.all("nav"))
    tocs = [nav for nav in navs if "toc" in nav.words("epub:type") | nav.words("role")] or navs[:1]
    if tocs:
        yield from _in_lists(tocs[0], 0)
    else:
        yield from _in_points(root, 0)


def _in_lists(element: Element, depth: int) -> Iterator[tuple[str, str, int]]:
    for child in element.elements():
        if child.tag == "a":
            yield child.get("href"), line_of(child), max(depth, 1)
        else:
            yield from _in_lists(child, depth + (child.tag in ("ol", "ul")))


def _in_points(element: Element, depth: int) -> Iterator[tuple[str, str, int]]:
    for child in element.elements():
        is_point = child.tag.rpartition(":")[2] == "navpoint"
        if is_point:
            label = next((line_of(part) for part in child.elements() if part.tag.endswith("navlabel")), "")
            target = next((part.get("src") for part in child.elements() if part.tag.endswith("content")), "")
            yield target, label, depth + 1
        yield from _in_points(child, depth + is_point)
