"""A cross-encoder through LangChain's adapter (extra ``local-models``), for example bge-reranker-v2-m3."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from langchain_community.cross_encoders import HuggingFaceCrossEncoder

from core.errors import MissingExtraError, ModelError
from core.registry import EXTRAS
from core.settings import Settings


class CrossEncoderReranker:
    """Reads question and text together: slower and sharper than vectors. Loaded when made."""

    def __init__(self, settings: Settings) -> None:
        self._name = settings.retrieval.reranker_model
        try:
            self._model = HuggingFaceCrossEncoder(model_name=self._name)
        except ImportError as exc:
            install = EXTRAS["reranker", "cross-encoder"]
            raise MissingExtraError(name="cross-encoder", install=install) from exc
        except (OSError, ValueError) as exc:
            raise ModelError(name=self._name, reason=str(exc).splitlines()[0]) from exc
        self._lock = threading.Lock()

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        """One finite score a text, higher is better. Raises ``ModelError``."""
        if not texts:
            return []
        with self._lock:
            try:
                scores = [float(score) for score in self._model.score([(question, text) for text in texts])]
            except (RuntimeError, ValueError) as exc:
                raise ModelError(name=self._name, reason=str(exc).splitlines()[0]) from exc
        if len(scores) != len(texts) or not all(math.isfinite(score) for score in scores):
            raise ModelError(name=self._name, reason="scores are missing or not finite")
        return scores
