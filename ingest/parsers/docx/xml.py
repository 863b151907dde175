"""Names of WordprocessingML and the small readings of its elements that the Word parser shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
V: Final = "{urn:schemas-microsoft-com:vml}"

# Marks around text that stays: what they hold is read as if they were not there.
_WRAPPERS: Final = frozenset(
    W + tag for tag in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")
)


def value(element: Element | None, path: str = "", attribute: str = "val") -> str | None:
    """The ``w:`` attribute of the element at ``path`` ("pPr/pStyle") below ``element``, if both are there."""
    found = find(element, path) if path else element
    return None if found is None else found.get(W + attribute)


def number(element: Element | None, path: str = "", attribute: str = "val") -> int | None:
    """The same as a whole number, ``None`` when it is none."""
    text = value(element, path, attribute)
    try:
        return None if text is None else int(float(text))
    except (ValueError, OverflowError):
        return None


def switch(element: Element | None, path: str) -> bool | None:
    """Whether the toggle at ``path`` is on; ``None`` when nothing is said."""
    return is_on(find(element, path))


def is_on(toggle: Element | None) -> bool | None:
    """Whether a toggle is on; ``None`` when it is not there."""
    return None if toggle is None else toggle.get(W + "val", "1").lower() not in ("0", "false", "off", "none")


def find(element: Element | None, path: str) -> Element | None:
    """The first element at ``path`` in the ``w:`` namespace."""
    for tag in path.split("/") if path else ():
        element = None if element is None else element.find(W + tag)
    return element


def chosen(alternate: Element) -> Iterator[Element]:
    """The children of one branch of ``mc:AlternateContent``: the first choice, else the fallback."""
    branch = alternate.find(MC + "Choice")
    if branch is None:
        branch = alternate.find(MC + "Fallback")
    yield from () if branch is None else branch


def flattened(container: Element) -> Iterator[Element]:
    """The children of ``container`` in order, those of content controls and similar marks in their place."""
    for child in container:
        if child.tag in _WRAPPERS:
            yield from flattened(child)
        elif child.tag == MC + "AlternateContent":
            for inner in chosen(child):
                yield from flattened(inner) if inner.tag in _WRAPPERS else (inner,)
        else:
            yield child
