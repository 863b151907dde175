"""Any OpenAI-compatible embeddings endpoint: batches, rate limits, retries, and replies that are checked."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import openai

from core.chat.faults import Fault, fault_of, reason_of
from core.errors import (
    EmbeddingBusyError,
    EmbeddingError,
    EmbeddingKeyError,
    EmbeddingReplyError,
    EmbeddingTooLongError,
    EmbeddingUnreachableError,
    SettingsError,
)
from core.protocols import Vectors
from core.settings import Settings
from core.vectors import normalised
from ingest.embedders.endpoint_pace import Pace, delay_before_retry
from ingest.embedders.prefix import chosen_prefix

_KINDS: Final[dict[Fault, type[EmbeddingError]]] = {
    Fault.KEY: EmbeddingKeyError,
    Fault.QUOTA: EmbeddingBusyError,
    Fault.UNREACHABLE: EmbeddingUnreachableError,
    Fault.TIMEOUT: EmbeddingUnreachableError,
}


class OpenAIEmbedder:
    """The dimension is learned from the first answer; the window is a setting.

    Tokens are counted as bytes over two, never less than the model's own count for the tokenizers in
    use, so that no text is cut by the endpoint. Safe in several threads, which share the rate limits.
    """

    def __init__(self, settings: Settings) -> None:
        """Calls the endpoint once. Raises ``SettingsError`` and ``EmbeddingError``."""
        options = settings.embedding
        if not options.model:
            raise SettingsError(name="YOUJU_EMBEDDING__MODEL", reason="name the endpoint's embedding model")
        self._name = options.model
        self._options = options
        self._query_prefix = chosen_prefix(options.query_prefix)
        self._passage_prefix = chosen_prefix(options.passage_prefix)
        base_url = options.base_url or settings.openai_base_url
        self._key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
        # Retries are ours: the client's know nothing of other threads.
        self._client = openai.OpenAI(
            api_key=self._key, base_url=base_url, timeout=options.timeout_s, max_retries=0
        )
        self._pace = Pace(
            requests_per_minute=options.requests_per_minute, tokens_per_minute=options.tokens_per_minute
        )
        self._workers = ThreadPoolExecutor(options.concurrency, thread_name_prefix="embeddings")
        self.max_tokens = options.max_tokens
        self.dimension = self._call(["dimension"]).shape[1]
        prefixes = f"{self._query_prefix}|{self._passage_prefix}"
        self.fingerprint = f"openai/{base_url or 'default'}/{self._name}/{self.dimension}/{prefixes}/l2"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens as a passage, at most: an estimate from above."""
        return [_most_tokens(self._passage_prefix + text) for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised; all or none. Raises ``EmbeddingError``."""
        return self._encode([self._passage_prefix + text for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised; all or none. Raises ``EmbeddingError``."""
        return self._encode([self._query_prefix + text for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        calls = [texts[start:end] for start, end in self._calls(texts)]
        vectors = np.concatenate(self._all(calls))
        if vectors.shape[1] != self.dimension:
            raise EmbeddingReplyError(
                name=self._name, reason="dimension", expected=self.dimension, found=vectors.shape[1]
            )
        return normalised(vectors)

    def _calls(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Where each call's texts start and end: in order, as many as fit the limits of a call."""
        options = self._options
        bounds: list[tuple[int, int]] = []
        start = held = 0
        for place, text in enumerate(texts):
            tokens = _most_tokens(text)
            if tokens > self.max_tokens:
                raise EmbeddingTooLongError(
                    name=self._name, place=place + 1, tokens=tokens, limit=self.max_tokens, reason="too long"
                )
            full = place - start == options.batch_size or held + tokens > options.batch_tokens
            if full and place > start:
                bounds.append((start, place))
                start, held = place, 0
            held += tokens
        return [*bounds, (start, len(texts))]

    def _all(self, calls: list[list[str]]) -> list[Vectors]:
        """The replies in order. The first failure ends it: what has not started is not sent."""
        if len(calls) == 1 or self._options.concurrency == 1:
            return [self._call(texts) for texts in calls]
        futures = [self._workers.submit(self._call, texts) for texts in calls]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def _call(self, texts: list[str]) -> Vectors:
        """``(n, d) float32`` as the endpoint gives them, after as many tries as allowed."""
        tokens = sum(map(_most_tokens, texts))
        for failures in range(1, self._options.max_retries + 2):
            self._pace.wait(tokens)
            try:
                reply = self._client.embeddings.create(model=self._name, input=texts, encoding_format="float")
            except openai.OpenAIError as exc:
                delay = _delay(exc, failures)
                if delay is None or failures > self._options.max_retries:
                    raise self._error(exc, failures) from exc
                self._pace.hold(delay)
            else:
                return self._vectors(reply.data, len(texts))
        raise AssertionError("unreachable: the last failure is raised")

    def _vectors(self, data: Sequence[Any] | None, expected: int) -> Vectors:
        """The vectors by the index each carries, not by their place: some servers answer out of order."""
        found: dict[int, Vectors] = {}
        for place, item in enumerate(data or []):
            index = getattr(item, "index", None)
            found[place if index is None else int(index)] = _decoded(getattr(item, "embedding", None))
        if found.keys() != set(range(expected)):
            indexes = sorted(found)[:8]
            raise EmbeddingReplyError(
                name=self._name,
                reason="count",
                expected=f"{expected} vectors",
                found=f"{len(found)}: {indexes}",
            )
        sizes = {vector.size for vector in found.values()}
        if len(sizes) != 1 or not min(sizes):
            raise EmbeddingReplyError(
                name=self._name, reason="size", expected="one size", found=sorted(sizes)
            )
        vectors = np.stack([found[index] for index in range(expected)])
        if not np.isfinite(vectors).all():
            raise EmbeddingReplyError(name=self._name, reason="nan", expected="numbers", found="NaN, inf")
        return vectors

    def _error(self, exc: openai.OpenAIError, tries: int) -> EmbeddingError:
        kind = _KINDS.get(fault_of(exc), EmbeddingError)
        return kind(name=self._name, reason=reason_of(exc, self._key), tries=tries)


def _delay(exc: openai.OpenAIError, failures: int) -> float | None:
    if isinstance(exc, openai.APIStatusError):
        # OpenAI's 429 for an empty account: waiting does not fill it.
        if exc.code == "insufficient_quota":
            return None
        return delay_before_retry(exc.status_code, exc.response.headers, failures)
    return delay_before_retry(None, {}, failures) if isinstance(exc, openai.APIConnectionError) else None


def _decoded(embedding: object) -> Vectors:
    """One vector from a list of numbers or from base64 of little-endian float32; empty for anything else."""
    try:
        if isinstance(embedding, str):
            return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4").astype(np.float32)
        return np.asarray(embedding, dtype=np.float32).reshape(-1)
    except (ValueError, TypeError, binascii.Error):
        return np.zeros(0, dtype=np.float32)


def _most_tokens(text: str) -> int:
    return 2 + (len(text.encode("utf-8", "surrogatepass")) + 1) // 2
