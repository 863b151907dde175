"""Whether a reader of the page sees characters: not hidden, not tiny, not in the colour they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.styles import Look
from ingest.parsers.docx.xml import A, V, find, value

# Half points: nothing under 3 points can be read on paper.
_TINY: Final = 6
# Steps of 255 by which two colours may differ in each channel and still look alike.
_ALIKE: Final = 10
_HEX: Final = re.compile(r"#?([0-9a-fA-F]{6})")
_FILLS: Final = tuple(
    A + name for name in ("solidFill", "gradFill", "blipFill", "pattFill", "noFill", "grpFill")
)
_WHITE: Final = "FFFFFF"


@dataclass(frozen=True, slots=True)
class Ground:
    """The colour that characters stand on, six hex digits; ``None`` when it cannot be known (a picture)."""

    colour: str | None = _WHITE

    def painted(self, fill: str | None) -> Ground:
        """This ground under a fill, where one is given."""
        return self if fill in (None, "auto", "none") else Ground(_hex(fill))


def is_seen(look: Look, ground: Ground) -> bool:
    """Whether characters that look like this can be read there."""
    if look.hidden or (look.size is not None and look.size < _TINY):
        return False
    colour = _hex(look.colour)
    behind = ground.colour if look.fill is None else _hex(look.fill)
    return colour is None or behind is None or not _alike(colour, behind)


def cell_ground(cell: Element, ground: Ground, *, shaded_style: bool) -> Ground:
    """What the words of ``w:tc`` stand on; a table style that paints leaves it open."""
    fill = value(cell, "tcPr/shd", "fill")
    return Ground(None) if shaded_style and fill in (None, "auto") else ground.painted(fill)


def page_ground(document: Element) -> Ground:
    """The colour of the page itself."""
    return Ground().painted(value(find(document, "background"), "", "color"))


def shape_ground(shape: Element, ground: Ground) -> Ground:
    """What the words in a drawn shape (``wps:wsp``, ``v:shape``) stand on."""
    if str(shape.tag).startswith(V):
        if shape.get("filled", "t").lower() in ("f", "false"):
            return ground
        return Ground(_hex(shape.get("fillcolor", "#" + _WHITE)))
    properties = next((child for child in shape if str(child.tag).endswith("}spPr")), None)
    fill = (
        next((child for child in properties if child.tag in _FILLS), None) if properties is not None else None
    )
    if fill is None:
        styled = any(str(child.tag).endswith("}style") for child in shape)
        return Ground(None) if styled else ground
    if fill.tag == A + "noFill":
        return ground
    colour = fill.find(A + "srgbClr") if fill.tag == A + "solidFill" else None
    return Ground(None if colour is None else _hex(colour.get("val")))


def _hex(colour: str | None) -> str | None:
    found = _HEX.fullmatch(colour or "")
    return found.group(1).upper() if found else None


def _alike(first: str, second: str) -> bool:
    pairs = ((int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (0, 2, 4))
    return all(abs(one - other) <= _ALIKE for one, other in pairs)
