"""Studies and claims from end to end on the repository's own small set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.cli import main
from evaluation.reporting.run_file import read_run

GOLD = Path(__file__).resolve().parents[2] / "golden" / "qingyu"


@pytest.fixture(autouse=True)
def _prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_LANGUAGE", "en")


def test_a_study_of_chunks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["study", "overlap", "--curves", "recursive", "--data", str(GOLD), "--documents", "1"]
    assert main([*command, "--questions", "4", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert shown == (out / "overlap.md").read_text("utf-8") and "| recursive | 50 (shipped) |" in shown
    report = json.loads((out / "overlap.json").read_text("utf-8"))
    points = report["sets"][0]["points"]
    assert [point["value"] for point in points] == ["0", "50", "100"]
    assert all(point["questions"] == 4 for point in points)
    (verdict,) = report["sets"][0]["verdicts"]
    assert verdict["scope"] == "recursive" and 0 <= verdict["chance"] <= 1
    assert (out / "overlap.qingyu.svg").read_text("utf-8").count("<circle") == 3
    assert read_run(out / "runs" / "chunks.run.json").data[0].questions == 4


def test_a_study_of_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["study", "fusion", "--curves", "reranker", "--data", str(GOLD), "--documents", "2"]
    assert main([*command, "--questions", "4", "--json", "--figure", "recall"]) == 0
    builtin, none = json.loads(capsys.readouterr().out)["sets"][0]["points"]
    assert (builtin["shipped"], none["shipped"]) == (True, False)
    assert none["spec"] == "ours:retrieval.reranker=none"
    assert builtin["recall"]["value"] == builtin["facts"]["recall"] > 0

    command[1:4] = ["blend", "--curves", "whole,lexical"]
    assert main([*command, "--questions", "4", "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["sets"][0]["points"]
    shipped = [point for point in points if point["shipped"]]
    assert [point["curve"] for point in shipped] == ["whole", "lexical"] and len(points) == 8
    assert shipped[0]["mrr"] == shipped[1]["mrr"] and shipped[0]["questions"] == 4
    assert main([*command, "--questions", "4", "--figure", "recall"]) == 1


def test_a_figure_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["study", "overlap", "--curves", "recursive", "--data", str(GOLD), "--documents", "1"]
    assert main([*command, "--questions", "2", "--figure", "beauty"]) == 1
    assert "beauty" in capsys.readouterr().err


def test_claims_are_judged_with_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["claims", "--data", str(GOLD), "--documents", "1", "--questions", "3", "--out", str(out)]
    assert main(command) == 0
    assert capsys.readouterr().out == (out / "claims.md").read_text("utf-8")
    (found,) = json.loads((out / "claims.json").read_text("utf-8"))["sets"]
    claimed = [one for one in found["retests"] if one["claim"]]
    assert {one["figure"] for one in claimed} == {
        "precision@5", "recall@5", "mrr", "f1@5", "answer", "latency_ms", "context recall",
    }  # fmt: skip
    assert all(one["questions"] == 3 for one in claimed)
    assert found["means"]["fixed"]["latency_ms"] > 0
    run = read_run(out / "claims.run.json")
    assert len(run.systems) == 5 and all(len(system.cases) == 3 for system in run.systems)
