"""The embeddings endpoint: limits of a call, pace, retries, and replies that cannot be trusted."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import (
    EmbeddingBusyError,
    EmbeddingError,
    EmbeddingKeyError,
    EmbeddingReplyError,
    EmbeddingTooLongError,
    EmbeddingUnreachableError,
)
from core.settings import Settings
from ingest.embedders.endpoint_pace import Pace, delay_before_retry
from ingest.embedders.openai_compatible import OpenAIEmbedder
from tests.scripted_openai import EmbeddingScript, ScriptedServer, embedding_of, serving

TEXTS = [f"text {'a' * i}" for i in range(7)]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(lambda asked: "") as made:
        yield made


def embedder(server: ScriptedServer, home: Path, **options: object) -> OpenAIEmbedder:
    embedding = {"name": "openai", "model": "m", "base_url": server.url, **options}
    return OpenAIEmbedder(Settings(home=home, embedding=embedding))  # type: ignore[arg-type]


def expected(texts: list[str]) -> Any:
    vectors = np.array([embedding_of(text) for text in texts], dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def inputs(server: ScriptedServer) -> list[list[str]]:
    """What was asked, without the first call, which learns the dimension."""
    return [request["input"] for request in server.requests[1:]]


def test_a_call_has_no_more_texts_and_tokens_than_allowed(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path, batch_size=3, batch_tokens=18)
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))
    asked = inputs(server)
    assert [text for call in asked for text in call] == TEXTS
    assert all(len(call) <= 3 and sum(made.count(call)) <= 18 for call in asked)
    assert max(map(len, asked)) == 3
    assert min(map(len, asked[:-1])) == 2


def test_calls_run_side_by_side_and_stay_in_order(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path, batch_size=1, concurrency=7)
    server.embeddings = [EmbeddingScript(pause_s=0.2) for _ in TEXTS]
    started = time.perf_counter()
    assert np.allclose(made.queries(TEXTS), expected(TEXTS))
    assert time.perf_counter() - started < 0.2 * len(TEXTS) / 2


def test_replies_are_told_apart_by_index_and_may_be_base64(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path)

    def packed(text: str) -> str:
        return base64.b64encode(np.array(embedding_of(text), "<f4").tobytes()).decode()

    server.embeddings = [EmbeddingScript(arranged=lambda data: data[::-1]), EmbeddingScript(vector=packed)]
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))


def test_a_busy_endpoint_is_asked_again_when_it_says(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path)
    server.embeddings = [EmbeddingScript(status=429, headers={"Retry-After": "1"})]
    started = time.perf_counter()
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))
    assert 1.0 <= time.perf_counter() - started < 3
    assert len(inputs(server)) == 2


def test_a_broken_endpoint_may_recover(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path)
    server.embeddings = [EmbeddingScript(status=500), EmbeddingScript(status=503)]
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))
    assert len(inputs(server)) == 3


def test_a_slow_endpoint_is_given_up_and_asked_again(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path, timeout_s=0.3)
    server.embeddings = [EmbeddingScript(pause_s=0.8)]
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))
    with pytest.raises(EmbeddingUnreachableError) as caught:
        server.embeddings = [EmbeddingScript(pause_s=0.8)]
        made._options = made._options.model_copy(update={"max_retries": 0})
        made.passages(TEXTS)
    assert "1" in caught.value.message("zh")


@pytest.mark.parametrize(
    ("status", "code", "kind", "calls"),
    [
        (401, None, EmbeddingKeyError, 1),
        (400, None, EmbeddingError, 1),
        (429, "insufficient_quota", EmbeddingBusyError, 1),
        (429, None, EmbeddingBusyError, 2),
    ],
)
def test_what_waiting_does_not_mend_is_not_tried_again(
    server: ScriptedServer, tmp_path: Path, status: int, code: str | None, kind: type[Exception], calls: int
) -> None:
    made = embedder(server, tmp_path, max_retries=1)
    server.embeddings = [EmbeddingScript(status=status, code=code) for _ in range(3)]
    with pytest.raises(EmbeddingError) as caught:
        made.passages(TEXTS)
    assert type(caught.value) is kind
    assert len(inputs(server)) == calls
    for language in ("zh", "en"):
        assert "?" not in caught.value.message(language)


@pytest.mark.parametrize(
    ("script", "word"),
    [
        (EmbeddingScript(vector=lambda text: [1.0, 2.0]), "3"),
        (EmbeddingScript(vector=lambda text: [1.0, float("nan"), 2.0]), "NaN"),
        (EmbeddingScript(vector=lambda text: [1.0] * len(text)), "5"),
        (EmbeddingScript(vector=lambda text: "%%%"), "0"),
        (EmbeddingScript(arranged=lambda data: data[1:]), "7 vectors"),
        (EmbeddingScript(arranged=lambda data: [*data[1:], data[1]]), "7 vectors"),
        (EmbeddingScript(arranged=lambda data: []), "7 vectors"),
    ],
    ids=["dimension", "nan", "sizes", "not base64", "missing", "twice", "none"],
)
def test_a_reply_that_does_not_fit_is_refused(
    server: ScriptedServer, tmp_path: Path, script: EmbeddingScript, word: str
) -> None:
    made = embedder(server, tmp_path)
    server.embeddings = [script]
    with pytest.raises(EmbeddingReplyError) as caught:
        made.passages(TEXTS)
    assert word in caught.value.message("zh")


def test_one_failed_call_fails_all(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path, batch_size=1, concurrency=2, max_retries=0)
    server.embeddings = [EmbeddingScript(status=500), *[EmbeddingScript(pause_s=0.2) for _ in range(6)]]
    with pytest.raises(EmbeddingError):
        made.passages(TEXTS)
    assert len(inputs(server)) < len(TEXTS)
    server.embeddings = []
    assert np.allclose(made.passages(TEXTS), expected(TEXTS))


def test_a_text_over_the_window_is_refused_before_it_is_sent(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path)
    with pytest.raises(EmbeddingTooLongError) as caught:
        made.passages(["short", "很长" * 400])
    assert caught.value.details["place"] == 2
    assert inputs(server) == []


def test_prefixes_are_sent_and_none_means_nothing(server: ScriptedServer, tmp_path: Path) -> None:
    made = embedder(server, tmp_path, query_prefix="query: ", passage_prefix="none")
    made.queries(["a"])
    made.passages(["a"])
    assert inputs(server) == [["query: a"], ["a"]]


def test_the_pace_holds_for_all_threads_together() -> None:
    pace = Pace(requests_per_minute=1200, tokens_per_minute=0)
    starts: list[float] = []

    def call() -> None:
        pace.wait(10)
        starts.append(time.monotonic())

    threads = [threading.Thread(target=call) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(starts) - min(starts) >= 5 * 0.05 - 0.02
    by_tokens = Pace(requests_per_minute=0, tokens_per_minute=60_000)
    started = time.monotonic()
    by_tokens.wait(300)
    by_tokens.wait(1)
    assert time.monotonic() - started >= 0.29


def test_delays_grow_are_spread_and_follow_the_server() -> None:
    for failures, longest in ((1, 0.5), (2, 1.0), (4, 4.0), (12, 30.0)):
        delays = {delay_before_retry(500, {}, failures) for _ in range(20)}
        assert len(delays) > 1
        assert all(delay is not None and longest / 2 <= delay <= longest for delay in delays)
    assert delay_before_retry(429, {"retry-after": "7"}, 1) == 7
    assert delay_before_retry(429, {"retry-after-ms": "250"}, 1) == 0.25
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    assert 15 < (delay_before_retry(503, {"retry-after": date}, 1) or 0) <= 20
    assert delay_before_retry(429, {"retry-after": "86400"}, 1) is None
    assert delay_before_retry(404, {}, 1) is None
    assert delay_before_retry(429, {"retry-after": "soon"}, 1) is not None
