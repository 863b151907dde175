"""What one pass of the model says of each token of a text, and of any span of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.protocols import Vectors
from core.span import Span
from core.vectors import normalised


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenStates:
    """``states``: ``(tokens, dimension) float32``, not normalised. ``spans[i]`` is where token i stands in the
    text, ``None`` for prefix and special tokens."""

    states: Vectors
    spans: tuple[Span | None, ...]

    def text_vector(self) -> Vectors:
        """``(dimension,) float32``, L2-normalised: the same as the embedder's own for the whole text."""
        return np.asarray(normalised(self.states.mean(axis=0, keepdims=True))[0], dtype=np.float32)

    def token_vectors(self) -> Vectors:
        """``(tokens of the text, dimension) float32``, L2-normalised rows, for ``max_sim``."""
        return normalised(self.states[[span is not None for span in self.spans]])

    def span_vectors(self, spans: Sequence[Span]) -> Vectors:
        """``(len(spans), dimension) float32``, L2-normalised: the mean of the tokens that touch each span.

        The span is seen in its context ("late chunking", Guenther et al. 2024). For retrieval, sentences
        encoded on their own are better with this model (docs/benchmarks.md). A span without any token is 0.
        """
        rows = np.zeros((len(spans), self.states.shape[1]), dtype=np.float32)
        for row, wanted in enumerate(spans):
            inside = [span is not None and span.overlaps(wanted) for span in self.spans]
            if any(inside):
                rows[row] = self.states[inside].mean(axis=0)
        return normalised(rows)


def max_sim(question: Vectors, passage: Vectors) -> float:
    """Mean over the question's tokens of the best cosine with a token of the passage, -1..1.

    Both ``(tokens, dimension)``, L2-normalised rows, at least one each. Source: Khattab and Zaharia,
    "ColBERT", SIGIR 2020, with the mean in place of the sum, so that long questions compare with short ones.
    """
    return float((question @ passage.T).max(axis=1).mean())
