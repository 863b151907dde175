"""Answers judged through ragas by a scripted model; the judging itself is skipped where ragas is not installed.

ragas brings pandas, pyarrow and datasets, so the development install goes without it:
``pip install -c constraints.txt '.[eval]'`` runs the rest.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import MissingExtraError
from core.protocols import Vectors
from core.settings import load_settings
from evaluation.cli import main
from evaluation.gold import GoldCase
from evaluation.ragas_judge import RagasJudge, Sample
from evaluation.ragas_runs import Plan, judged_sets, models_of, reference_of, table_of
from evaluation.reporting.run_file import read_run
from evaluation.retrieval.progress import Progress
from evaluation.vector_cache import VectorCache
from tests.scripted_openai import serving

needs_ragas = pytest.mark.skipif(find_spec("ragas") is None, reason="the extra eval is not installed")
ragas_warnings = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
WITH_AND_WITHOUT = "押金为一千元。租期为两年，可以续租一次。"


class Lengths:
    """Vectors that tell a text's length."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1.0, float(len(text))] for text in texts], dtype=np.float32)


class Scripted:
    """Replies as a judge does: one of two sentences is carried, the reference is."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def decide(self, instruction: str, data: str) -> str:
        self.asked.append(data)
        return judged(data)


def judged(prompt: str) -> str:
    """What the judge says to one of ragas's prompts."""
    if "analyze the complexity" in prompt:
        return json.dumps({"statements": ["a", "b"]})
    if "faithfulness" in prompt:
        rows = [{"statement": s, "reason": "", "verdict": v} for s, v in (("a", 1), ("b", 0))]
        return json.dumps({"statements": rows})
    if "noncommittal" in prompt:
        return json.dumps({"question": "租期多久？", "noncommittal": 0})
    return json.dumps({"classifications": [{"statement": "a", "reason": "", "attributed": 1}]})


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    folder = tmp_path / "lease"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "lease.txt").write_text(WITH_AND_WITHOUT, "utf-8")
    start = WITH_AND_WITHOUT.index("租期")
    piece = {"doc": "lease.txt", "text": "租期为两年", "start": start, "end": start + 5}
    rows: list[dict[str, Any]] = [
        {"id": "a", "question": "租期多久？", "answer": "两年", "lang": "zh", "evidence": [piece]},
        {"id": "b", "question": "谁是房东？", "type": "noanswer", "lang": "zh"},
    ]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "gold.jsonl").write_text(lines, "utf-8")
    return folder


def test_without_the_extra_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ragas", None)
    monkeypatch.setitem(sys.modules, "ragas.dataset_schema", None)
    with pytest.raises(MissingExtraError) as raised:
        RagasJudge(Scripted(), Lengths())  # type: ignore[arg-type]
    assert "pip install 'youju[eval]'" in raised.value.message("en")


def test_without_a_judge_nothing_is_asked(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ragas", "--data", str(data)]) == 1
    assert "YOUJU_CHAT__MODEL" in capsys.readouterr().err


def test_what_is_judged_is_the_answer_with_its_passages(data: Path, tmp_path: Path) -> None:
    class Reads:
        """Takes an answer apart by reading it."""

        def scores(self, sample: Sample) -> dict[str, float]:
            held = [sample.reference in text for text in sample.contexts]
            return {"context_recall": float(any(held)), "faithfulness": float("两年" in sample.answer)}

    settings, progress = load_settings(), Progress("en")
    cache = VectorCache(tmp_path / "vectors.db")
    plan = Plan(folders=(data,), method="extractive", judge="reads", out=tmp_path / "out")
    try:
        made = judged_sets(settings, plan, models_of(settings, cache, progress), Reads(), progress)
    finally:
        cache.close()
    assert made is not None and made == read_run(tmp_path / "out" / "ragas.run.json")
    (system,) = made.systems
    assert [case.id for case in system.cases] == ["lease/a"], "what has no answer is not judged"
    assert system.figures["context_recall"].value == system.figures["faithfulness"].value == 1
    assert made.options["judge"] == "reads" and made.data[0].documents == 1
    assert "| lease | 1 | 1.000 [1.000, 1.000] (1) | - |" in table_of(
        made, ["set", "questions", "faithfulness", "answer_relevancy"]
    )


def test_the_reference_names_every_part_once() -> None:
    assert reference_of(GoldCase(id="a", question="?", answer=["一", ["二", "两"]])) == "一; 二"


@needs_ragas
@ragas_warnings
def test_ragas_counts_what_the_judge_says() -> None:
    model = Scripted()
    judge = RagasJudge(model, Lengths())  # type: ignore[arg-type]
    sample = Sample(question="租期多久？", answer="a。b。", contexts=("租期为两年",), reference="两年")
    scores = judge.scores(sample)
    assert scores == pytest.approx({"faithfulness": 0.5, "answer_relevancy": 1.0, "context_recall": 1.0})
    assert any("租期为两年" in asked for asked in model.asked)

    refused = Sample(question="租期多久？", answer="", contexts=("租期为两年",), reference="两年")
    assert judge.scores(refused) == {"context_recall": 1.0}, "a refusal is neither faithful nor relevant"


@needs_ragas
@ragas_warnings
def test_a_judge_without_form_is_left_out() -> None:
    class Babbles(Scripted):
        def decide(self, instruction: str, data: str) -> str:
            return "I would say yes."

    sample = Sample(question="租期多久？", answer="a。", contexts=("租期为两年",), reference="两年")
    assert RagasJudge(Babbles(), Lengths()).scores(sample) == {}  # type: ignore[arg-type]


@needs_ragas
@ragas_warnings
def test_the_whole_command(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(lambda request: judged(request["messages"][-1]["content"])) as server:
        monkeypatch.setenv("YOUJU_CHAT__BASE_URL", server.url)
        monkeypatch.setenv("YOUJU_CHAT__MODEL", "judge-1")
        out = tmp_path / "out"
        command = ["ragas", "--data", str(data), "--method", "extractive", "--out", str(out)]
        assert main(command) == 0
        asked = len(server.requests)
        assert asked and main(command) == 0 and len(server.requests) == asked, "what was judged is cached"
    run = read_run(out / "ragas.run.json")
    assert run.options["judge"] == "judge-1"
    assert run.systems[0].figures["faithfulness"].value == 0.5
    assert "faithfulness" in capsys.readouterr().out
