"""A rerank endpoint as Cohere made it usual: Jina, SiliconFlow, Voyage, Xinference, vLLM, llama.cpp, DashScope."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import openai

from core.chat.faults import reason_of
from core.errors import ModelError, SettingsError
from core.protocols import Signals
from core.settings import Settings
from ingest.embedders.endpoint_pace import delay_before_retry

_PATHS: Final = ("/rerank", "/reranks")
# Somebody waits for the answer: beyond this the order before reranking is the better service.
_LONGEST_WAIT_S: Final = 5.0


class ApiReranker:
    """Asks ``POST {base}/rerank``; a failure that may pass is tried once more. Safe in several threads.

    A text over ``reranker_max_chars`` is cut at its end. Scores are those of the endpoint: their scale is the
    model's own, so they order texts and mean nothing beyond that.
    """

    def __init__(self, settings: Settings) -> None:
        """Calls nothing. Raises ``SettingsError`` without an address."""
        options = settings.retrieval
        if not options.reranker_url:
            raise SettingsError(
                name="YOUJU_RETRIEVAL__RERANKER_URL",
                reason="name the rerank endpoint, for example https://host/v1",
            )
        self._options = options
        base = options.reranker_url.rstrip("/")
        self._url = base if base.endswith(_PATHS) else f"{base}/rerank"
        self._key = settings.rerank_api_key.get_secret_value() if settings.rerank_api_key else ""
        # Retries are ours: the client's may wait a minute.
        self._client = openai.OpenAI(
            base_url=base, api_key=self._key or "none", timeout=options.reranker_timeout_s, max_retries=0
        )

    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        """One finite score a text, on the endpoint's own scale, higher is better. Raises ``ModelError``."""
        # Some endpoints refuse empty documents.
        cut = [text[: self._options.reranker_max_chars] or " " for text in texts]
        size = self._options.reranker_batch_size
        scores: list[float] = []
        for start in range(0, len(cut), size):
            scores += self._scores(question, cut[start : start + size])
        return scores

    def _scores(self, question: str, texts: list[str]) -> list[float]:
        body = {
            "model": self._options.reranker_model,
            "query": question[: self._options.reranker_max_chars],
            "documents": texts,
            "top_n": len(texts),
            "return_documents": False,
        }
        return self._read(self._posted(body), len(texts))

    def _posted(self, body: dict[str, object]) -> object:
        for failures in (1, 2):
            try:
                return self._client.post(self._url, cast_to=object, body=body)
            except openai.OpenAIError as exc:
                delay = _delay(exc)
                if failures > 1 or delay is None or delay > _LONGEST_WAIT_S:
                    raise self._error(reason_of(exc, self._key)) from exc
                time.sleep(delay)
            except ValueError as exc:
                raise self._error("the reply is not JSON") from exc
        raise AssertionError("unreachable: the last failure is raised")

    def _read(self, reply: object, count: int) -> list[float]:
        """The scores in the texts' order, by the index that each carries."""
        found: dict[int, float] = {}
        for row in _rows(reply):
            index, score = row.get("index"), row.get("relevance_score", row.get("score"))
            if (
                isinstance(index, bool)
                or not isinstance(index, int)
                or not 0 <= index < count
                or index in found
            ):
                raise self._error(f"expected each index from 0 to {count - 1} once, got {index!r}")
            if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
                raise self._error(f"expected a finite score, got {score!r}")
            found[index] = float(score)
        if len(found) != count:
            raise self._error(f"expected {count} scores, got {len(found)}")
        return [found[index] for index in range(count)]

    def _error(self, reason: str) -> ModelError:
        return ModelError(name=self._options.reranker_model, reason=reason)


def _rows(reply: object) -> list[Mapping[str, Any]]:
    """The rows of a reply: under ``results``, ``data`` (Voyage), ``output.results`` (DashScope), or alone (TEI)."""
    if isinstance(reply, dict):
        inner = reply.get("output") if isinstance(reply.get("output"), dict) else reply
        reply = inner.get("results", inner.get("data")) if isinstance(inner, dict) else None
    return [row for row in reply if isinstance(row, dict)] if isinstance(reply, list) else []


def _delay(exc: openai.OpenAIError) -> float | None:
    """Seconds until the one further try; ``None``: it will not help."""
    if isinstance(exc, openai.APIStatusError):
        return delay_before_retry(exc.status_code, exc.response.headers, 1)
    if isinstance(exc, openai.APITimeoutError):
        return None
    return delay_before_retry(None, {}, 1) if isinstance(exc, openai.APIConnectionError) else None
