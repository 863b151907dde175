"""Two versions of a text, line against line, and word against word inside lines that changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from core.span import Span, trimmed
from ingest.versions.matching import common
from ingest.versions.words import changed_spans

# Work that pairing the lines of one changed stretch may cost, in characters looked at; longer stretches are
# paired in slices, as if nothing had moved far.
_MOST_WORK: Final = 3_000_000
# Lines are versions of each other when they share this much of their pairs of characters.
_ALIKE: Final = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A line of one version; ``changed`` is what of it the other version does not have."""

    span: Span
    changed: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the old version beside the one it became; ``None`` where there is none."""

    old: Side | None
    new: Side | None

    @property
    def is_changed(self) -> bool:
        return any(side is None or bool(side.changed) for side in (self.old, self.new))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All lines of both versions in reading order; blank ones are left out."""

    rows: tuple[Row, ...]

    @property
    def removed(self) -> int:
        """Characters that only the old version has."""
        return _changed(row.old for row in self.rows)

    @property
    def added(self) -> int:
        """Characters that only the new version has."""
        return _changed(row.new for row in self.rows)


def compare(old: str, new: str) -> Comparison:
    """How ``old`` became ``new``. White space at the ends of lines and blank lines do not count."""
    olds, news = _lines(old), _lines(new)
    pairs = common([span.of(old) for span in olds], [span.of(new) for span in news])
    rows: list[Row] = []
    a = b = 0
    for at, other in [*pairs, (len(olds), len(news))]:
        rows += _changed_rows(old, new, olds[a:at], news[b:other])
        if at < len(olds):
            rows.append(Row(old=Side(span=olds[at]), new=Side(span=news[other])))
        a, b = at + 1, other + 1
    return Comparison(rows=tuple(rows))


def _changed(sides: Iterator[Side | None]) -> int:
    return sum(len(span) for side in sides if side for span in side.changed)


def _lines(text: str) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for line in text.split("\n"):
        if found := trimmed(text, start, start + len(line)):
            # Blanks that lead a line may carry meaning (code, lists); those at its end never do.
            spans.append(Span(start, found.end))
        start += len(line) + 1
    return spans


def _changed_rows(old: str, new: str, olds: Sequence[Span], news: Sequence[Span]) -> Iterator[Row]:
    """Lines between two that are equal: each beside the one it became, if any."""
    for a, b in _partners(old, new, olds, news):
        if a is None or b is None:
            yield Row(
                old=None if a is None else Side(span=a, changed=(a,)),
                new=None if b is None else Side(span=b, changed=(b,)),
            )
        else:
            gone, come = changed_spans(a.of(old), b.of(new))
            yield Row(old=_side(a, gone), new=_side(b, come))


def _side(line: Span, changed: Sequence[Span]) -> Side:
    at = line.start
    return Side(span=line, changed=tuple(Span(at + span.start, at + span.end) for span in changed))


Partners = list[tuple[Span | None, Span | None]]


def _partners(old: str, new: str, olds: Sequence[Span], news: Sequence[Span]) -> Partners:
    """The most alike lines beside each other, in order; removed lines come before added ones."""
    if not olds or not news:
        return [(span, None) for span in olds] + [(None, span) for span in news]
    slices = min(-(-_work(olds, news) // _MOST_WORK), len(olds), len(news))
    if slices > 1:
        return [
            pair
            for part in range(slices)
            for pair in _partners(old, new, _slice(olds, part, slices), _slice(news, part, slices))
        ]
    chosen = _aligned([_bigrams(s.of(old)) for s in olds], [_bigrams(s.of(new)) for s in news])
    found: Partners = []
    a = b = 0
    for at, other in [*chosen, (len(olds), len(news))]:
        found += [(span, None) for span in olds[a:at]] + [(None, span) for span in news[b:other]]
        found += [(olds[at], news[other])] if at < len(olds) else []
        a, b = at + 1, other + 1
    return found


def _slice(lines: Sequence[Span], part: int, parts: int) -> Sequence[Span]:
    return lines[len(lines) * part // parts : len(lines) * (part + 1) // parts]


def _work(olds: Sequence[Span], news: Sequence[Span]) -> int:
    return sum(map(len, olds)) * len(news) + sum(map(len, news)) * len(olds)


def _bigrams(line: str) -> frozenset[str]:
    return frozenset(map("".join, pairwise(line))) or frozenset(line)


def _aligned(olds: Sequence[frozenset[str]], news: Sequence[frozenset[str]]) -> list[tuple[int, int]]:
    """Pairs ascending in both with the greatest sum of likeness (Needleman and Wunsch, 1970)."""
    likeness = [[_likeness(a, b) for b in news] for a in olds]
    best = [[0.0] * (len(news) + 1) for _ in range(len(olds) + 1)]
    for a in reversed(range(len(olds))):
        for b in reversed(range(len(news))):
            best[a][b] = max(best[a + 1][b], best[a][b + 1], likeness[a][b] + best[a + 1][b + 1])
    pairs: list[tuple[int, int]] = []
    a = b = 0
    while a < len(olds) and b < len(news):
        if likeness[a][b] and best[a][b] == likeness[a][b] + best[a + 1][b + 1]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif best[a][b] == best[a + 1][b]:
            a += 1
        else:
            b += 1
    return pairs


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    """Dice's coefficient; 0 for lines that are not alike."""
    value = 2 * len(a & b) / (len(a) + len(b))
    return value if value >= _ALIKE else 0.0


def stretches(comparison: Comparison, context: int = 1) -> list[tuple[bool, list[Row]]]:
    """All rows in order, cut where changes begin and end; true for changed ones, ``context`` rows around them
    included."""
    rows = comparison.rows
    near = set[int]()
    for at, row in enumerate(rows):
        if row.is_changed:
            near.update(range(at - context, at + context + 1))
    runs = groupby(range(len(rows)), key=near.__contains__)
    return [(is_near, [rows[at] for at in run]) for is_near, run in runs]
