"""What inline styles and old attributes say about the look of an element, as far as reading needs it."""

from __future__ import annotations

import re
from typing import Final

from ingest.parsers.web.tree import Element

Colour = tuple[int, int, int]
WHITE: Final[Colour] = (255, 255, 255)
_NAMED: Final = {
    "white": WHITE, "black": (0, 0, 0), "red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255),
    "yellow": (255, 255, 0), "gray": (128, 128, 128), "grey": (128, 128, 128), "silver": (192, 192, 192),
    "snow": (255, 250, 250), "ivory": (255, 255, 240), "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
}  # fmt: skip
_HEX: Final = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{2})?")
_RGB: Final = re.compile(r"rgba?\(\s*(\d+)\s*[, ]\s*(\d+)\s*[, ]\s*(\d+)")
_SIZE: Final = re.compile(r"(\d*\.?\d+)([a-z%]*)")
_NUMBER: Final = re.compile(r"-?\d*\.?\d+")
# No eye tells colours apart that differ by less than this in every channel.
_INDISTINCT: Final = 8
# A font of at most this many pixels or points is not read by anybody.
_UNREADABLE: Final = 1.0
# Text pushed so far out (pixels) is meant for nobody's eyes.
_FAR_OUT: Final = -900.0


def declarations(style: str) -> dict[str, str]:
    """The declarations of a ``style`` attribute, names and values in lower case."""
    found: dict[str, str] = {}
    for declaration in style.lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def style_of(element: Element) -> dict[str, str]:
    """The declarations of the element's own ``style``."""
    style = element.attributes.get("style")
    return declarations(style) if style else {}


def is_undisplayed(style: dict[str, str]) -> bool:
    """Whether the element and everything inside takes no place on the page."""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return True
    if _number(style.get("opacity", "1"), 1.0) <= 0.01:
        return True
    placed = style.get("position") in ("absolute", "fixed")
    far = placed and min(_number(style.get(side, "0"), 0.0) for side in ("left", "top", "right")) < _FAR_OUT
    clipped = style.get("overflow") == "hidden" and any(
        _number(style.get(size, "1"), 1.0) == 0 for size in ("height", "max-height", "width", "max-width")
    )
    return far or clipped or _number(style.get("text-indent", "0"), 0.0) < _FAR_OUT


def font_is_unreadable(style: dict[str, str]) -> bool | None:
    """Whether the font is too small for any eye; ``None`` when the style says nothing absolute about it."""
    size = style.get("font-size", "")
    found = _SIZE.fullmatch(size)
    if found is None:
        return None if not size or size in ("inherit", "smaller", "larger", "unset", "revert") else False
    number, unit = float(found.group(1)), found.group(2)
    if unit in ("em", "%") and number > 0:
        # Relative to what the parent has: a tiny font stays tiny.
        return None
    return number == 0 or (unit in ("px", "pt") and number <= _UNREADABLE)


def colour(value: str) -> Colour | None:
    """Red, green and blue of a colour; ``None`` for what is none or unknown here."""
    value = value.strip().lower()
    if value in _NAMED:
        return _NAMED[value]
    if found := _HEX.fullmatch(value):
        digits = found.group(1)
        digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if found := _RGB.match(value):
        red, green, blue = (min(int(part), 255) for part in found.groups())
        return red, green, blue
    return None


def look_alike(first: Colour, second: Colour) -> bool:
    """Whether nobody could read the one on the other."""
    return all(abs(one - other) < _INDISTINCT for one, other in zip(first, second, strict=True))


def _number(value: str, default: float) -> float:
    found = _NUMBER.match(value)
    return float(found.group()) if found else default
