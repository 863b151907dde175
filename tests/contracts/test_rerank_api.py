"""The rerank endpoint: replies of every maker, failures that pass and that do not, limits, and the key."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelError, SettingsError
from core.settings import Settings, load_settings
from retrieval.rerankers.api import ApiReranker
from tests.rerank_endpoint import RerankEndpoint, RerankScript, Rows

TEXTS = ["三个字", "五个汉字呀", "字"]
SCORES = [0.3, 0.5, 0.1]


@pytest.fixture
def endpoint() -> Iterator[RerankEndpoint]:
    with RerankEndpoint() as made:
        yield made


def reranker(endpoint: RerankEndpoint, home: Path, key: str = "sk-canary", **options: object) -> ApiReranker:
    retrieval = {"reranker": "api", "reranker_url": endpoint.url, "reranker_model": "m", **options}
    return ApiReranker(Settings(home=home, retrieval=retrieval, rerank_api_key=key))  # type: ignore[arg-type]


def test_one_call_in_the_form_that_all_makers_know(endpoint: RerankEndpoint, tmp_path: Path) -> None:
    assert reranker(endpoint, tmp_path).rerank("问", TEXTS) == SCORES
    [(path, headers, body)] = endpoint.requests
    assert path == "/v1/rerank"
    assert headers["authorization"] == "Bearer sk-canary"
    assert body == {"model": "m", "query": "问", "documents": TEXTS, "top_n": 3, "return_documents": False}


@pytest.mark.parametrize(
    "arranged",
    [
        lambda rows: {"results": rows[::-1]},
        lambda rows: {"data": rows, "usage": {"total_tokens": 3}},
        lambda rows: {"output": {"results": rows}, "request_id": "x"},
        lambda rows: [{"index": row["index"], "score": row["relevance_score"]} for row in rows],
        lambda rows: {"results": [row | {"document": {"text": "x"}} for row in rows], "meta": {}},
    ],
    ids=["cohere", "voyage", "dashscope", "tei", "with documents"],
)
def test_replies_of_every_maker_are_read(
    endpoint: RerankEndpoint, tmp_path: Path, arranged: Callable[[Rows], Any]
) -> None:
    endpoint.scripts = [RerankScript(arranged=arranged)]
    assert reranker(endpoint, tmp_path).rerank("问", TEXTS) == SCORES


def changed(**fields: object) -> Callable[[Rows], Any]:
    return lambda rows: {"results": [rows[0] | fields, *rows[1:]]}


@pytest.mark.parametrize(
    "script",
    [
        RerankScript(arranged=lambda rows: {"results": rows[1:]}),
        RerankScript(arranged=lambda rows: {"results": [*rows, rows[0]]}),
        RerankScript(arranged=changed(index=3)),
        RerankScript(arranged=changed(index=-1)),
        RerankScript(arranged=changed(index=True)),
        RerankScript(arranged=changed(index=None)),
        RerankScript(arranged=changed(relevance_score=float("nan"))),
        RerankScript(arranged=changed(relevance_score=float("inf"))),
        RerankScript(arranged=changed(relevance_score=None)),
        RerankScript(arranged=changed(relevance_score="0.9")),
        RerankScript(arranged=lambda rows: {"results": None}),
        RerankScript(arranged=lambda rows: {"code": 50, "message": "no such model"}),
        RerankScript(body="<html>"),
        RerankScript(body=""),
    ],
)
def test_a_reply_that_is_not_one_finite_score_a_text_is_refused(
    endpoint: RerankEndpoint, tmp_path: Path, script: RerankScript
) -> None:
    """B54: nothing else may order the passages."""
    endpoint.scripts = [script]
    with pytest.raises(ModelError) as caught:
        reranker(endpoint, tmp_path).rerank("问", TEXTS)
    assert caught.value.details["name"] == "m"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_once_more(endpoint: RerankEndpoint, tmp_path: Path, status: int) -> None:
    endpoint.scripts = [RerankScript(status=status, headers={"retry-after": "0.2"})]
    started = time.monotonic()
    assert reranker(endpoint, tmp_path).rerank("问", TEXTS) == SCORES
    assert time.monotonic() - started >= 0.2
    endpoint.scripts = [RerankScript(status=status, headers={"retry-after": "0"})] * 2
    with pytest.raises(ModelError):
        reranker(endpoint, tmp_path).rerank("问", TEXTS)
    assert len(endpoint.requests) == 4


def test_a_wait_that_nobody_sits_through_and_other_refusals_are_not_tried_again(
    endpoint: RerankEndpoint, tmp_path: Path
) -> None:
    for script in (RerankScript(status=429, headers={"retry-after": "60"}), RerankScript(status=400)):
        endpoint.scripts = [script]
        with pytest.raises(ModelError):
            reranker(endpoint, tmp_path).rerank("问", TEXTS)
    assert len(endpoint.requests) == 2


def test_a_slow_endpoint_is_given_up(endpoint: RerankEndpoint, tmp_path: Path) -> None:
    endpoint.scripts = [RerankScript(pause_s=1.0)]
    started = time.monotonic()
    with pytest.raises(ModelError) as caught:
        reranker(endpoint, tmp_path, reranker_timeout_s=0.2).rerank("问", TEXTS)
    assert time.monotonic() - started < 0.9
    assert "in time" in str(caught.value)


def test_many_texts_are_several_calls_and_stay_in_order(endpoint: RerankEndpoint, tmp_path: Path) -> None:
    texts = ["字" * (1 + n % 7) for n in range(23)]
    scores = reranker(endpoint, tmp_path, reranker_batch_size=5).rerank("问", texts)
    assert scores == [len(text) / 10 for text in texts]
    assert [len(body["documents"]) for _, _, body in endpoint.requests] == [5, 5, 5, 5, 3]


def test_long_and_empty_texts_are_made_to_fit(endpoint: RerankEndpoint, tmp_path: Path) -> None:
    reranker(endpoint, tmp_path, reranker_max_chars=50).rerank("问" * 99, ["字" * 99, ""])
    [(_, _, body)] = endpoint.requests
    assert body["documents"] == ["字" * 50, " "]
    assert len(body["query"]) == 50


@pytest.mark.parametrize("ending", ["/rerank", "/reranks", "/"])
def test_the_address_may_be_that_of_the_call_itself(
    endpoint: RerankEndpoint, tmp_path: Path, ending: str
) -> None:
    reranker(endpoint, tmp_path, reranker_url=endpoint.url + ending).rerank("问", TEXTS)
    assert endpoint.requests[0][0] == f"/v1{ending if len(ending) > 1 else '/rerank'}"


def test_the_key_is_in_no_error_and_no_log(
    endpoint: RerankEndpoint,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("YOUJU_RERANK_API_KEY", "sk-canary")
    monkeypatch.setenv("YOUJU_RETRIEVAL__RERANKER_URL", endpoint.url)
    settings = load_settings(home=tmp_path)
    assert "canary" not in repr(settings)
    endpoint.scripts = [RerankScript(status=401), RerankScript()]
    with caplog.at_level(logging.DEBUG):
        with pytest.raises(ModelError) as caught:
            ApiReranker(settings).rerank("问", TEXTS)
        ApiReranker(settings).rerank("问", TEXTS)
    assert "canary" not in str(caught.value) + caught.value.message("zh") + caplog.text
    assert endpoint.requests[0][1]["authorization"] == "Bearer sk-canary"


def test_without_an_address_the_setting_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        ApiReranker(Settings(home=tmp_path))
    assert "YOUJU_RETRIEVAL__RERANKER_URL" in str(caught.value)


def test_an_endpoint_that_is_not_there_is_a_model_error(tmp_path: Path) -> None:
    with RerankEndpoint() as gone:
        made = reranker(gone, tmp_path)
    with pytest.raises(ModelError) as caught:
        made.rerank("问", TEXTS)
    assert "cannot be reached" in str(caught.value)
