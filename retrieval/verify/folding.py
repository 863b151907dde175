"""A text in one spelling, character by character, so that every place leads back to the text as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from unicodedata import normalize

from core.span import Span
from ingest.indexes.analyzer import fold

# Signs that NFKC leaves apart and readers do not.
_ALIKE = {"−": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "〜": "~", "∼": "~"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """``text`` in NFKC, lower case and simplified characters; ``at`` is where each of its characters comes from."""

    text: str
    at: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """Where ``text[start:end]`` stands in the text that was folded."""
        return Span(self.at[start], self.at[end - 1] + 1)


def folded(source: str) -> Folded:
    """``source`` folded sign by sign; what one sign becomes keeps the place of that sign."""
    parts = [_sign(char) for char in source]
    places = chain.from_iterable(repeat(place, len(part)) for place, part in enumerate(parts))
    return Folded(text="".join(parts), at=tuple(places))


def half_width(source: str) -> str:
    """``source`` in NFKC where a sign stays one sign: places are the same in both."""
    return "".join(plain if len(plain := normalize("NFKC", char)) == 1 else char for char in source)


def one_to_one(source: str) -> str:
    """``source`` folded where a sign stays one sign: places are the same in both."""
    return "".join(sign if len(sign := _sign(char)) == 1 else char for char in source)


@lru_cache(maxsize=20_000)
def _sign(char: str) -> str:
    # Perú for Peru: names are often written without their accents.
    plain = normalize("NFKD", char)[0] if "\u00c0" <= char <= "\u024f" else char
    return _ALIKE.get(plain) or fold(plain)
