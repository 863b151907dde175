"""What a shape is on its slide, and which list styles it inherits from layout and master."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_TITLES: Final = ("title", "ctrTitle")
_FURNITURE: Final = ("dt", "ftr", "hdr", "sldNum")


class Role(StrEnum):
    """What a shape's text is. ``NUMBER``: the page number."""

    TITLE = "title"
    BODY = "body"
    FOOTER = "footer"
    NUMBER = "number"


def _placeholder(element: Any) -> Any:
    return next(element.iter(f"{_P}ph"), None)


def role_of(element: Any) -> Role:
    placeholder = _placeholder(element)
    kind = placeholder.get("type", "obj") if placeholder is not None else ""
    if kind in _TITLES:
        return Role.TITLE
    if kind == "sldNum":
        return Role.NUMBER
    return Role.FOOTER if kind in _FURNITURE else Role.BODY


def styles_of(element: Any, slide: Any) -> list[Any]:
    """The list styles a placeholder inherits: its layout's, its master's, then the master's for its kind."""
    placeholder = _placeholder(element)
    if placeholder is None:
        return []
    kind, index = placeholder.get("type", "obj"), placeholder.get("idx", "0")
    layout, master = slide.slide_layout, slide.slide_layout.slide_master
    matching = [e for e in layout._element.iter(f"{_P}sp") if _matches(e, kind, index)]
    family = "title" if kind in _TITLES else "body"
    general = [e for e in master._element.iter(f"{_P}sp") if _matches(e, family, "")]
    styles = [e.find(f"{_P}txBody/{_A}lstStyle") for e in (*matching[:1], *general[:1])]
    kinds = {"title": "titleStyle", "body": "bodyStyle"}
    name = "otherStyle" if kind in _FURNITURE else kinds[family]
    return [*styles, master._element.find(f"{_P}txStyles/{_P}{name}")]


def _matches(element: Any, kind: str, index: str) -> bool:
    placeholder = _placeholder(element)
    if placeholder is None:
        return False
    if index and placeholder.get("idx", "0") != "0":
        return bool(placeholder.get("idx") == index)
    return bool(placeholder.get("type", "obj") == kind)
