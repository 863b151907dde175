"""What retrieval has to know of all chunks: how rare words are, and where each language's vectors lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.protocols import Vectors
from ingest.indexes.milvus.layout import word_of
from ingest.indexes.milvus.server import Server

# Chunks of each language that are looked at; up to so many all counts and means are exact.
MOST_DRAWN: Final = 2000
_KEY_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Means ``(dimension,)`` by language, and in about how many chunks each word is.

    Milvus counts no words, and to ask it for each word of a question costs a search a word. So up to
    2,000 chunks of each language, drawn by their keys (which are hashes, so that everyone draws the same), are
    counted once a generation, each for as many as it stands for. Of 100,000 chunks a word that is in 1,000
    is then counted to within a fifth, most of the time; what is in fewer than 50 may be missed and is rare
    either way, which is all that a logarithm of it tells.
    """

    means: dict[str, Vectors]
    frequencies: Counter[str]

    def document_frequency(self, token: str) -> int:
        return round(self.frequencies[word_of(token)])


def draw(server: Server, name: str, where: str, languages: Sequence[str]) -> Sample:
    """Look at the chunks that fit ``where``; languages without any are left out."""
    means: dict[str, Vectors] = {}
    frequencies: Counter[str] = Counter()
    for language in languages:
        inside = f'{where} and language == "{language}"'
        size = server.count(name, inside)
        rows = server.rows(name, inside + _drawn(size), ["words", "dense"]) if size else []
        if not rows:
            continue
        means[language] = np.asarray([row["dense"] for row in rows], dtype=np.float32).mean(axis=0)
        held = Counter(word for row in rows for word in set(str(row["words"]).split()))
        for word, count in held.items():
            frequencies[word] += count * size / len(rows)  # type: ignore[assignment]
    return Sample(means=means, frequencies=frequencies)


def _drawn(size: int) -> str:
    """A condition that about ``MOST_DRAWN`` of ``size`` rows meet."""
    if size <= MOST_DRAWN:
        return ""
    bound = int(16**_KEY_DIGITS * MOST_DRAWN / size)
    return f' and id < "{bound:0{_KEY_DIGITS}x}"'
