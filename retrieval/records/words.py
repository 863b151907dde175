"""A text with the words of its sources taken out: what is stored of an answer, and how it is read again.

A removed document must be gone at once, from answers too. So where an answer repeats words of a source, only
the place is stored; the words are read from the source when the answer is shown, to those who may see it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from core.span import Span

# A stretch of own words, or a place: which version (an index), start and end in its text.
Piece = str | tuple[int, int, int]

# What is shown instead of words that are gone; one for each character, so that positions stay.
BAR: Final = "█"
# What is shorter than this may be alike by chance: six Chinese characters, or twelve letters.
_LEAST: Final = 12
# Answers that no model wrote are the source's own words all but for a few of ours.
_LEAST_UNWRITTEN: Final = 4
# Candidates looked at for the longest common stretch; a rule of a table repeats itself thousands of times.
_MOST_PLACES: Final = 48
_HAN: Final = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003134f]")
# Where an answer puts something of its own between words of sources.
_BORDER: Final = re.compile(r"(\s*\[\d{1,4}\]\s*|[\n*#|]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Words of a source: the characters of version number ``version`` from ``start`` on."""

    version: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Quotes:
    """All words of sources that an answer was given, and the whole texts by number of the version.

    Stretches are looked for in what was given; whole lines, such as a heading above it, everywhere.
    ``is_written`` tells a model's answer.
    """

    quoted: Sequence[Quoted]
    texts: Mapping[int, str]
    is_written: bool
    _known: dict[str, list[Piece]] = field(default_factory=dict, init=False)
    _places: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list), init=False)

    def __post_init__(self) -> None:
        size = self._size
        for index, quoted in enumerate(self.quoted):
            for at in range(len(quoted.text) - size + 1):
                places = self._places[quoted.text[at : at + size]]
                if len(places) < _MOST_PLACES:
                    places.append((index, at))

    @property
    def _least(self) -> int:
        return _LEAST if self.is_written else _LEAST_UNWRITTEN

    @property
    def _size(self) -> int:
        """Characters of the shortest stretch that can weigh enough."""
        return self._least // 2

    def hidden(self, text: str, place: tuple[int, Span] | None = None) -> list[Piece]:
        """``text`` as own words and places; ``place`` is where all of it stands, where that is known."""
        if place is not None and self._stands_at(text, *place):
            return [(place[0], place[1].start, place[1].end)]
        if text not in self._known:
            pieces: list[Piece] = []
            for part in _BORDER.split(text):
                pieces += self._whole(part) or self._runs(part)
            self._known[text] = _joined(pieces)
        return self._known[text]

    def _stands_at(self, text: str, version: int, span: Span) -> bool:
        return len(text) == len(span) and any(
            quoted.version == version
            and quoted.start <= span.start
            and quoted.text[span.start - quoted.start : span.end - quoted.start] == text
            for quoted in self.quoted
        )

    def _whole(self, part: str) -> list[Piece]:
        """A part that is the source's from its first to its last word, however short it is."""
        core = part.strip()
        if len(core) < 2:
            return []
        given = ((quoted.version, quoted.start, quoted.text) for quoted in self.quoted)
        everywhere = ((version, 0, text) for version, text in self.texts.items())
        for version, start, text in chain(given, everywhere):
            if (at := text.find(core)) >= 0:
                lead, _, tail = part.partition(core)
                return [lead, (version, start + at, start + at + len(core)), tail]
        return []

    def _runs(self, part: str) -> Iterator[Piece]:
        """Own words and the longest stretches that are a source's, from left to right."""
        at = kept = 0
        while at < len(part):
            length, index, start = self._longest(part, at)
            if length and _weight(part[at : at + length]) >= self._least:
                quoted = self.quoted[index]
                yield part[kept:at]
                yield (quoted.version, quoted.start + start, quoted.start + start + length)
                at = kept = at + length
            else:
                at += 1
        yield part[kept:]

    def _longest(self, part: str, at: int) -> tuple[int, int, int]:
        """Length, source and place in it of the longest stretch from ``at`` on; length 0 for none."""
        best = (0, 0, 0)
        for index, start in self._places.get(part[at : at + self._size], ()):
            length = _common(part, at, self.quoted[index].text, start)
            if length > best[0]:
                best = (length, index, start)
        return best


def shown(pieces: Sequence[Piece], texts: Mapping[int, str | None]) -> str:
    """The text again; words of a version without a text, or beyond its end, become bars."""
    return "".join(piece if isinstance(piece, str) else _words(*piece, texts) for piece in pieces)


def _words(version: int, start: int, end: int, texts: Mapping[int, str | None]) -> str:
    text = texts.get(version)
    return BAR * (end - start) if text is None or end > len(text) else text[start:end]


def _common(a: str, at: int, b: str, start: int) -> int:
    most = min(len(a) - at, len(b) - start)
    length = 0
    while length < most and a[at + length] == b[start + length]:
        length += 1
    return length


def _weight(text: str) -> int:
    """A Chinese character says about as much as two letters."""
    return len(text) + len(_HAN.findall(text))


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece:
            joined.append(piece)
    return joined
