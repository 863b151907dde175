"""Cases that a chat model writes: kept with exact quotes, dropped and counted without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.cli import main
from evaluation.gold import read_gold
from evaluation.reviewing.decisions import read_drafts
from tests.scripted_openai import serving
from tests.support import HANDBOOK

GOOD = {
    "question": "年休假能延到什么时候？",
    "answer": "次年3月31日",
    "quotes": ["可以延至次年3月31日"],
    "type": "fact",
}
INVENTED = GOOD | {"question": "年休假几天？", "quotes": ["每年享受25天年休假"]}
EMPTY = GOOD | {"question": " "}
UNQUOTED = GOOD | {"quotes": []}


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (tmp_path / "handbook.md").write_text(HANDBOOK, "utf-8")
    monkeypatch.setenv("YOUJU_HOME", "home")
    monkeypatch.setenv("YOUJU_CHAT__MODEL", "scripted")
    return ["draft", "handbook.md", "--model", "--out", "drafts.jsonl"]


def test_only_cases_with_exact_quotes_are_kept(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = json.dumps({"cases": [GOOD, INVENTED, EMPTY, UNQUOTED]}, ensure_ascii=False)
    with serving(lambda request: f"```json\n{cases}\n```") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert main(command) == 0
    assert "1 kept, 3 dropped" in capsys.readouterr().err
    (case,) = read_gold(Path("drafts.jsonl"))
    (piece,) = case.evidence
    assert (case.question, case.lang, case.type) == (GOOD["question"], "zh", "fact")
    assert HANDBOOK[piece.start : piece.end] == piece.text == "可以延至次年3月31日"
    (draft,) = read_drafts(Path("drafts.jsonl"))
    assert draft.source == "model" and "年休假" in draft.contexts[0].text


def test_a_reply_without_the_form_is_asked_once_more_and_counted(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reply(request: dict[str, Any]) -> str:
        return "Sure! Here are some questions."

    with serving(reply) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert main(command) == 0
        assert len(server.requests) == 2
    assert "1 replies without the form" in capsys.readouterr().err
    assert read_drafts(Path("drafts.jsonl")) == []


def test_without_a_model_the_option_is_refused(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("YOUJU_CHAT__MODEL")
    assert main(command) == 1
    assert "YOUJU_CHAT__MODEL" in capsys.readouterr().err


def test_files_folders_and_stored_documents_are_drafted_by_rules(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from ingest.cli import main as ingest

    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    assert ingest(["add", "handbook.md"]) == 0
    (tmp_path / "handbook.md").rename(tmp_path / "folder.md")
    (tmp_path / "empty.txt").write_bytes(b"")
    capsys.readouterr()
    assert (
        main(["draft", "handbook.md", "folder.md", "empty.txt", "--out", "d.jsonl", "--questions", "4"]) == 0
    )
    assert "empty.txt" in capsys.readouterr().err
    drafts = read_drafts(Path("d.jsonl"))
    assert [d.case.evidence[0].doc for d in drafts] == ["folder.md"] * 4 + ["handbook.md"] * 4
    assert [d.case.question for d in drafts[:4]] != [] and main(
        ["draft", "nowhere.md", "--out", "d.jsonl"]
    ) == 1
