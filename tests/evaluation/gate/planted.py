"""Parts that are broken on purpose."""

from __future__ import annotations

from collections.abc import Sequence

from core.hashing import stable_id
from core.protocols import Signals
from core.settings import Settings


class ShuffledReranker:
    """An order that has nothing to do with the question; the same each time."""

    def __init__(self, settings: Settings) -> None:
        """Nothing is set."""

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        return [int(stable_id(question, text), 16) / 16**24 for text in texts]
