"""The paragraphs of a shape's text: their words, bullets and levels, and the text that nobody sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ingest.parsers.docx.math import linear
from ingest.parsers.numerals import numeral

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_BULLETS: Final = ("buNone", "buChar", "buAutoNum", "buBlip")
# Hundredths of a point; nobody reads text of three points on a slide.
_TINY: Final = 300
# Thousandths of a percent.
_TRANSPARENT: Final = 5000
# 20.1.10.70 and .71: what a level and a first number may be.
_MAX_LEVEL: Final = 8
_MAX_NUMBER: Final = 32767
# The first part of an automatic number's name (20.1.10.61) as the numeral it stands for.
_NUMERALS: Final = {
    "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman",
    "circleNum": "decimalEnclosedCircle", "ea1Chs": "chineseCounting", "ea1Cht": "chineseCounting",
    "ea1Jpn": "chineseCounting",
}  # fmt: skip
DEFAULT_SIZE: Final = 1800


@dataclass(frozen=True, slots=True, kw_only=True)
class SlideLine:
    """One paragraph. ``size`` is its largest font in hundredths of a point, as far as it is said."""

    text: str
    is_item: bool = False
    size: int = DEFAULT_SIZE


class TextReader:
    """Reads text bodies; ``ground`` is the colour behind the text, empty when it is not known."""

    def __init__(self, colour_of: Callable[[Any], str]) -> None:
        self._colour_of = colour_of
        self.found_hidden = False

    def lines(self, body: Any, styles: Sequence[Any], ground: str = "") -> list[SlideLine]:
        """The paragraphs of ``body`` that show something.

        ``styles`` are the list styles that apply, nearest first. What is hidden is left out and sets
        ``found_hidden``.
        """
        chain = [style for style in (body.find(f"{_A}lstStyle"), *styles) if style is not None]
        numbers = _Numbers()
        lines: list[SlideLine] = []
        for paragraph in body.iterfind(f"{_A}p"):
            properties = paragraph.find(f"{_A}pPr")
            level = int(properties.get("lvl", "0")) if properties is not None else 0
            level = min(max(level, 0), _MAX_LEVEL)
            inherited = [s.find(f"{_A}lvl{level + 1}pPr") for s in chain]
            levels = [p for p in (properties, *inherited) if p is not None]
            text = "".join(self._pieces(paragraph, ground)).strip("\n")
            text = "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())
            if text:
                mark = numbers.mark(_bullet(levels), level)
                indent = "  " * level if mark else ""
                words = f"{indent}{mark} {text}" if mark else text
                lines.append(SlideLine(text=words, is_item=bool(mark), size=_size(paragraph, levels)))
        return lines

    def _pieces(self, parent: Any, ground: str) -> Iterator[str]:
        for child in parent:
            name = _local(child)
            if name in ("r", "fld"):
                text = child.findtext(f"{_A}t") or ""
                if text.strip() and self._is_hidden(child.find(f"{_A}rPr"), ground):
                    self.found_hidden = True
                else:
                    yield text.replace("\v", "\n")
            elif name == "br":
                yield "\n"
            elif name in ("oMath", "oMathPara"):
                yield linear(child)
            elif name in ("AlternateContent", "Choice", "m"):
                yield from self._pieces(child, ground)

    def _is_hidden(self, properties: Any, ground: str) -> bool:
        if properties is None:
            return False
        if properties.find(f"{_A}noFill") is not None and properties.find(f"{_A}ln") is None:
            return True
        if int(properties.get("sz", DEFAULT_SIZE)) <= _TINY:
            return True
        fill = properties.find(f"{_A}solidFill")
        if fill is None:
            return False
        alpha = fill.find(f".//{_A}alpha")
        if alpha is not None and int(alpha.get("val", "100000").rstrip("%")) <= _TRANSPARENT:
            return True
        return bool(ground) and self._colour_of(fill) == ground


class _Numbers:
    """Counts automatic numbers, level by level."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[str, int]] = {}

    def mark(self, bullet: Any, level: int) -> str:
        """What stands before a paragraph: "-", a number such as "2.", or nothing."""
        for deeper in [one for one in self._counts if one > level]:
            del self._counts[deeper]
        name = _local(bullet) if bullet is not None else "buNone"
        if name != "buAutoNum":
            self._counts.pop(level, None)
            return "" if name == "buNone" else "-"
        kind = bullet.get("type", "arabicPeriod")
        before, count = self._counts.get(level, ("", 0))
        count = count + 1 if before == kind else min(int(bullet.get("startAt", "1")), _MAX_NUMBER)
        self._counts[level] = kind, count
        return _numbered(kind, count)


def _numbered(kind: str, count: int) -> str:
    stem = next((stem for stem in _NUMERALS if kind.startswith(stem)), "")
    text = numeral(count, _NUMERALS.get(stem, "decimal"))
    if kind.endswith("ParenBoth"):
        return f"({text})"
    if kind.endswith("ParenR"):
        return f"{text})"
    if kind.endswith("Period"):
        return f"{text}、" if stem.startswith("ea1") else f"{text}."
    return text


def _bullet(levels: Sequence[Any]) -> Any:
    for level in levels:
        for child in level:
            if _local(child) in _BULLETS:
                return child
    return None


def _size(paragraph: Any, levels: Sequence[Any]) -> int:
    own = [int(p.get("sz")) for p in paragraph.iterfind(f"{_A}r/{_A}rPr") if p.get("sz")]
    if own:
        return max(own)
    inherited = (level.find(f"{_A}defRPr") for level in levels)
    return next((int(p.get("sz")) for p in inherited if p is not None and p.get("sz")), DEFAULT_SIZE)


def _local(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
