"""What hangs on a paragraph besides its words: boxes, pictures, charts, objects and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.seen import Ground, shape_ground
from ingest.parsers.docx.xml import DGM, MC, WP, A, R, V, W, chosen

_SHAPES: Final = frozenset(V + name for name in ("shape", "rect", "roundrect", "oval"))
_ANCHORS: Final = (WP + "inline", WP + "anchor")
_EMU_PER_MM: Final = 36_000


@dataclass(frozen=True, slots=True)
class Note:
    """A foot- or endnote: the part it stands in, its id there, and the mark in the text."""

    kind: str
    note_id: str
    mark: str


@dataclass(frozen=True, slots=True)
class Box:
    """A text box; ``content`` holds its paragraphs and tables."""

    content: Element
    ground: Ground


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture by its relationship id, with the words that describe it and its size on paper in mm, 0 where
    unknown.
    """

    file: str = ""
    words: str = ""
    width: float = 0
    height: float = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart or a diagram (SmartArt), drawn from data in a part of its own."""

    file: str
    is_diagram: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """Words that are part of a drawing."""

    text: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """An object of another program; only its preview can be looked at."""


Attached = Note | Box | Picture | Figure | Drawn | Embedded


def attachments(element: Element, ground: Ground) -> Iterator[Attached]:
    """What ``w:drawing``, ``w:pict`` or ``w:object`` shows, in order; nothing for any other element."""
    tag = element.tag
    if tag == W + "txbxContent":
        yield Box(element, ground)
    elif tag == W + "object":
        yield Embedded()
        yield from _inside(element, ground)
    elif tag in _ANCHORS:
        yield from _anchored(element, ground)
    elif str(tag).endswith("}chart"):
        # The newer kinds (waterfall, map) have a namespace of their own.
        yield Figure(element.get(R + "id", ""), is_diagram=False)
    elif tag == DGM + "relIds":
        yield Figure(element.get(R + "dm", ""), is_diagram=True)
    elif tag == V + "textpath":
        yield Drawn(element.get("string", ""))
    elif tag == A + "p":
        yield Drawn("".join(run.text or "" for run in element.iter(A + "t")))
    elif tag == V + "imagedata":
        yield Picture(file=element.get(R + "id", ""))
    elif isinstance(tag, str) and tag.endswith("}pic"):
        yield _picture(element)
    elif tag in _SHAPES:
        words = element.get("alt", "")
        for one in _inside(element, shape_ground(element, ground)):
            yield replace(one, words=words) if isinstance(one, Picture) else one
    else:
        yield from _inside(element, shape_ground(element, ground) if str(tag).endswith("}wsp") else ground)


def _inside(element: Element, ground: Ground) -> Iterator[Attached]:
    for child in chosen(element) if element.tag == MC + "AlternateContent" else element:
        yield from attachments(child, ground)


def _anchored(anchor: Element, ground: Ground) -> Iterator[Attached]:
    """One drawing; the words that describe it go to its first picture, or stand alone."""
    properties = anchor.find(WP + "docPr")
    words = "" if properties is None else properties.get("descr", "")
    extent = anchor.find(WP + "extent")
    painted = next(anchor.iter(A + "blip"), None) is not None
    found = list(_inside(anchor, Ground(None) if painted else ground))
    pictures = [one for one in found if isinstance(one, Picture)]
    if words and not pictures:
        found.append(Picture(words=words))
    for one in found:
        if isinstance(one, Picture) and one.file:
            described = replace(one, words=one.words or (words if one is pictures[0] else ""))
            yield _sized(described, extent) if len(pictures) == 1 else described
        else:
            yield one


def _picture(element: Element) -> Picture:
    blip = next(element.iter(A + "blip"), None)
    named = next((one for one in element.iter() if str(one.tag).endswith("}cNvPr")), None)
    picture = Picture(
        file="" if blip is None else blip.get(R + "embed", ""),
        words="" if named is None else named.get("descr", ""),
    )
    return _sized(picture, next(element.iter(A + "ext"), None))


def _sized(picture: Picture, extent: Element | None) -> Picture:
    if extent is None or not extent.get("cx", "").isdigit() or not extent.get("cy", "").isdigit():
        return picture
    width, height = (int(extent.get(side, "0")) / _EMU_PER_MM for side in ("cx", "cy"))
    return replace(picture, width=width, height=height)
