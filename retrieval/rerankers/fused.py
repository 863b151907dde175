"""No reranking: the fused order stands."""

from __future__ import annotations

from collections.abc import Sequence

from core.protocols import Signals
from core.settings import Settings


class FusedOrder:
    """Scores fall with the position, so that nothing moves."""

    def __init__(self, settings: Settings) -> None:
        del settings

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        del question
        return [-float(position) for position in range(len(texts))]
