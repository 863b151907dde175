"""Automatic numbering: the mark that Word prints before a paragraph (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.styles import Styles
from ingest.parsers.docx.xml import W, number, switch, value
from ingest.parsers.numerals import numeral
from ingest.parsers.symbols import readable

_LEVELS: Final = 9
_PLACE: Final = re.compile(r"%([1-9])")
# Signs that only say "a point of a list", and the letter that Word sets in Courier as a ring.
_POINTS: Final = frozenset("•·●○■□◆◇▪▫‣▶►➢➤o∙◦⚫⬤-–—*")
BULLET: Final = "•"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One ``w:lvl``. ``restart`` is the level (1-based) whose use starts this one anew, 0 for never."""

    start: int = 1
    kind: str = "decimal"
    width: int = 1
    text: str = ""
    restart: int | None = None
    legal: bool = False
    gap: str = " "
    style: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What stands before a paragraph. ``text`` ends with its gap; ``level`` is 0-based."""

    text: str
    level: int
    is_bullet: bool


class Numbering:
    """Counts through one file: ``mark`` is to be asked once for each numbered paragraph, in order."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract = {} if root is None else _by_id(root, "abstractNum", "abstractNumId")
        self._nums = {} if root is None else _by_id(root, "num", "numId")
        self._levels: dict[str, tuple[str, tuple[Level, ...]]] = {}
        # Lists that share an abstract definition count on together; keys are its ids.
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[tuple[str, int]] = set()

    def mark(self, num_id: str | None, level: int | None, style_id: str | None = None) -> Mark | None:
        """The mark of the next paragraph of list ``num_id``, or ``None`` when it carries none."""
        if not num_id or num_id not in self._nums:
            return None
        abstract_id, levels = self._definition(num_id)
        if level is None:
            level = next((at for at, one in enumerate(levels) if style_id and one.style == style_id), 0)
        level = min(max(level, 0), _LEVELS - 1)
        counts = self._counts.setdefault(abstract_id, [None] * _LEVELS)
        self._count(num_id, level, levels, counts)
        text, is_bullet = _shown(levels, level, counts)
        return Mark(text=text and text + levels[level].gap, level=level, is_bullet=is_bullet)

    def _count(self, num_id: str, level: int, levels: tuple[Level, ...], counts: list[int | None]) -> None:
        for above in range(level):
            if counts[above] is None:
                # Word counts a level that was passed over as if its first paragraph stood there.
                counts[above] = levels[above].start
        start = self._start_override(num_id, level)
        before = counts[level]
        if start is not None:
            counts[level] = start
        else:
            counts[level] = levels[level].start if before is None else before + 1
        for deeper in range(level + 1, _LEVELS):
            restart = levels[deeper].restart
            if restart is None or level < restart:
                counts[deeper] = None

    def _start_override(self, num_id: str, level: int) -> int | None:
        """The number that this list begins a level with, the first time that it comes to it."""
        if (num_id, level) in self._begun:
            return None
        self._begun.add((num_id, level))
        for override in self._nums[num_id].findall(W + "lvlOverride"):
            if number(override, "", "ilvl") == level:
                return number(override, "startOverride")
        return None

    def _definition(self, num_id: str) -> tuple[str, tuple[Level, ...]]:
        if num_id not in self._levels:
            num = self._nums[num_id]
            abstract_id = self._resolved(value(num, "abstractNumId") or "")
            found = {number(lvl, "", "ilvl"): lvl for lvl in self._lvls(abstract_id)}
            for override in num.findall(W + "lvlOverride"):
                if (own := override.find(W + "lvl")) is not None:
                    found[number(override, "", "ilvl")] = own
            self._levels[num_id] = (abstract_id, tuple(_level(found.get(at)) for at in range(_LEVELS)))
        return self._levels[num_id]

    def _lvls(self, abstract_id: str) -> list[Element]:
        abstract = self._abstract.get(abstract_id)
        return [] if abstract is None else abstract.findall(W + "lvl")

    def _resolved(self, abstract_id: str) -> str:
        """The definition itself where this one only names a list style (``numStyleLink``)."""
        linked = value(self._abstract.get(abstract_id), "numStyleLink")
        num_id = self._styles.numbering_of(linked) if linked else None
        target = value(self._nums.get(num_id or ""), "abstractNumId")
        return target if target in self._abstract and target is not None else abstract_id


def _by_id(root: Element, tag: str, attribute: str) -> dict[str, Element]:
    return {one.get(W + attribute, ""): one for one in root.findall(W + tag)}


def _level(lvl: Element | None) -> Level:
    if lvl is None:
        return Level(kind="none")
    kinds = list(lvl.iter(W + "numFmt"))
    kind = kinds[0] if kinds else None
    text = "" if switch(lvl, "rPr/vanish") else value(lvl, "lvlText") or ""
    sample = (value(kind, "", "format") or "").split(",")[0].strip()
    return Level(
        start=number(lvl, "start") or 0,
        kind=value(kind) or "decimal",
        width=len(sample) if sample.isdigit() else 1,
        text=readable(text, value(lvl, "rPr/rFonts", "ascii") or ""),
        restart=number(lvl, "lvlRestart"),
        legal=bool(switch(lvl, "isLgl")),
        gap="" if value(lvl, "suff") == "nothing" else " ",
        style=value(lvl, "pStyle"),
    )


def _shown(levels: tuple[Level, ...], level: int, counts: list[int | None]) -> tuple[str, bool]:
    """The mark without its gap, and whether it is a bullet."""
    own = levels[level]
    if own.kind == "bullet":
        text = own.text.strip()
        return (BULLET if not text or text in _POINTS else text), True

    def part(found: re.Match[str]) -> str:
        at = int(found.group(1)) - 1
        count = counts[at]
        shown = levels[at].start if count is None else count
        if own.legal or levels[at].kind == "custom":
            return str(shown).zfill(levels[at].width)
        return numeral(shown, levels[at].kind)

    return _PLACE.sub(part, own.text).strip(), False
