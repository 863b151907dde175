"""Evidence finds its place in the stored texts, or is counted as what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import FileMissingError, SettingsError
from evaluation.retrieval.questions import Asked, StoredText, asked_of, read_set

TEXT = "头。一只猫坐在垫子上。 尾。"


def data(folder: Path, *rows: dict[str, object]) -> Path:
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "a.txt").write_text(TEXT, "utf-8")
    lines = [json.dumps({"id": str(n), "question": "猫在哪？"} | row) + "\n" for n, row in enumerate(rows)]
    (folder / "gold.jsonl").write_text("".join(lines), "utf-8")
    return folder


def asked(folder: Path, limit: int = 0, twins: dict[str, str] | None = None) -> Asked:
    stored = StoredText(text=TEXT, language="zh", lines=())
    return asked_of(read_set("set", [folder], 0), {f"{folder.name}/a.txt": stored}, twins or {}, limit)


def test_where_the_evidence_stands(tmp_path: Path) -> None:
    folder = data(
        tmp_path / "d",
        {"evidence": [{"doc": "a.txt", "text": "一只猫坐在垫子上。 ", "start": 2, "end": 12}]},
        {"evidence": [{"doc": "a.txt", "text": "垫子"}], "lang": "zh", "answer": [["垫子", "坐垫"], "上"]},
        {"evidence": [{"doc": "a.txt", "text": "一只狗", "start": 2, "end": 5}]},
        {"evidence": [{"doc": "a.txt", "text": "狗"}]},
        {"evidence": [{"doc": "b.txt", "text": "猫"}]},
        {"evidence": [{"doc": "a.txt", "page": 3, "text": ["x"]}], "question": "Where is it?"},
        {"evidence": [{"doc": "a.txt", "text": ""}], "evidence_mode": "documents"},
        {"type": "noanswer"},
    )
    found = asked(folder)
    places = {q.case.id: (q.case.evidence[0].start, q.case.evidence[0].end) for q in found.questions}
    # White space at the ends is not wanted; a text without offsets is looked for.
    assert places == {"0": (2, 11), "1": (7, 9), "5": (None, None), "6": (None, None)}
    assert {q.case.id for q in found.misread} == {"2", "3"}
    assert [q.case.id for q in found.unanswerable] == ["7"] and found.elsewhere == 1
    by_id = {q.case.id: q for q in found.questions}
    assert by_id["0"].case.evidence[0].doc == "d/a.txt" and by_id["0"].gold.evidence[0].doc == "a.txt"
    assert (by_id["0"].budget, by_id["5"].budget) == (2400, 6000)


def test_a_duplicate_stands_for_its_twin(tmp_path: Path) -> None:
    folder = data(tmp_path / "d", {"evidence": [{"doc": "b.txt", "text": "垫子"}]})
    (question,) = asked(folder, twins={"d/b.txt": "d/a.txt"}).questions
    assert question.case.evidence[0].doc == "d/a.txt"


def test_a_limit_takes_the_same_questions_every_time(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"evidence": [{"doc": "a.txt", "text": "垫子"}]} for _ in range(9)]
    folder = data(tmp_path / "d", *rows)
    few, more = asked(folder, 3).questions, asked(folder, 5).questions
    assert len(few) == 3 and more[:3] == few


def test_conversations_are_read(tmp_path: Path) -> None:
    turn = {"role": "user", "content": "说说猫。"}
    evidence = [{"doc": "a.txt", "text": "垫子"}]
    folder = data(
        tmp_path / "d", {"evidence": evidence, "history": [turn], "standalone_question": "猫坐在哪？"}
    )
    (question,) = asked(folder).questions
    assert question.history[0].text == "说说猫。" and question.rewrite == "猫坐在哪？"


def test_wrong_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError):
        read_set("s", [tmp_path], 0)
    with pytest.raises(SettingsError, match="same name"):
        read_set("s", [data(tmp_path / "1" / "d"), data(tmp_path / "2" / "d")], 0)
