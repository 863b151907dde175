"""Text cut into words for comparing: Chinese by rjieba, everything else by runs of letters and digits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from core.span import Span
from ingest.versions.matching import Pair, common

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_TOKEN: Final = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+|\s+|.", re.DOTALL)
_IS_HAN: Final = re.compile(f"[{_HAN}]")
# Fewer equal characters than this between two changes are chance ("的", a comma), not something kept.
_KEPT: Final = 2
# Below this share of equal characters two lines have nothing to do with each other.
_ALIKE: Final = 0.3
# A run of letters this long is a script written without blanks: its characters are compared.
_LONGEST_WORD: Final = 40


def words_of(text: str) -> list[str]:
    """The words of ``text`` with everything between them: joined again they are the text."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if len(token) > 1 and _IS_HAN.match(token):
            found += _segmenter().cut(token)
        else:
            found += (token,) if len(token) <= _LONGEST_WORD else token
    return found


@cache
def _segmenter() -> Any:
    import rjieba

    return rjieba.Jieba()


def changed_spans(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """What of each text the other one does not have, as spans in each; the whole of both if they are unlike."""
    before, after = words_of(old), words_of(new)
    pairs = common(before, after)
    if sum(len(before[at]) for at, _ in pairs) < _ALIKE * max(len(old), len(new)):
        return (Span(0, len(old)),), (Span(0, len(new)),)
    left, right = _starts(before), _starts(after)
    gaps = _joined(_gaps(pairs, len(before), len(after)), left)
    gone = tuple(Span(left[a], left[c]) for (a, _), (c, _) in gaps if a < c)
    come = tuple(Span(right[b], right[d]) for (_, b), (_, d) in gaps if b < d)
    return gone, come


Gap = tuple[Pair, Pair]


def _gaps(pairs: Sequence[Pair], olds: int, news: int) -> Iterator[Gap]:
    """What lies between equal words: where both sides go on after one, and where the next one comes."""
    start = (0, 0)
    for pair in [*pairs, (olds, news)]:
        if start != pair:
            yield start, pair
        start = (pair[0] + 1, pair[1] + 1)


def _joined(gaps: Iterable[Gap], places: Sequence[int]) -> list[Gap]:
    """Changes so near to each other that what lies between says nothing become one, on both sides."""
    joined: list[Gap] = []
    for start, end in gaps:
        if joined and places[start[0]] - places[joined[-1][1][0]] < _KEPT:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _starts(words: Sequence[str]) -> list[int]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return starts
