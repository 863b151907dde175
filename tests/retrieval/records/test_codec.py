"""An answer becomes JSON without words of documents, and the same answer again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answer import Answer, Hit, TraceStep
from core.errors import StoreDamagedError
from core.messages import render
from core.span import Span
from core.verdict import Verdict
from retrieval.records.codec import decoded, encoded, parsed, versions_of
from tests.retrieval.records.answers import (
    LEAVE,
    PUMP,
    TEXTS,
    answer,
    check,
    cited,
    full_answer,
    passage,
    sources,
)

REFUSAL = render("refusal", "zh")


def there_and_back(given_answer: Answer) -> Answer:
    return decoded(parsed(encoded(given_answer, TEXTS)), sources(TEXTS))


def test_everything_that_an_answer_can_have_comes_back() -> None:
    full = full_answer()
    assert there_and_back(full) == full


def test_no_word_or_name_of_a_document_is_in_the_record() -> None:
    body = encoded(full_answer(), TEXTS)
    for word in (
        "10天年休假",
        "满十年",
        "500 hours",
        "享受8天",
        "leave.md",
        "LEAVE",
        "heading",
        "old.md",
        "Pump",
    ):
        assert word not in body
    assert "滤芯每600小时更换一次" in body


def test_the_same_holds_while_a_version_is_gone_already() -> None:
    body = encoded(full_answer(), {})
    assert "10天年休假" not in body
    assert parsed(body).versions[0].text_sha256 == ""


def test_words_of_one_version_alone_are_missing() -> None:
    found = decoded(parsed(encoded(full_answer(), TEXTS)), sources({"pump": PUMP}))
    assert "10天" not in str(found)
    assert found.search.passages[0].text == found.search.passages[0].doc == found.counter[0].doc == ""
    assert found.search.passages[1].text == "Replace the filter every 500 hours."
    assert found.citations[1].reasons[0].found == "500"
    assert len(found.text) == len(full_answer().text)


def test_a_refusal_stays_whole() -> None:
    made = answer(
        REFUSAL,
        (passage("leave", LEAVE + REFUSAL[:4], LEAVE + REFUSAL[:4]),),
        answered=False,
        model="",
        usage=None,
    )
    assert decoded(parsed(encoded(made, TEXTS)), {}).text == made.text


def test_what_the_search_passed_on_is_left_out() -> None:
    made = answer("x", ())
    step = TraceStep(
        name="dense", latency_ms=1.0, hits=(Hit(chunk_id="c", score=1.0, rank=1, source="dense"),)
    )
    with_hits = replace(made, search=replace(made.search, trace=(step,)))
    assert there_and_back(with_hits).search.trace == (replace(step, hits=()),)


def test_half_a_character_is_replaced() -> None:
    assert there_and_back(answer("a\ud83db", ())).text == "a\ufffdb"


def test_versions_are_those_of_passages_and_counter_evidence() -> None:
    assert versions_of(full_answer()) == {"leave": "doc-leave", "pump": "doc-pump", "old": ""}


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body | {"body": 99},
        lambda body: body | {"words": body["words"][:-1]},
        lambda body: body | {"words": [[[0, 1]]]},
        lambda body: body | {"answer": body["answer"] | {"text": 5}},
        lambda body: {},
    ],
)
def test_a_damaged_record_is_said_to_be_one(change: object) -> None:
    body = json.loads(encoded(full_answer(), TEXTS))
    with pytest.raises(StoreDamagedError):
        decoded(parsed(json.dumps(change(body))), sources(TEXTS))  # type: ignore[operator]
    with pytest.raises(StoreDamagedError):
        parsed("{")


_words = st.text(st.sampled_from("年休假10天，。ab \n[]█\0"), max_size=20)
_finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def _answers(draw: st.DrawFn) -> Answer:
    """Passages of two texts, citations inside them, sentences of own words and of theirs."""
    passages = []
    for version in draw(st.lists(st.sampled_from(["leave", "pump"]), max_size=3)):
        text = TEXTS[version]
        start = draw(st.integers(0, len(text) - 2))
        words = text[start : draw(st.integers(start + 1, len(text)))]
        span = Span(start, start + len(words))
        passages.append(replace(passage(version, text, words, score=draw(_finite)), span=span))
    citations = []
    for n in range(draw(st.integers(0, 3)) if passages else 0):
        at = draw(st.integers(0, len(passages) - 1))
        source = passages[at]
        end = draw(st.integers(1, len(source.text)))
        verdict = draw(st.sampled_from(Verdict))
        citations.append(cited(source, at, n + 1, source.text[:end], sentence=draw(_words), verdict=verdict))
    own = draw(_words) + "x"
    quoted = draw(st.sampled_from(["", *(source.text for source in passages)]))
    return answer(
        own + quoted,
        passages,
        citations,
        answered=draw(st.booleans()),
        method=draw(st.sampled_from(["llm", "extractive"])),
        latency_ms=draw(_finite),
        checks=(check(own + quoted, own),),
    )


@given(_answers())
def test_every_answer_comes_back(made: Answer) -> None:
    assert there_and_back(made) == made
