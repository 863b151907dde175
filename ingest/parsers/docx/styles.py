"""What Word's styles say: levels of headings, roles, numbering, and how characters look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.xml import W, find, is_on, number, value

# Word stores its own styles under English names; other programs store what their menus show.
_HEADING: Final = re.compile(
    r"(?:heading|标题|標題|überschrift|titre|título|заголовок|見出し|제목)\s*([1-9])$"
)
_NO_OUTLINE: Final = 9


class Role(StrEnum):
    """What a paragraph is by its style's name."""

    BODY = "body"
    TITLE = "title"
    CAPTION = "caption"
    CONTENTS = "contents"
    CODE = "code"


_ROLES: Final = (
    (re.compile(r"(?:title|标题|標題|文档标题)$"), Role.TITLE),
    (re.compile(r"(?:caption|题注|題注|图注|表注|image caption|table caption)$"), Role.CAPTION),
    (re.compile(r"(?:toc|目录|目錄) ?[1-9]$|toc heading$|table of figures$|图表目录$"), Role.CONTENTS),
    (re.compile(r"html preformatted$|macro text$|preformatted text$|.*\bcode\b.*|.*代码.*"), Role.CODE),
)


# Highlights that white or black text would vanish in.
_MARKERS: Final = {"none": None, "white": "FFFFFF", "black": "000000"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What decides whether characters are seen and stressed; ``None`` where nothing is said.

    ``size`` is in half points; ``colour`` and ``fill`` are six hex digits or "auto".
    """

    hidden: bool | None = None
    bold: bool | None = None
    colour: str | None = None
    size: int | None = None
    fill: str | None = None

    @classmethod
    def of(cls, rpr: Element | None) -> Look:
        """What ``w:rPr`` says itself."""
        if rpr is None:
            return PLAIN
        said = {child.tag: child for child in rpr}
        marker, shade = value(said.get(W + "highlight")), value(said.get(W + "shd"), "", "fill")
        return cls(
            hidden=is_on(said.get(W + "vanish")),
            bold=is_on(said.get(W + "b")),
            colour=value(said.get(W + "color")),
            size=number(said.get(W + "sz")),
            fill=_MARKERS.get(marker or "none", marker) or (shade if shade != "auto" else None),
        )

    def over(self, base: Look) -> Look:
        """This look where it says something, else ``base``."""
        if self is PLAIN:
            return base
        if base is PLAIN:
            return self
        return Look(
            hidden=base.hidden if self.hidden is None else self.hidden,
            bold=base.bold if self.bold is None else self.bold,
            colour=self.colour or base.colour,
            size=base.size if self.size is None else self.size,
            fill=self.fill or base.fill,
        )


PLAIN: Final = Look()


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphStyle:
    """A paragraph style with all it inherits. ``level`` is that of a heading, 1..9, or ``None``; ``fill`` is
    the colour behind the paragraph, if any.
    """

    role: Role = Role.BODY
    level: int | None = None
    num_id: str | None = None
    list_level: int | None = None
    look: Look = PLAIN
    fill: str | None = None


class Styles:
    """The styles of one file."""

    def __init__(self, root: Element | None) -> None:
        styles = [] if root is None else root.findall(W + "style")
        self._by_id = {style.get(W + "styleId", ""): style for style in styles}
        self._default = next(
            (
                style.get(W + "styleId", "")
                for style in styles
                if style.get(W + "type") == "paragraph" and style.get(W + "default") in ("1", "true", "on")
            ),
            "",
        )
        self._base = Look.of(find(root, "docDefaults/rPrDefault/rPr"))
        self._paragraphs: dict[str, ParagraphStyle] = {}
        self._looks: dict[str, Look] = {}

    def paragraph(self, style_id: str | None) -> ParagraphStyle:
        """The style of a paragraph that names ``style_id``, or the default one."""
        key = style_id if style_id in self._by_id else self._default
        assert key is not None
        if key not in self._paragraphs:
            self._paragraphs[key] = self._resolved(key)
        return self._paragraphs[key]

    def look(self, style_id: str | None) -> Look:
        """How a character or paragraph style draws its characters."""
        if not style_id:
            return PLAIN
        if style_id not in self._looks:
            look = PLAIN
            for style in self._chain(style_id):
                look = look.over(Look.of(style.find(W + "rPr")))
            self._looks[style_id] = look
        return self._looks[style_id]

    def shaded_table(self, style_id: str | None) -> bool:
        """Whether a table style paints cells, in any of its conditions."""
        return any(
            _painted(shade) for style in self._chain(style_id or "") for shade in style.iter(W + "shd")
        )

    def numbering_of(self, style_id: str) -> str | None:
        """The ``numId`` that a style carries, inherited or its own."""
        return next((found for s in self._chain(style_id) if (found := value(s, "pPr/numPr/numId"))), None)

    def _resolved(self, style_id: str) -> ParagraphStyle:
        chain = list(self._chain(style_id))
        levels = [at for style in chain if (at := number(style, "pPr/numPr/ilvl")) is not None]
        return ParagraphStyle(
            role=next((role for style in chain if (role := _role(style)) is not Role.BODY), Role.BODY),
            level=next((level for style in chain if (level := _level(style)) is not None), None) or None,
            num_id=self.numbering_of(style_id),
            list_level=levels[0] if levels else None,
            look=self.look(style_id).over(self._base),
            fill=next((found for style in chain if (found := value(style, "pPr/shd", "fill"))), None),
        )

    def _chain(self, style_id: str) -> Iterator[Element]:
        """The style and those it is based on, nearest first; a circle is followed once."""
        seen: set[str] = set()
        while style_id in self._by_id and style_id not in seen:
            seen.add(style_id)
            yield self._by_id[style_id]
            style_id = value(self._by_id[style_id], "basedOn") or ""


def outline_level(ppr: Element | None) -> int | None:
    """The heading level that ``w:pPr`` gives: 1..9, 0 for body text, ``None`` when it says nothing."""
    level = number(ppr, "outlineLvl")
    return None if level is None else level + 1 if 0 <= level < _NO_OUTLINE else 0


def _level(style: Element) -> int | None:
    level = outline_level(style.find(W + "pPr"))
    named = _HEADING.match(_name(style))
    return level if level is not None else int(named.group(1)) if named else None


def _role(style: Element) -> Role:
    name = _name(style)
    return next((role for pattern, role in _ROLES if pattern.match(name)), Role.BODY)


def _name(style: Element) -> str:
    return " ".join((value(style, "name") or "").lower().split())


def _painted(shade: Element) -> bool:
    fill = shade.get(W + "fill", "auto").upper()
    return fill not in ("AUTO", "FFFFFF") or W + "themeFill" in shade.attrib
