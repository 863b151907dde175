"""Runs of characters as printed lines, and lines as running text: blanks, gaps and hyphens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from ingest.parsers.builder import Box
from ingest.parsers.pdf.layer import Run, hull

_NUMBERED = re.compile(r"第[0-9〇零一二三四五六七八九十百千]+[编章节条]$")
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff，。；：、！？）》”])[ ](?=[\u3400-\u9fff（《“])")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# Dots or dashes that lead the eye over to a number.
_LEADER = re.compile(r"(?:[.．·…‥⋯・_﹍]\s?){4,}")
# In such a word the hyphen is part of it, also at a line's end.
_COMPOUND = frozenset({"self", "non", "well", "long", "short", "high", "low", "cross", "half", "ex", "quasi"})
_LETTER_SPACED = 0.7
# In letters' sizes.
_WIDE_GAP = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLine:
    """One printed line, or one row of a table; the box is in points from the page's top left.

    ``size`` is that of most of its letters in points, ``bold`` says that most are bold, ``turned`` that the
    writing is not level, ``mono`` that all its letters are equally wide.
    """

    text: str
    box: Box
    size: float = 0.0
    bold: bool = False
    turned: bool = False
    mono: bool = False


def printed_lines(runs: Sequence[Run]) -> list[PdfLine]:
    """The runs of one region as lines from top to bottom, vertical columns from right to left."""
    pieces = [list(piece) for _, piece in groupby(runs, key=lambda run: run.line)]
    level = [_line(piece) for piece in pieces if piece[0].is_level]
    turned = [_line(piece) for piece in pieces if not piece[0].is_level]
    downwards = [piece for piece in pieces if piece[0].direction[1] > 0.98]
    if downwards and len(downwards) == len(turned):
        turned.sort(key=lambda line: -line.box[2])
    return [line for line in (*_rows(level), *turned) if line.text]


def _line(piece: Sequence[Run]) -> PdfLine:
    letters = sum(len(run.text) for run in piece)
    bold = sum(len(run.text) for run in piece if run.bold)
    return PdfLine(
        text=clean_line(_spelt(piece)),
        box=hull(run.box for run in piece),
        size=max(piece, key=lambda run: len(run.text)).size,
        bold=2 * bold > letters,
        turned=not piece[0].is_level,
        mono=all(run.mono for run in piece),
    )


def _spelt(piece: Sequence[Run]) -> str:
    """The runs with their blanks; none where a blank stands between all the letters."""
    lone = sum(len(run.text) == 1 for run in piece)
    if len(piece) >= 6 and lone >= _LETTER_SPACED * len(piece):
        return "".join(
            (" " if number and run.box[0] - piece[number - 1].box[2] > run.size else "") + run.text
            for number, run in enumerate(piece)
        )
    return "".join(
        (_gap_before(run, piece[number - 1]) if number else "") + run.text for number, run in enumerate(piece)
    )


def _gap_before(run: Run, before: Run) -> str:
    """A blank where the page shows one; a wide one, which parts columns, stays between Chinese words too."""
    if run.box[0] - before.box[2] > _WIDE_GAP * run.size:
        return "\u3000"
    return " " if run.spaced else ""


def _rows(lines: list[PdfLine]) -> Iterator[PdfLine]:
    """Lines at the same height as one, from left to right; from right to left in such a script."""
    rows: list[list[PdfLine]] = []
    for line in sorted(lines, key=lambda line: (line.box[1] + line.box[3]) / 2):
        if rows and _at_same_height(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        leftwards = len(_RIGHT_TO_LEFT.findall("".join(line.text for line in row))) > 2
        row.sort(key=lambda line: -line.box[2] if leftwards else line.box[0])
        yield row[0] if len(row) == 1 else _merged(row)


def _at_same_height(row: list[PdfLine], line: PdfLine) -> bool:
    tall = max(row, key=lambda other: other.box[3] - other.box[1])
    shared = min(tall.box[3], line.box[3]) - max(tall.box[1], line.box[1])
    lower = min(tall.box[3] - tall.box[1], line.box[3] - line.box[1])
    return shared > 0.6 * lower


def _merged(row: list[PdfLine]) -> PdfLine:
    text = row[0].text
    for before, line in pairwise(row):
        gap = max(line.box[0] - before.box[2], before.box[0] - line.box[2])
        other_size = abs(line.size - before.size) > 0.1 * before.size
        if other_size and abs(gap) < 0.2 * line.size:
            # A mark set apart for its size, such as a footnote's number, touches its word.
            text += line.text
        else:
            wide = gap > line.size
            text = f"{text} {line.text}" if wide else clean_line(f"{text} {line.text}")
    longest = max(row, key=lambda line: len(line.text))
    return PdfLine(
        text=clean_line(text) if _LEADER.search(text) else text,
        box=hull(line.box for line in row),
        size=longest.size,
        bold=longest.bold,
        mono=all(line.mono for line in row),
    )


def clean_line(text: str) -> str:
    """The line without control characters, runs of blanks, lone blanks inside Chinese and dot leaders."""
    visible = "".join(char if char >= " " else " " for char in text)
    spelt = " ".join(_HAN_GAP.sub(_closed_gap, visible).split())
    if all(len(word) == 1 and "\u3400" <= word <= "\u9fff" for word in spelt.split()):
        # A short title set wide: "目　录".
        return spelt.replace(" ", "")
    return " ".join(_LEADER.sub(" … ", spelt).split()) if _LEADER.search(spelt) else spelt


def _closed_gap(gap: re.Match[str]) -> str:
    """Nothing, but the space stays that parts the number of an article or chapter from its words."""
    return " " if _NUMBERED.search(gap.string[max(gap.start() - 12, 0) : gap.start()]) else ""


def join_lines(lines: Sequence[str]) -> str:
    """Lines of one paragraph as one line: no space inside Chinese, hyphenated words mended."""
    joined = ""
    for line in lines:
        joined, separator = mended(joined, line)
        joined += separator + line
    return joined


def mended(before: str, after: str) -> tuple[str, str]:
    """``before`` without a hyphen that only broke a word at the line's end, and what goes between."""
    if not before or not after:
        return before, ""
    if before.endswith(("-", "\u00ad", "\u2010")) and len(before) > 1:
        word = before.split()[-1][:-1]
        is_broken = len(word) > 1 and word.isalpha() and after[0].islower()
        if is_broken and word.lower() not in _COMPOUND:
            return before[:-1], ""
        return before, ""
    if before[-1] in "–—/" and before[-2:-1].isalnum():
        return before, ""
    wide = before[-1] >= "\u2e80" or after[0] >= "\u2e80"
    return before, "" if wide or before[-1].isspace() else " "
