"""A sentence in its parts: words, facts and marks, each at its place, the same however they are written."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from core.span import Span
from ingest.indexes.analyzer import stemmed
from retrieval.verify.folding import Folded, folded
from retrieval.verify.marks import FoundMark, Mark, mark_behind, marks
from retrieval.verify.moments import Moment, moments
from retrieval.verify.names import Name, names
from retrieval.verify.quantities import Quantity, quantities

# Signs and words that carry no meaning of their own: they are passed over.
_STOP_SIGNS: Final = frozenset(
    "的了着之其于在是也就而把将为以至从由对向给让所这那该此等各们吗呢吧啊呀则即又再才个会"
)
_STOP_WORDS: Final = frozenset(
    """a an the this that these those it its he she they them their his her we our you your i my is are was were be been
    being am of to in on at by for from with as than then so such also into there here which who whom whose what when
    where how s t if has have had do does did will would""".split()  # noqa: SIM905 - one word a line would hide the code
)
_WORD = re.compile(
    r"[a-z\u00c0-\u024f0-9]+(?:'[a-z]+)?|[^\W_a-z0-9\u3400-\u9fff]+|[\u3400-\u9fff\U00020000-\U0003134f]"
)
_BORDER = re.compile(r"[,;:。!?！？；：…\n|()（）]|\.(?=\s|$)|--")
_BRITISH = re.compile(r"is(e[ds]?|ing|ations?)\Z")
_HAN_FROM: Final = "\u3400"
_FACT_WEIGHT: Final = 3.0
_WORD_WEIGHT: Final = 2.0


class Token(NamedTuple):
    """One part of a text at ``[start, end)`` of it. ``weight`` is how much it says; ``clause`` counts from 0."""

    key: str
    start: int
    end: int
    weight: float
    clause: int
    is_han: bool = False
    is_fact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A value at ``tokens[first:last]`` that must agree with the source: ``said`` is how it is written."""

    value: Quantity | Moment | Name
    first: int
    last: int
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMark:
    """A mark that is token ``at``."""

    mark: Mark
    at: int
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A text in its parts. Places of tokens are over ``source``; facts and marks are in order."""

    source: str
    tokens: tuple[Token, ...]
    facts: tuple[Fact, ...]
    marks: tuple[PlacedMark, ...]


@lru_cache(maxsize=4096)
def line(source: str) -> Line:
    """``source`` in its parts."""
    plain = folded(source)
    found = _values(source, plain)
    found += _marks(plain.text, found)
    found.sort(key=lambda item: item.start)
    borders = [match.start() for match in _BORDER.finditer(plain.text)]
    tokens: list[Token] = []
    facts: list[Fact] = []
    placed: list[PlacedMark] = []
    at = 0
    for item in (*found, None):
        end = item.start if item else len(plain.text)
        _add_words(plain, at, end, borders, tokens)
        if item is None:
            break
        span = plain.span(item.start, item.end)
        clause = bisect_left(borders, item.start)
        said = span.of(source).strip()
        if isinstance(item, FoundMark):
            placed.append(PlacedMark(mark=item.mark, at=len(tokens), said=said))
            tokens.append(Token(f"~{item.mark.value}", span.start, span.end, 0.0, clause))
        else:
            facts.append(Fact(value=item, first=len(tokens), last=len(tokens) + 1, said=said))
            key = item.key if isinstance(item, Quantity) else f"@{item.iso}"
            weight = 0.5 if isinstance(item, Quantity) and item.weak else _FACT_WEIGHT
            tokens.append(Token(key, span.start, span.end, weight, clause, is_fact=True))
        at = item.end
    facts += _name_facts(source, tokens)
    return Line(
        source=source,
        tokens=tuple(tokens),
        facts=tuple(sorted(facts, key=lambda fact: fact.first)),
        marks=tuple(placed),
    )


def _values(source: str, plain: Folded) -> list[Quantity | Moment | FoundMark]:
    """Dates and times, then quantities where no date, time or identifier stands."""
    found: list[Quantity | Moment | FoundMark] = [*moments(source, plain)]
    taken = [(moment.start, moment.end) for moment in found]
    codes = [
        (bisect_left(plain.at, name.span.start), bisect_left(plain.at, name.span.end))
        for name in names(source)
        if name.kind == "identifier"
    ]
    for quantity in quantities(plain.text):
        start, end = quantity.start, quantity.end
        if any(start < last and first < end for first, last in taken):
            continue
        # 5km is no code, T-200 is no number.
        is_code = any(start < last and first < end and (first, last) != (start, end) for first, last in codes)
        if not is_code and (quantity.dimension or (start, end) not in codes):
            found.append(quantity)
    return found


def _marks(text: str, values: list[Quantity | Moment | FoundMark]) -> list[Quantity | Moment | FoundMark]:
    behind = [mark for value in values if (mark := mark_behind(text, value.end)) is not None]
    found = [*behind, *marks(text)]
    taken = [(value.start, value.end) for value in values]
    kept: list[Quantity | Moment | FoundMark] = []
    for mark in found:
        if all(mark.end <= start or mark.start >= end for start, end in taken):
            kept.append(mark)
            taken.append((mark.start, mark.end))
    return kept


def _add_words(plain: Folded, start: int, end: int, borders: list[int], tokens: list[Token]) -> None:
    for match in _WORD.finditer(plain.text, start, end):
        word = match[0]
        span = plain.span(*match.span())
        clause = bisect_left(borders, match.start())
        if word >= _HAN_FROM and len(word) == 1:
            if word not in _STOP_SIGNS:
                tokens.append(Token(word, span.start, span.end, 1.0, clause, is_han=True))
        elif word not in _STOP_WORDS:
            tokens.append(Token(_stem(word), span.start, span.end, _WORD_WEIGHT, clause))


def _stem(word: str) -> str:
    """The stem without a genitive, and one for recognise and recognize."""
    plain = word.removesuffix("'s")
    return stemmed(_BRITISH.sub(r"iz\1", plain) if len(plain) > 6 else plain)


def _name_facts(source: str, tokens: list[Token]) -> list[Fact]:
    starts = [token.start for token in tokens]
    facts: list[Fact] = []
    for name in names(source):
        first, last = bisect_left(starts, name.span.start), bisect_left(starts, name.span.end)
        if first < last and not (name.kind == "identifier" and tokens[first].is_fact):
            facts.append(Fact(value=name, first=first, last=last, said=name.text))
    return facts


def span_of(tokens: tuple[Token, ...], first: int, last: int) -> Span:
    """Where ``tokens[first:last]`` stand in their text."""
    return Span(tokens[first].start, tokens[last - 1].end)
