"""Figures of an answer's citations over sets of characters, and what of an answer's parts is there, slowly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tests.oracles.chunk_spans import Range, spots

Groups = Sequence[Sequence[Range]]


def precision(groups: Groups, cited: Sequence[Range], least: float) -> float | None:
    """Citations that hold more than the share ``least`` of some piece."""
    pieces = [piece for group in groups for piece in group]
    good = 0
    for one in cited:
        shares = [len(spots([one]) & spots([piece])) / len(spots([piece])) for piece in pieces]
        good += max(shares) > least
    return good / len(cited) if cited else None


def recall(groups: Groups, cited: Sequence[Range]) -> float:
    touched = [any(spots([piece]) & spots(cited) for piece in group) for group in groups]
    return sum(touched) / len(groups)


def plain(text: str) -> str:
    """Letters and digits, one after the other."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def parts_held(parts: Sequence[Sequence[str]], texts: Sequence[str]) -> list[bool]:
    """For each part with something visible in it whether one of its alternatives is in one of the texts."""
    held: list[bool] = []
    for part in parts:
        alternatives = [plain(one) for one in part if plain(one)]
        if alternatives:
            held.append(any(plain(text).find(one) >= 0 for one in alternatives for text in texts))
    return held
