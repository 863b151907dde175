"""Answers measured from end to end over two small documents of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation.answers.fitting import Example, fit_odds, fit_relevance
from evaluation.cli import main
from evaluation.reporting.run_file import read_run
from retrieval.answerers.relevance import FEATURES
from retrieval.probability import Signs
from tests.support import HANDBOOK, MANUAL


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", "home")


def gold(id_: str, question: str, answer: str = "", doc: str = "", text: str = "") -> dict[str, object]:
    if not doc:
        return {"id": id_, "question": question, "type": "noanswer", "lang": "zh"}
    source = HANDBOOK if doc == "handbook.md" else MANUAL
    start = source.index(text)
    piece = {"doc": doc, "text": text, "start": start, "end": start + len(text)}
    return {"id": id_, "question": question, "answer": answer, "evidence": [piece]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "corpus" / "manual.md").write_text(MANUAL, "utf-8")
    leave = "员工工作满一年的，每年享受5天年休假；满十年的，每年享受10天年休假。"
    cases = [
        gold("1", "工作满十年的员工每年享受几天年休假？", "10天", "handbook.md", leave),
        gold("2", "How often must the filter be replaced?", "every 500 hours", "manual.md",
             "Replace the filter every 500 hours."),
        gold("3", "火星上有几座火山？"),
        gold("4", "Who won the world cup in 1998?"),
    ]  # fmt: skip
    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in cases]
    (folder / "gold.jsonl").write_text("".join(lines), "utf-8")
    return folder


def test_answers_are_scored_kept_and_shown(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = data.parent / "out"
    assert main(["answers", "--data", str(data), "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    report: dict[str, Any] = json.loads((out / "answers.json").read_text("utf-8"))
    (own,) = report["sets"]
    assert (own["set"], own["answerable"], own["unanswerable"]) == ("own", 2, 2)
    assert own["means"]["answer"]["value"] == 1
    assert own["means"]["precision"]["value"] == 1
    assert own["refusal"]["f1"]["value"] == 1
    assert own["means"]["answer"]["questions"] == 2
    assert report["method"] == "extractive"
    assert own["latency_ms"]["p50"] > 0
    assert "| own | 2 / 2 | 1.000" in shown
    assert shown == (out / "answers.md").read_text("utf-8")
    (system,) = read_run(out / "answers.run.json").systems
    assert {case.id: case.scores.get("answered", case.scores.get("refused")) for case in system.cases} == {
        "own/1": 1, "own/2": 1, "own/3": 1, "own/4": 1
    }  # fmt: skip
    assert system.figures["refusal_f1"].value == system.figures["points"].value == 1
    assert [case.is_right for case in system.cases if "refused" in case.scores] == [False, False]
    rows = [json.loads(line) for line in (out / "questions.jsonl").read_text("utf-8").splitlines()]
    assert {row["id"]: row["answered"] for row in rows} == {"1": True, "2": True, "3": False, "4": False}
    worst = [json.loads(line) for line in (out / "worst.jsonl").read_text("utf-8").splitlines()]
    assert all({"question", "cited", "route"} <= row.keys() for row in worst)


# -- fitting ------------------------------------------------------------------------------------------


def example(units: np.ndarray, right: int, signs: Signs, *, has_answer: bool = True) -> Example:
    marks = np.zeros(len(units), dtype=np.bool_)
    marks[right] = has_answer
    return Example(half=0, has_answer=has_answer, is_found=has_answer, signs=signs, units=units, right=marks)


def test_what_tells_the_right_unit_gets_the_weight() -> None:
    random = np.random.default_rng(0)
    told = FEATURES.index("meaning")
    own = []
    for _ in range(80):
        units = random.random((6, len(FEATURES)))
        noisy = units[:, told] + 0.1 * random.random(6)
        own.append(example(units, int(noisy.argmax()), Signs(sentence=0, coverage=0)))
    weights = fit_relevance([own])
    others = [abs(weight) for name, weight in weights.items() if name != "meaning"]
    assert weights["meaning"] > 3 * max(others)


def test_the_odds_are_those_that_made_the_outcomes() -> None:
    random = np.random.default_rng(1)
    units = np.zeros((1, len(FEATURES)))
    own = []
    for _ in range(4000):
        sentence, coverage = random.normal(0.05, 0.05), random.random()
        sure = 1 / (1 + np.exp(-(-3 + 40 * sentence + 4 * coverage)))
        own.append(
            example(units, 0, Signs(sentence=sentence, coverage=coverage), has_answer=random.random() < sure)
        )
    odds = fit_odds([own])
    assert odds["intercept"] == pytest.approx(-3, abs=0.5)
    assert odds["sentence"] == pytest.approx(40, rel=0.15)
    assert odds["coverage"] == pytest.approx(4, rel=0.15)
