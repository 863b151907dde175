"""The command lines that other programs rely on: forms, exit codes, languages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli import main as youju
from evaluation.cli import main as evaluation
from ingest.cli import main as ingest
from retrieval.cli import main as retrieval
from tests.support import HANDBOOK, MANUAL


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    folder = tmp_path / "docs" / "手册"
    folder.mkdir(parents=True)
    (folder / "handbook.md").write_text(HANDBOOK, "utf-8")
    (tmp_path / "docs" / "manual.md").write_text(MANUAL, "utf-8")
    return tmp_path


def out(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_add_list_show_remove_check_rebuild(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ingest(["add", str(home / "docs"), "--json"]) == 0
    report = out(capsys)
    assert report["counts"]["added"] == 2
    assert set(report["seconds"]) == {"parse", "chunk", "embed", "save", "index"}
    assert ingest(["list", "--json"]) == 0
    assert [row["doc"] for row in out(capsys)] == ["manual.md", "手册/handbook.md"]
    assert ingest(["show", "manual.md", "--chunks", "--json"]) == 0
    shown = out(capsys)
    assert shown["chunk_count"] == len(shown["chunks"])
    assert all(MANUAL[c["start"] : c["end"]] == c["text"] for c in shown["chunks"])
    assert ingest(["check", "--json"]) == 0
    assert out(capsys) == {"problems": []}
    assert ingest(["rebuild"]) == 0
    assert ingest(["remove", "manual.md"]) == 0
    assert ingest(["remove", "manual.md"]) == 1
    assert "manual.md" in capsys.readouterr().err


def test_a_collection_and_a_strategy_of_its_own(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        ingest(["add", str(home / "docs" / "manual.md"), "--collection", "pumps", "--strategy", "fixed"]) == 0
    )
    capsys.readouterr()
    assert ingest(["show", "manual.md", "--chunks", "--json"]) == 0
    assert {reason for c in out(capsys)["chunks"] for reason in c["reasons"]} == {"token"}
    assert retrieval(["search", "filter", "--collection", "pumps", "--json"]) == 0
    assert out(capsys)["passages"]
    assert retrieval(["search", "filter", "--collection", "nowhere", "--json"]) == 1
    assert "pumps" in capsys.readouterr().err


def test_search_and_ask_in_batches_have_the_stated_form(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(["add", str(home / "docs")])
    questions = home / "q.jsonl"
    rows = [
        {"id": "1", "question": "员工请病假须满足什么条件？", "extra": 1},
        {
            "id": 2,
            "question": "那急诊呢？",
            "history": [{"speaker": "user", "text": "员工请病假须满足什么条件？"}],
        },
        {"id": "3", "question": "  "},
    ]
    questions.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    target = home / "out.jsonl"
    assert retrieval(["search", "--questions", str(questions), "--out", str(target), "-k", "3"]) == 0
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["1", "2", "3"]
    assert set(lines[0]) == {"id", "passages", "latency_ms"}
    assert set(lines[0]["passages"][0]) == {"doc", "start", "end", "text", "pages", "section_path", "score"}
    for passage in lines[0]["passages"]:
        source = (home / "docs" / passage["doc"]).read_text("utf-8")
        assert source[passage["start"] : passage["end"]] == passage["text"]
    assert lines[2]["passages"] == []
    assert retrieval(["ask", "--questions", str(questions), "--out", str(target)]) == 0
    lines = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert {"id", "answer", "answered", "route", "citations", "passages", "latency_ms"} <= set(lines[0])
    assert set(lines[0]["citations"][0]) == {
        "n", "doc", "start", "end", "text", "pages", "verdict", "score", "strong", "reasons",
    }  # fmt: skip
    gold = {
        "id": "1",
        "question": "x",
        "type": "fact",
        "evidence": [_evidence("持有二级以上医院出具的诊断证明")],
    }
    (home / "gold.jsonl").write_text(json.dumps(gold), "utf-8")
    capsys.readouterr()
    assert evaluation(["search", "--gold", str(home / "gold.jsonl"), "--results", str(target), "--json"]) == 0
    assert out(capsys)["evidence_recall@5"] == 1.0


def _evidence(words: str) -> dict[str, object]:
    start = HANDBOOK.index(words)
    return {"doc": "手册/handbook.md", "text": words, "start": start, "end": start + len(words)}


def test_wrong_use_and_wrong_input_have_exit_codes_and_sentences(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert retrieval(["search"]) == 2
    assert retrieval(["search", "--questions", "x"]) == 2
    assert ingest(["add", str(home / "nowhere")]) == 1
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    (home / "empty.txt").write_bytes(b"")
    capsys.readouterr()
    assert ingest(["add", str(home / "empty.txt")]) == 1
    assert "是空的" in capsys.readouterr().err
    (home / "bad.jsonl").write_text('{"id": 1}\n')
    assert retrieval(["search", "--questions", str(home / "bad.jsonl"), "--out", str(home / "o")]) == 1
    assert "line 1" in capsys.readouterr().err
    monkeypatch.setenv("YOUJU_RETRIEVAL__PASSAGES", "many")
    assert ingest(["list"]) == 1
    assert "YOUJU_RETRIEVAL__PASSAGES" in capsys.readouterr().err


def test_youju_stands_in_front_of_all_and_the_doctor_speaks_plainly(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert youju([]) == 2
    assert youju(["--help"]) == 0
    assert youju(["doctor"]) == 0
    assert "empty" in capsys.readouterr().out
    assert youju(["add", str(home / "docs")]) == 0
    assert youju(["ask", "员工请病假须满足什么条件？"]) == 0
    assert "诊断证明" in capsys.readouterr().out
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    assert youju(["doctor"]) == 0
    report = capsys.readouterr().out
    assert "2 份文档" in report
    assert "没有设置对话模型" in report
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("YOUJU_CHAT__MODEL", "gone")
    monkeypatch.setenv("YOUJU_CHAT__MAX_RETRIES", "0")
    assert youju(["doctor"]) == 1
    assert "✗" in capsys.readouterr().out


def test_the_modules_run_as_programs(home: Path) -> None:
    for module in ("ingest", "retrieval", "evaluation"):
        done = subprocess.run(
            [sys.executable, "-m", module, "--help"], capture_output=True, text=True, env=dict(os.environ)
        )
        assert done.returncode == 0
        assert f"python -m {module}" in done.stdout
