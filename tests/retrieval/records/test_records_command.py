"""``youju answers``: list, show, export, delete, purge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main as youju
from retrieval.cli import main as retrieval
from tests.support import HANDBOOK

QUESTION = "员工请病假须同时满足哪些条件？"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    (tmp_path / "handbook.md").write_text(HANDBOOK, "utf-8")
    assert youju(["add", str(tmp_path / "handbook.md")]) == 0
    capsys.readouterr()
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str]) -> str:
    """Ask on the command line; returns the id that it told."""
    assert retrieval(["ask", QUESTION]) == 0
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert told.startswith("Kept as ")
    return told.split()[-1]


def test_what_was_asked_is_listed_shown_and_exported(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert youju(["answers", "list"]) == 0
    assert "No answers" in capsys.readouterr().err
    key = asked(capsys)
    assert youju(["answers", "list"]) == 0
    line = capsys.readouterr().out
    assert line.startswith(key)
    assert QUESTION in line
    assert youju(["answers", "list", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["id"], row["question"], row["method"]) == (key, QUESTION, "extractive")
    assert retrieval(["answers", "show", key]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"# {QUESTION}")
    assert "Bibliography" in shown
    assert retrieval(["answers", "export", key, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == key
    target = home / "answer.html"
    assert retrieval(["answers", "export", key, "--format", "html", "--out", str(target)]) == 0
    assert str(target) in capsys.readouterr().err
    assert "诊断证明" in target.read_text("utf-8")


def test_json_of_an_answer_names_its_record_and_batches_keep_none(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert retrieval(["ask", QUESTION, "--json"]) == 0
    key = json.loads(capsys.readouterr().out)["answer_id"]
    (home / "q.jsonl").write_text(json.dumps({"id": "1", "question": QUESTION}), "utf-8")
    assert retrieval(["ask", "--questions", str(home / "q.jsonl"), "--out", str(home / "o.jsonl")]) == 0
    assert json.loads((home / "o.jsonl").read_text("utf-8"))["answer_id"] is None
    capsys.readouterr()
    assert retrieval(["answers", "list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [key]


def test_answers_are_forgotten_by_name_and_by_age(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key, other = asked(capsys), asked(capsys)
    assert youju(["answers", "delete", key, "nothing"]) == 1
    assert "nothing" in capsys.readouterr().err
    assert youju(["answers", "delete", key]) == 0
    assert capsys.readouterr().out == "Deleted: 1\n"
    assert youju(["answers", "show", key]) == 1
    assert youju(["answers", "purge"]) == 2
    assert "YOUJU_ANSWER__KEEP_DAYS" in capsys.readouterr().err
    monkeypatch.setenv("YOUJU_ANSWER__KEEP_DAYS", "30")
    assert youju(["answers", "purge"]) == 0
    assert capsys.readouterr().out == "Deleted: 0\n"
    assert youju(["answers", "show", other]) == 0
    monkeypatch.setenv("YOUJU_ANSWER__STORE", "false")
    assert youju(["ask", QUESTION]) == 0
    assert "Kept" not in capsys.readouterr().err


def test_the_program_speaks_chinese_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    key = asked(capsys)
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    assert youju(["answers", "show", key]) == 0
    assert "文献目录" in capsys.readouterr().out
