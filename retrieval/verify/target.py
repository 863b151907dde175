"""The part of a source that a sentence is held against: its sentences, rows under their headers, joined in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from core.span import Span
from ingest.sentences import sentences
from retrieval.verify.tokens import Fact, Line, PlacedMark, Token, line

# Places between tokens of neighbouring sentences, and of sentences that stand apart.
_NEXT: Final = 3
_APART: Final = 40
_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\Z")
_MOST_HEADER: Final = 4000


@dataclass(frozen=True)
class Unit:
    """A sentence or table row at ``span`` of the document ``text``.

    ``line`` holds its parts; ``origins`` are the places of its tokens in the document. A row's line goes cell by
    cell, each behind its column's name.
    """

    text: str
    span: Span
    line: Line
    origins: tuple[Span, ...]
    is_row: bool = False

    @cached_property
    def features(self) -> frozenset[str]:
        return features(self.line)


def features(of: Line) -> frozenset[str]:
    """What a text shares with another: words, facts, pairs of neighbouring Chinese signs."""
    found = {token.key for token in of.tokens if not token.is_han and token.weight}
    pairs = ((left, right) for left, right in pairwise(of.tokens) if left.is_han and right.is_han)
    return frozenset(found | {left.key + right.key for left, right in pairs})


@lru_cache(maxsize=256)
def units(text: str, passage: Span) -> tuple[Unit, ...]:
    """The units of ``text`` at ``passage`` in order."""
    found: list[Unit] = []
    header: list[Span] | None = None
    for span in sentences(text, passage.start, passage.end):
        source = span.of(text)
        if not source.startswith("|"):
            header = None
            found.append(_plain(text, span))
            continue
        if header is None:
            header = _header(text, span)
        if not _RULE.match(source):
            cells = _cells(text, span)
            is_row = header and len(header) == len(cells) and header[0] != cells[0]
            found.append(_row(text, span, header, cells) if header and is_row else _plain(text, span))
    return tuple(found)


def _plain(text: str, span: Span) -> Unit:
    made = line(span.of(text))
    at = span.start
    return Unit(
        text=text, span=span, line=made, origins=tuple(Span(at + t.start, at + t.end) for t in made.tokens)
    )


def _header(text: str, row: Span) -> list[Span]:
    """The cells of the header of the table that ``row`` stands in; empty when it has none."""
    first = row.start
    floor = max(0, row.start - _MOST_HEADER)
    while first > floor:
        before = text.rfind("\n", floor, first - 1) + 1
        if before < floor or not text[before:first].startswith("|"):
            break
        first = before
    end = text.find("\n", first)
    if end < 0 or not text[first:end].startswith("|"):
        return []
    rule_end = text.find("\n", end + 1)
    rule = text[end + 1 : rule_end if rule_end >= 0 else len(text)]
    return _cells(text, Span(first, end)) if rule.startswith("|") and _RULE.match(rule) else []


def _cells(text: str, row: Span) -> list[Span]:
    """The cells of a Markdown row; an empty cell is the bar before it."""
    bars = [m.start() + row.start for m in re.finditer(r"(?<!\\)\|", row.of(text))]
    if not bars or bars[-1] < row.end - 1:
        bars.append(row.end)
    return [Span(left, max(right, left + 1)) for left, right in pairwise(bars)]


def _row(text: str, span: Span, header: Sequence[Span], cells: Sequence[Span]) -> Unit:
    """A row read as its label, then each cell behind the name of its column."""
    tokens: list[Token] = []
    origins: list[Span] = []
    facts: list[Fact] = []
    marks: list[PlacedMark] = []
    for place, (name, cell) in enumerate(zip(header, cells, strict=True)):
        for part in (cell,) if place == 0 else (name, cell):
            made = line(part.of(text).strip("|"))
            offset = len(tokens)
            lead = 1 if part.of(text).startswith("|") else 0
            tokens += [token._replace(clause=place) for token in made.tokens]
            origins += [Span(part.start + lead + t.start, part.start + lead + t.end) for t in made.tokens]
            facts += [
                Fact(value=f.value, first=f.first + offset, last=f.last + offset, said=f.said)
                for f in made.facts
            ]
            marks += [PlacedMark(mark=m.mark, at=m.at + offset, said=m.said) for m in made.marks]
    joined = Line(source=span.of(text), tokens=tuple(tokens), facts=tuple(facts), marks=tuple(marks))
    return Unit(text=text, span=span, line=joined, origins=tuple(origins), is_row=True)


@dataclass(frozen=True)
class Target:
    """Units joined in order. ``at`` are the tokens' places on one scale: what stands apart lies far apart.

    ``clauses`` are counted through; ``origins`` are the places in the document.
    """

    units: tuple[Unit, ...]
    tokens: tuple[Token, ...]
    at: tuple[int, ...]
    clauses: tuple[int, ...]
    origins: tuple[Span, ...]
    facts: tuple[Fact, ...]
    marks: tuple[PlacedMark, ...]
    # The unit of each token.
    owner: tuple[int, ...]

    def words(self, first: int, last: int) -> str:
        """The source's words from token ``first`` up to ``last`` (not included), as far as its sentence goes."""
        while self.owner[last - 1] != self.owner[first]:
            last -= 1
        start, end = self.origins[first].start, self.origins[last - 1].end
        return self.units[self.owner[first]].text[start:end] if start < end else ""

    @cached_property
    def index(self) -> dict[str, list[int]]:
        """Places of each token by key."""
        found: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            found.setdefault(token.key, []).append(place)
        return found


def joined(chosen: Sequence[tuple[Unit, bool]]) -> Target:
    """The chosen units as one; the flag says whether a unit follows right behind the one before it."""
    tokens: list[Token] = []
    at: list[int] = []
    clauses: list[int] = []
    owner: list[int] = []
    facts: list[Fact] = []
    marks: list[PlacedMark] = []
    place, clause = 0, 0
    for number, (unit, follows) in enumerate(chosen):
        offset = len(tokens)
        place += (_NEXT if follows else _APART) if number else 0
        for step, token in enumerate(unit.line.tokens):
            tokens.append(token)
            at.append(place + step)
            clauses.append(clause + token.clause)
            owner.append(number)
        place += len(unit.line.tokens)
        clause = (clauses[-1] if clauses else clause) + 1
        facts += [
            Fact(value=f.value, first=f.first + offset, last=f.last + offset, said=f.said)
            for f in unit.line.facts
        ]
        marks += [PlacedMark(mark=m.mark, at=m.at + offset, said=m.said) for m in unit.line.marks]
    return Target(
        units=tuple(unit for unit, _ in chosen),
        tokens=tuple(tokens),
        at=tuple(at),
        clauses=tuple(clauses),
        origins=tuple(origin for unit, _ in chosen for origin in unit.origins),
        facts=tuple(facts),
        marks=tuple(marks),
        owner=tuple(owner),
    )
