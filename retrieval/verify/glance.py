"""A quick look at how much of a sentence a text may hold: cheap, so that only what is worth it is laid side by side."""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.verify.folding import folded

_HAN = re.compile(r"[\u3400-\u9fff]{2,}")
_LATIN = re.compile(r"[a-z\u00c0-\u024f]{3,}")
# How much of a longer word must stand there: endings differ.
_STEM = 6


@lru_cache(maxsize=1024)
def folded_text(text: str) -> str:
    """``text`` in one spelling, without white space between Chinese signs."""
    return folded(text).text


@lru_cache(maxsize=1024)
def pieces(sentence: str) -> frozenset[str]:
    """Pairs of Chinese signs and beginnings of words; no numbers, for these are what may differ."""
    text = folded(sentence).text
    found = {run[i : i + 2] for run in _HAN.findall(text) for i in range(len(run) - 1)}
    return frozenset(found | {word[:_STEM] for word in _LATIN.findall(text)})


def glance(sentence: str, text: str) -> float:
    """The share (0..1) of the pieces of ``sentence`` that stand anywhere in ``text``; 0 for one without any."""
    wanted = pieces(sentence)
    plain = folded_text(text)
    return sum(piece in plain for piece in wanted) / len(wanted) if wanted else 0.0
