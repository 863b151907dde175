"""Contrastive training of a sentence-transformers model (extra ``local-models``), on a CPU too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import EmbeddingError, MissingExtraError
from core.protocols import Vectors
from core.registry import EXTRAS
from evaluation.finetune import Recipe, Triplet

_WARM_UP_SHARE = 0.1
_SCALE = 20.0


class ContrastiveModel:
    """Loads the model when made. Raises ``MissingExtraError`` and ``EmbeddingError``."""

    def __init__(self, name: str) -> None:
        try:
            import torch
            from sentence_transformers import SentenceTransformer
        except ImportError as exc:
            install = EXTRAS["embedder", "sentence-transformers"]
            raise MissingExtraError(name="finetune", install=install) from exc
        self._torch: Any = torch
        try:
            self._model: Any = SentenceTransformer(name)
        except (OSError, ValueError) as exc:
            raise EmbeddingError(name=name, reason=str(exc).splitlines()[0]) from exc

    def encode(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised; texts are cut at the model's window."""
        vectors = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def learn(
        self, batches: Sequence[Sequence[Triplet]], recipe: Recipe, on_step: Callable[[int], None]
    ) -> None:
        """Each anchor must be nearer to its positive than to all other positives and negatives of the batch.

        Source: van den Oord, Li and Vinyals, "Representation Learning with Contrastive Predictive Coding",
        2018 (InfoNCE), with hard negatives; the scale is that of sentence-transformers.
        """
        torch = self._torch
        torch.manual_seed(recipe.seed)
        steps = recipe.epochs * len(batches)
        warm_up = max(1, round(steps * _WARM_UP_SHARE))
        optimizer = torch.optim.AdamW(self._model.parameters(), lr=recipe.learning_rate)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer,
            lambda step: min((step + 1) / warm_up, (steps - step) / max(steps - warm_up, 1)),
        )
        self._model.train()
        try:
            for done in range(steps):
                optimizer.zero_grad()
                self._loss(batches[done % len(batches)]).backward()
                torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                on_step(done + 1)
        finally:
            self._model.eval()

    def save(self, folder: Path) -> None:
        self._model.save(str(folder))

    def _loss(self, batch: Sequence[Triplet]) -> Any:
        torch = self._torch
        anchors = self._vectors([triplet.anchor for triplet in batch])
        texts = [triplet.positive for triplet in batch] + [t.negative for t in batch if t.negative]
        scores = anchors @ self._vectors(texts).T * _SCALE
        return torch.nn.functional.cross_entropy(scores, torch.arange(len(batch), device=scores.device))

    def _vectors(self, texts: Sequence[str]) -> Any:
        features = self._model.preprocess(list(texts))
        features = {
            name: value.to(self._model.device) if hasattr(value, "to") else value
            for name, value in features.items()
        }
        found = self._model(features)["sentence_embedding"]
        return self._torch.nn.functional.normalize(found, dim=-1)
