"""ROUGE-L: how much of two texts is the same words in the same order."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z0-9]+|[^\W\d_a-z]")


def rouge_l(first: str, second: str) -> float:
    """F1 (0..1) of the longest common subsequence of words; other scripts count by the character.

    Source: Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, with beta = 1.
    """
    a, b = _words(first), _words(second)
    if not a or not b:
        return 0.0
    return 2 * common_subsequence(a, b) / (len(a) + len(b))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def common_subsequence(a: list[str], b: list[str]) -> int:
    """Length of the longest common subsequence, one step on a long integer a word of ``b``.

    Source: Hyyro, "Bit-Parallel LCS-length Computation Revisited", 2004.
    """
    places: dict[str, int] = {}
    for position, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << position
    full = (1 << len(a)) - 1
    row = full
    for word in b:
        matches = row & places.get(word, 0)
        row = ((row + matches) | (row - matches)) & full
    return len(a) - row.bit_count()
