"""Leaves out what no reader of a page sees: hidden, transparent, tiny, white on white."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ingest.parsers.web.sheet import hiding_names
from ingest.parsers.web.style import (
    WHITE,
    Colour,
    colour,
    font_is_unreadable,
    is_undisplayed,
    look_alike,
    style_of,
)
from ingest.parsers.web.tree import Element, visible_size

# Never shown as text, in any browser; what is inside was not written for a reader of the page.
_NO_TEXT: Final = frozenset(
    ["script", "style", "template", "iframe", "object", "audio", "video", "canvas", "datalist", "param"]
)
# The picture of a formula is marked as hidden for programs that read aloud, yet it is what the eye sees.
_FORMULA_IMAGE: Final = "mwe-math-fallback-image"
# What widely used style sheets call text that is for programs that read aloud only.
_HIDING_CLASSES: Final = frozenset(
    [
        "sr-only",
        "visually-hidden",
        "visuallyhidden",
        "screen-reader-text",
        "element-invisible",
        "element-hidden",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What an element hands down to the text inside. ``background`` is ``None`` when a picture, or unknown."""

    tiny: bool = False
    invisible: bool = False
    text: Colour = (0, 0, 0)
    background: Colour | None = WHITE

    @property
    def hides(self) -> bool:
        same = self.background is not None and look_alike(self.text, self.background)
        return self.tiny or self.invisible or same


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """Half of the visible characters of the page, and the selectors that its sheets hide."""

    half: float
    hiding: frozenset[str]


def drop_hidden(root: Element) -> int:
    """Takes out of the tree what is not seen; returns the number of characters that were there.

    Scripts, style sheets and the like are not counted: they are no text. Of the sheets in the page only
    what hides a class or an id for good is heeded (see ``html_sheet``); others are never fetched.
    """
    body = next(root.all("body"), root)
    sheets = [sheet.text() for sheet in root.all("style")]
    hiding = hiding_names(sheets, " ".join(script.text() for script in root.all("script")))
    linked = any("stylesheet" in link.words("rel") for link in root.all("link"))
    painted = linked or any("background" in sheet for sheet in sheets)
    _drop_without_text(root)
    look = _look(body, _Look(background=None if painted else WHITE))
    return _prune(body, look, _Page(half=body.size() / 2, hiding=hiding))


def _drop_without_text(root: Element) -> None:
    for element in [root, *root.all()]:
        for child in element.children:
            if not isinstance(child, str) and child.tag in _NO_TEXT:
                element.children = [
                    other for other in element.children if isinstance(other, str) or other.tag not in _NO_TEXT
                ]
                break


def _prune(element: Element, look: _Look, page: _Page) -> int:
    hidden = 0
    kept: list[Element | str] = []
    for child in element.children:
        if isinstance(child, str):
            if not look.hides:
                kept.append(child)
            elif child.strip():
                hidden += visible_size(child)
        elif _is_hidden(child, page):
            hidden += _size(child)
        else:
            hidden += _prune(child, _look(child, look), page)
            kept.append(child)
    element.children = kept
    return hidden


def _is_hidden(element: Element, page: _Page) -> bool:
    attributes = element.attributes
    if element.tag == "noscript":
        return True
    if not attributes:
        return element.tag == "dialog"
    classes = element.words("class")
    if _FORMULA_IMAGE in " ".join(classes):
        return False
    if classes & _HIDING_CLASSES or (page.hiding and _is_named(element, page.hiding)):
        return True
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if element.tag == "dialog" and "open" not in attributes:
        return True
    # A page that was saved while a dialog was open has all of itself marked as hidden for screen readers.
    if attributes.get("aria-hidden", "").lower() == "true" and element.size() <= page.half:
        return True
    return "style" in attributes and is_undisplayed(style_of(element))


def _is_named(element: Element, selectors: frozenset[str]) -> bool:
    names = [f".{name}" for name in element.get("class").split()] + [f"#{element.get('id')}"]
    return not selectors.isdisjoint(names)


def _size(element: Element) -> int:
    # Inside <noscript> stands markup, not text.
    if element.tag != "noscript":
        return element.size()
    return visible_size(" ".join(part.partition(">")[2] for part in ("x>" + element.text()).split("<")))


def _look(element: Element, around: _Look) -> _Look:
    attributes = element.attributes
    if not attributes.keys() & {"style", "bgcolor", "color", "background"}:
        return around
    style = style_of(element)
    tiny = font_is_unreadable(style)
    visibility = style.get("visibility", "")
    return replace(
        around,
        tiny=around.tiny if tiny is None else tiny,
        invisible=visibility in ("hidden", "collapse") if visibility else around.invisible,
        text=colour(style.get("color", attributes.get("color", ""))) or around.text,
        background=_background(element, style, around.background),
    )


def _background(element: Element, style: dict[str, str], around: Colour | None) -> Colour | None:
    if "background" in element.attributes or "background-image" in style:
        return None
    value = style.get("background-color") or style.get("background") or element.get("bgcolor")
    if not value or value in ("none", "transparent", "inherit", "initial"):
        return around
    return colour(value)
