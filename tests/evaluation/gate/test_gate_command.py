"""The gate from end to end: a planted regression fails it and is blamed on the right stage."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.registry import REGISTRY
from evaluation.cli import main
from evaluation.gold import read_gold
from evaluation.reporting.run_file import read_run
from ingest.splitters import semantic

QINGYU = Path(__file__).resolve().parents[2] / "golden" / "qingyu"
DOCUMENTS = (
    "青屿市机动车停放管理办法.txt",
    "冷藏车租赁合同.md",
    "海豚H3净水机使用说明书.md",
    "访客管理规定（2025年版）.md",
    "hosting-services-agreement.md",
)


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", "home")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five of the documents, the questions about them alone, and a baseline of the code as it is."""
    folder = tmp_path_factory.mktemp("gate") / "set"
    (folder / "corpus").mkdir(parents=True)
    for name in DOCUMENTS:
        shutil.copy(QINGYU / "corpus" / name, folder / "corpus")
    lines = (QINGYU / "gold.jsonl").read_text("utf-8").splitlines()
    kept = [line + "\n" for line in lines if _is_about(json.loads(line))]
    (folder / "gold.jsonl").write_text("".join(kept), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
        patch.setenv("YOUJU_HOME", str(folder.parent / "home"))
        assert main([*command(folder), "--write-baseline"]) == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """The same to be changed by a test."""
    return Path(shutil.copytree(made, tmp_path / "set"))


def _is_about(row: dict[str, Any]) -> bool:
    return bool(row["evidence"]) and all(piece["doc"] in DOCUMENTS for piece in row["evidence"])


def command(folder: Path) -> list[str]:
    return ["gate", "--gold", str(folder / "gold.jsonl"), "--corpus", str(folder / "corpus")]


def change(report: dict[str, Any], figure: str) -> dict[str, Any]:
    return next(found for found in report["changes"] if found["figure"] == figure)


def stages(found: dict[str, Any]) -> list[str]:
    return [case["stages"][0] for case in found["worse"]]


def test_the_same_code_passes_and_lost_lines_of_a_document_are_the_parsers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(command(folder)) == 0
    assert "Passed" in capsys.readouterr().out

    for name in ("海豚H3净水机使用说明书.md", "冷藏车租赁合同.md", "访客管理规定（2025年版）.md"):
        path = folder / "corpus" / name
        # As a parser that takes tables and numbered items for ornaments would leave it.
        lines = [
            line for line in path.read_text("utf-8").split("\n") if not line.startswith(("|", "1.", "2."))
        ]
        path.write_text("\n".join(lines), "utf-8")
    assert main([*command(folder), "--out", str(folder)]) == 1
    (system,) = read_run(folder / "gate.run.json").systems
    lost = [case for case in system.cases if case.stage == "parser"]
    assert lost and system.name == "gate"
    assert any(case.shown and case.shown.evidence and not case.shown.returned for case in lost)
    shown = capsys.readouterr().out
    assert "Cases with a worse whole (by the stage that lost them: parser" in shown
    assert "Failed: truncated, complete, recall@3, whole" in shown
    assert "      parser: 海豚H3净水机使用说明书.md does not hold '" in shown


def test_a_broken_merge_rule_is_caught_and_blamed_on_chunking(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing is merged any more: every paragraph, item and row is a chunk of its own.
    monkeypatch.setattr(semantic, "partition", lambda row, settings: list(range(len(row.sizes))))
    capsys.readouterr()
    assert main([*command(folder), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    complete = change(report, "complete")
    assert complete["fails"] and complete["chance"] < 0.1
    assert set(stages(complete)) <= {"chunking", "overlap"}
    assert "chunking" in stages(complete)


def test_a_shuffled_reranker_is_caught_and_blamed_on_reranking(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY["reranker"], "shuffled", "tests.evaluation.gate.planted:ShuffledReranker")
    monkeypatch.setenv("YOUJU_RETRIEVAL__RERANKER", "shuffled")
    failures = folder / "failures.jsonl"
    capsys.readouterr()
    assert main([*command(folder), "--write-failures", str(failures), "--json"]) == 1
    shown = capsys.readouterr()
    assert "retrieval.reranker=shuffled" in shown.err
    assert {case.id for case in read_gold(failures)} <= {case.id for case in read_gold(folder / "gold.jsonl")}
    assert json.loads(failures.read_text("utf-8").splitlines()[0])["failures"]
    recall = change(json.loads(shown.out), "recall@3")
    blamed = stages(recall)
    assert recall["fails"] and blamed.count("rerank") > 0.8 * len(blamed)


def test_gold_that_is_wrong_is_refused_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"id": "new", "question": "谁负责保养？", "evidence": [{"doc": DOCUMENTS[1], "text": "不在里面"}]}
    with (folder / "gold.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    lines = len((folder / "gold.jsonl").read_text("utf-8").splitlines())
    capsys.readouterr()
    assert main(command(folder)) == 1
    assert f"line {lines}" in (told := capsys.readouterr().err) and "不在里面" in told
