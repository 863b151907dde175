"""What colour stands behind the text of a shape, as far as the file says it plainly."""

from __future__ import annotations

from typing import Any, Final

from ingest.parsers.builder import Box

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_THEME: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"


class Grounds:
    """The colours of one slide: its background, and the shapes that were painted so far.

    A colour is six hex digits; an empty one is not known, and then nothing is said to be invisible.
    """

    def __init__(self, slide: Any) -> None:
        layout = slide.slide_layout
        master = layout.slide_master
        self._map = _mapping(master)
        self._theme = _theme(master)
        self._painted: list[Box] = []
        decorated = any(_paints(e) for part in (layout, master) for e in part.shapes._spTree.iter())
        backgrounds = [_background(part) for part in (slide, layout, master)]
        properties = next((one for one in backgrounds if one is not None), None)
        self._slide = "" if decorated else self._filled(properties)

    def colour_of(self, fill: Any) -> str:
        """The colour of a solid fill; empty when it is tinted or of a kind not known here."""
        colour = fill[0] if len(fill) else None
        if colour is None or len(colour):
            return ""
        name = str(colour.get("val", ""))
        kind = colour.tag.rpartition("}")[2]
        if kind == "schemeClr":
            return self._theme.get(self._map.get(name, name), "")
        return name.upper() if kind == "srgbClr" else str(colour.get("lastClr", "")).upper()

    def behind(self, element: Any, box: Box) -> str:
        """The colour behind the text of a shape: its own fill, or the slide where nothing else was painted."""
        properties = element.find(f"{_P}spPr")
        if properties is not None and any(_is_fill(child) for child in properties):
            fill = properties.find(f"{_A}solidFill")
            if fill is not None:
                return self.colour_of(fill)
            if properties.find(f"{_A}noFill") is None:
                return ""
        elif element.find(f"{_P}style") is not None:
            return ""
        return "" if any(_overlap(box, painted) for painted in self._painted) else self._slide

    def paint(self, element: Any, box: Box) -> None:
        """Remembers a shape that covers what is under it."""
        if any(_paints(child) for child in element.iter()) or element.find(f"{_P}style") is not None:
            self._painted.append(box)

    def _filled(self, properties: Any) -> str:
        if properties is None:
            return ""
        fill = properties.find(f"{_A}solidFill")
        if fill is not None:
            return self.colour_of(fill)
        # The theme's first background fill paints with the colour inside the reference.
        is_plain = properties.tag == f"{_P}bgRef" and properties.get("idx") == "1001"
        return self.colour_of(properties) if is_plain else ""


def _background(part: Any) -> Any:
    """``p:bgPr`` or ``p:bgRef`` of a slide, layout or master."""
    found = part._element.find(f"{_P}cSld/{_P}bg")
    return found[0] if found is not None and len(found) else None


def _mapping(master: Any) -> dict[str, str]:
    found = master._element.find(f"{_P}clrMap")
    return dict(found.attrib) if found is not None else {}


def _theme(master: Any) -> dict[str, str]:
    from pptx.oxml import parse_xml

    parts = [rel.target_part for rel in master.part.rels.values() if rel.reltype == _THEME]
    scheme = parse_xml(parts[0].blob).find(f".//{_A}clrScheme") if parts else None
    colours: dict[str, str] = {}
    for entry in scheme if scheme is not None else ():
        if len(entry):
            colours[entry.tag.rpartition("}")[2]] = (
                entry[0].get("lastClr") or entry[0].get("val") or ""
            ).upper()
    return colours


def _is_fill(element: Any) -> bool:
    return str(element.tag).rpartition("}")[2] in (
        "solidFill",
        "noFill",
        "gradFill",
        "blipFill",
        "pattFill",
        "grpFill",
    )


def _paints(element: Any) -> bool:
    """Whether an element fills an area: a picture, or a fill right below shape properties."""
    name = str(element.tag).rpartition("}")[2]
    if name in ("pic", "graphicFrame"):
        return True
    parent = element.getparent()
    inside = parent is not None and str(parent.tag).rpartition("}")[2] in ("spPr", "grpSpPr")
    return inside and name in ("solidFill", "gradFill", "blipFill", "pattFill")


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
