"""What is compared: anything that returns places in the stored texts for a question."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from core.answer import SearchResult
from core.protocols import Embedder, Vectors
from evaluation.passage import Place
from evaluation.retrieval.questions import Question

# name -> "module:function" that makes the system from a base, its name and its settings
PEERS: Final[dict[str, str]] = {
    "langchain-ensemble": "evaluation.retrieval.peers_langchain:ensemble",
    "langchain-parent": "evaluation.retrieval.peers_langchain:parent",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """``places`` best first, documents by key. ``latency_ms`` is the whole search, ``embed_ms`` the part
    of it that embedded the question.

    ``score`` is that of the first passage, ``route`` how sure the search says it is, ``steps`` its own
    account in ms, ``result`` all that our own search says; what a system does not tell is empty.
    """

    places: tuple[Place, ...]
    latency_ms: float
    embed_ms: float
    score: float | None = None
    route: str = ""
    steps: tuple[tuple[str, float], ...] = ()
    result: SearchResult | None = None


class System(Protocol):
    """A way to search one base. ``build_s`` is what its own index took."""

    name: str
    build_s: float

    def search(self, question: Question) -> Returned:
        """What a reader would be given. Raises what the search raises."""
        ...

    def deeper(self, question: Question) -> Sequence[Place]:
        """As far down the ranking as the system goes: to see where evidence was lost."""
        ...

    def close(self) -> None:
        """Give back what is open."""
        ...


class QuestionClock:
    """An embedder that tells how long its questions took since ``reset``."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self.max_tokens = embedder.max_tokens
        self.reset()

    def reset(self) -> None:
        self.spent_ms = 0.0

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._embedder.count(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.passages(texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        started = time.perf_counter()
        vectors = self._embedder.queries(texts)
        self.spent_ms += (time.perf_counter() - started) * 1000
        return vectors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)
