"""A cross-encoder (extra ``local-models``), for example bge-reranker-v2-m3."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.errors import ModelError
from core.protocols import Signals
from core.settings import Settings
from ingest.embedders.torch_runtime import quiet_loading, require_local_models, torch_runtime

_BATCH_SIZE: Final = 16


class CrossEncoderReranker:
    """Reads question and text together: slower and sharper than vectors.

    Loaded at first use, once. Safe in several threads, which take turns. A pair over the model's window is
    cut at its longer part's end, as the models were trained.
    """

    def __init__(self, settings: Settings) -> None:
        """Raises ``MissingExtraError`` and ``SettingsError``; a model that is not there is told at first use."""
        require_local_models("reranker", "cross-encoder")
        options = settings.retrieval
        self._name = options.reranker_model
        self._runtime = torch_runtime(
            options.reranker_device, options.reranker_precision, setting="YOUJU_RETRIEVAL__RERANKER_DEVICE"
        )
        self._lock = threading.Lock()
        self._loaded: Any = None

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        """One score a text, above 0 and below 1: the sigmoid of the model's logit, higher is better.

        The same for models that come with a sigmoid of their own and for those that give logits. Raises
        ``ModelError``.
        """
        if not texts:
            return []
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            logits = self._logits([(question, text) for text in texts])
        if logits.shape != (len(texts),) or not np.isfinite(logits).all():
            raise ModelError(
                name=self._name,
                reason=f"expected {len(texts)} finite scores, one a pair, got shape {logits.shape}",
            )
        # Of float64, and not saturated: float32 is 1.0 from a logit of 17 on, and good texts would tie.
        return [float(score) for score in 1 / (1 + np.exp(-logits.clip(-36, 36)))]

    def _load(self) -> Any:
        if self._name.startswith(("/", ".", "~")) and not Path(self._name).expanduser().is_dir():
            raise ModelError(name=self._name, reason="expected a folder, found none there")
        import torch
        from sentence_transformers import CrossEncoder

        quiet_loading()
        try:
            model = CrossEncoder(
                self._name,
                device=self._runtime.device,
                model_kwargs={"dtype": getattr(torch, self._runtime.precision)},
            )
        except (OSError, ValueError, RuntimeError, KeyError, ImportError) as exc:
            raise ModelError(name=self._name, reason=_first_line(exc)) from exc
        self._refuse_other_kinds(model)
        return model

    def _refuse_other_kinds(self, model: Any) -> None:
        """Without this an embedding model would be given a random last layer, and its scores be noise."""
        told = list(model.config.architectures or [])
        if not any(kind.endswith(("ForSequenceClassification", "ForCausalLM")) for kind in told):
            raise ModelError(name=self._name, reason=f"expected a cross-encoder, got {told}")
        if model.num_labels != 1:
            reason = f"expected one score a pair, the model gives {model.num_labels} labels"
            raise ModelError(name=self._name, reason=reason)

    def _logits(self, pairs: list[tuple[str, str]]) -> Any:
        """``(n,) float64``. The model sorts by length itself, so that little is padded."""
        import torch

        try:
            scores = self._loaded.predict(
                pairs, batch_size=_BATCH_SIZE, activation_fn=torch.nn.Identity(), show_progress_bar=False
            )
        except (RuntimeError, ValueError, IndexError) as exc:
            raise ModelError(name=self._name, reason=_first_line(exc)) from exc
        return np.asarray(scores, dtype=np.float64)


def _first_line(exc: BaseException) -> str:
    return (str(exc).strip().splitlines() or [type(exc).__name__])[0]
