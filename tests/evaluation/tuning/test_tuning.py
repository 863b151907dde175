"""What is picked and what is recommended: scores made by hand, then the repository's own small set."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import SettingsError
from evaluation.cli import main
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.reporting.run_file import read_run
from evaluation.retrieval.questions import Question
from evaluation.tuning.climb import Changes, Scores, climb, proof
from evaluation.tuning.halves import LEAST, halves_of
from evaluation.tuning.knobs import Knob, knobs_of
from evaluation.tuning.report import env_lines

GOLD = Path(__file__).resolve().parents[2] / "golden" / "qingyu"


def question(name: str, *docs: str) -> Question:
    case = GoldCase(id=name, question="?", evidence=tuple(EvidencePiece(doc=doc) for doc in docs))
    return Question(part="p", gold=case, case=case, history=(), rewrite="", language="zh")


def test_halves_share_no_document() -> None:
    questions = [question(f"q{n}", f"d{n // 3}", f"d{n // 3 + (n % 3 == 0) * 100}") for n in range(60)]
    halves = halves_of(questions)
    docs = [
        {piece.doc for q in side for piece in q.case.evidence}
        for side in (halves.picked_on, halves.held_back)
    ]
    assert halves.by_document and not docs[0] & docs[1]
    assert sorted(q.key for q in (*halves.picked_on, *halves.held_back)) == sorted(q.key for q in questions)
    assert abs(len(halves.picked_on) - len(halves.held_back)) <= 3
    again = halves_of(list(reversed(questions)))
    assert {q.key for q in again.picked_on} == {q.key for q in halves.picked_on}


def test_documents_that_hang_together_stay_together() -> None:
    """b is asked about with a, and with c: so a and c are on one side."""
    chain = [question("1", "a", "b"), question("2", "b", "c"), question("3", "a"), question("4", "c")]
    halves = halves_of([*chain, *(question(f"x{n}", f"x{n}") for n in range(20))])
    sides = [
        {q.case.id for q in side} & {"1", "2", "3", "4"} for side in (halves.picked_on, halves.held_back)
    ]
    assert sorted(map(len, sides)) == [0, 4]


def test_one_document_is_parted_by_question_and_says_so() -> None:
    halves = halves_of([question(f"q{n}", "only") for n in range(30)])
    assert not halves.by_document and len(halves.picked_on) == len(halves.held_back) == 15


def test_too_few_questions_are_refused() -> None:
    with pytest.raises(SettingsError):
        halves_of([question(f"q{n}", f"d{n}") for n in range(2 * LEAST - 1)])


def flat(value: float, count: int = 20) -> Scores:
    return {str(n): value for n in range(count)}


KNOBS = (Knob(setting="g.a", values=("1", "2", "3")), Knob(setting="g.b", values=("x", "y")))


def test_each_knob_keeps_its_best_value_and_the_next_builds_on_it() -> None:
    asked: list[Changes] = []

    def measure(changes: Changes) -> Scores:
        asked.append(changes)
        value = {"1": 0.2, "2": 0.5, "3": 0.4}[changes.get("g.a", "1")]
        return flat(value + 0.3 * (changes.get("g.b") == "y"))

    found = climb(KNOBS, measure, lambda setting, value: value in ("1", "x"))
    assert found.chosen == {"g.a": "2", "g.b": "y"}
    assert asked == [{}, {"g.a": "2"}, {"g.a": "3"}, {"g.a": "2", "g.b": "y"}]
    assert [one.value for one in found.tries if one.is_taken] == ["2", "y"]
    assert found.start == flat(0.2) and found.end["0"] == pytest.approx(0.8)


def test_a_gain_on_two_questions_is_not_taken() -> None:
    def measure(changes: Changes) -> Scores:
        return flat(0.0) | ({"0": 1.0, "1": 1.0} if changes else {})

    found = climb(KNOBS[1:], measure, lambda setting, value: value == "x")
    assert not found.chosen and found.tries[0].gain == pytest.approx(0.1) and found.tries[0].chance == 0.25


def test_what_held_on_the_other_half_alone_is_beyond_noise() -> None:
    assert proof(flat(0.0), flat(0.0) | {str(n): 1.0 for n in range(6)}).is_beyond_noise
    assert not proof(flat(0.0), flat(0.0) | {str(n): 1.0 for n in range(4)}).is_beyond_noise
    assert not proof(flat(1.0), flat(0.0)).is_beyond_noise
    with pytest.raises(ValueError, match="same questions"):
        proof(flat(0.0, 3), flat(0.0, 4))


def test_settings_without_effect_are_seldom_recommended() -> None:
    """Eight values that are all alike: what looks best on one half does not pass on the other."""
    rng, recommended = np.random.default_rng(3), 0

    def noise(count: int = 13) -> Scores:
        return dict(zip(map(str, range(count)), rng.integers(0, 2, count).astype(float), strict=True))

    for _ in range(40):
        found = climb(
            [Knob(setting="g.a", values=tuple("12345678"))], lambda changes: noise(), lambda s, v: False
        )
        recommended += bool(found.chosen) and proof(noise(), noise()).is_beyond_noise
    assert recommended <= 1


def test_knobs_as_written() -> None:
    assert knobs_of("retrieval.rrf_k=10|60; chunking.min_tokens+chunking.soft_tokens=50+150|100+300") == (
        Knob(setting="retrieval.rrf_k", values=("10", "60")),
        Knob(setting="chunking.min_tokens+chunking.soft_tokens", values=("50+150", "100+300")),
    )
    assert KNOBS[0].changes("2") == {"g.a": "2"}
    assert knobs_of("chunks")[1].changes("50+150+220")["chunking.hard_tokens"] == "220"
    for wrong in ("", "retrieval.rrf_k", "a.b+a.c=1|2"):
        with pytest.raises(SettingsError):
            knobs_of(wrong)
    assert env_lines({"retrieval.rrf_k": "60"}) == ["YOUJU_RETRIEVAL__RRF_K=60"]


@pytest.fixture
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_LANGUAGE", "en")


def command(*more: str) -> list[str]:
    return ["tune", "--gold", str(GOLD / "gold.jsonl"), "--corpus", str(GOLD / "corpus"), *more]


@pytest.mark.usefixtures("_small")
def test_a_bad_setting_is_found_and_the_line_to_set_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_RETRIEVAL__CANDIDATES", "1")
    monkeypatch.setenv("YOUJU_RETRIEVAL__LEXICAL", "false")
    out = tmp_path / "out"
    knobs = "retrieval.candidates=1|50;retrieval.reranker=builtin"
    assert (
        main(command("--knobs", knobs, "--figure", "recall@5", "--questions", "40", "--out", str(out))) == 0
    )
    shown = capsys.readouterr().out
    assert "A change is recommended" in shown and "    YOUJU_RETRIEVAL__CANDIDATES=50" in shown
    report = json.loads((out / "tune.json").read_text("utf-8"))
    assert report["by_document"] and report["gain"]["low"] > 0 and report["chance"] <= 0.05
    assert [(one["knob"], one["value"]) for one in report["tries"]] == [("retrieval.candidates", "50")]
    present, chosen = read_run(out / "tune.run.json").systems
    assert len(present.cases) == len(chosen.cases) == report["held_back"]
    assert chosen.figures["recall@5"].value == pytest.approx(report["held_back_after"], abs=1e-3)

    assert main(command("--knobs", "retrieval.charm=2", "--questions", "20")) == 1
    assert "retrieval.candidates" in capsys.readouterr().err

    monkeypatch.setenv("YOUJU_RETRIEVAL__CANDIDATES", "50")
    assert main(command("--knobs", "retrieval.candidates=49", "--questions", "20", "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert not report["recommended"] and not report["settings"] and report["gain"] is None
