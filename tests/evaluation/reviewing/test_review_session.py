"""A reviewer's sitting: decisions are kept at once, can be taken back, and go on where they ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import SettingsError
from evaluation.cli import main
from evaluation.drafting.draft import Context, Draft, write_drafts
from evaluation.gold import EvidencePiece, GoldCase, read_gold
from evaluation.reviewing.decisions import Decisions, read_drafts
from evaluation.reviewing.screen import card
from evaluation.reviewing.session import Session

TEXT = "押金为一千元。租期为两年，可以续租一次。"


def draft(number: int, start: int = 0, end: int = 7) -> Draft:
    piece = EvidencePiece(doc="a.md", text=TEXT[start:end], start=start, end=end)
    case = GoldCase(
        id=f"d{number}", question=f"问题{number}？", answer="一千元", lang="zh", evidence=(piece,)
    )
    return Draft(case=case, source="value", contexts=(Context(doc="a.md", start=0, text=TEXT),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_drafts(tmp_path / "drafts.jsonl", [draft(1), draft(2), draft(3)])
    return tmp_path / "drafts.jsonl"


def sitting(path: Path, *keys: str) -> list[str]:
    """What was shown, with these keys pressed and nothing more."""
    shown: list[str] = []
    pressed: Iterator[str] = iter(keys)
    Session(read_drafts(path), Decisions(path), lambda prompt: next(pressed, None), shown.append, "en").run()
    return shown


def statuses(path: Path) -> list[str]:
    return [Decisions(path).status(draft) for draft in read_drafts(path)]


def test_it_goes_on_where_it_ended(path: Path) -> None:
    before = path.read_bytes()
    sitting(path, "a", "s", "q")
    assert statuses(path) == ["accepted", "open", "open"]
    shown = sitting(path, "r", "A ")
    assert "[2/3]" in shown[0] and len(shown) == 2
    assert statuses(path) == ["accepted", "rejected", "accepted"]
    assert sitting(path) == []
    assert path.read_bytes() == before


def test_an_edit_is_kept_and_a_decision_can_be_taken_back(path: Path) -> None:
    shown = sitting(path, "e", "押金多少钱？", "", "a", "b", "r", "x", "q")
    assert statuses(path) == ["rejected", "open", "open"]
    assert "押金多少钱？" in shown[1] and "[1/3]" in shown[3] and "letters" in shown[5]
    sitting(path, "e", "租多久？", "两年", "v", "租期为两年", "不在里面", "", "a", "n", "a")
    decisions = Decisions(path)
    second, third = decisions.accepted(read_drafts(path))
    assert (second.question, second.answer) == ("租多久？", "两年")
    assert [(p.start, p.end, p.text) for p in second.evidence] == [(7, 12, "租期为两年")]
    assert (third.type, third.evidence) == ("noanswer", ())


def test_nothing_is_accepted_without_evidence_or_answer(path: Path) -> None:
    bare = draft(4)
    bare = bare.model_copy(update={"case": bare.case.model_copy(update={"answer": "", "evidence": ()})})
    write_drafts(path, [bare])
    shown = sitting(path, "a", "v", "租期为两年", "", "a", "e", "", "两年", "a")
    assert any("no evidence" in line for line in shown) and any("no answer" in line for line in shown)
    assert statuses(path) == ["accepted"]


def test_the_card_marks_the_evidence_in_its_context() -> None:
    for language, word in (("zh", "问题"), ("en", "Question")):
        text = card(draft(1), draft(1).case, 1, 3, language)
        assert "⟦押金为一千元。⟧租期" in text and word in text


def test_the_command_writes_what_was_accepted_as_gold(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter(["a", "r"])

    def pressed(prompt: str) -> str:
        try:
            return next(keys)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", pressed)
    assert main(["review", str(path)]) == 0
    assert "1 accepted, 1 rejected, 1 not reviewed" in capsys.readouterr().out
    (case,) = read_gold(path.with_name("drafts.gold.jsonl"))
    assert case == draft(1).case


def test_feedback_of_the_chat_is_reviewed_like_a_draft(tmp_path: Path) -> None:
    passage = {"doc": "a.md", "start": 0, "end": len(TEXT), "text": TEXT, "cited": True}
    rows = [
        {
            "question": "押金？",
            "answer": "一千元",
            "verdict": "good",
            "passages": [passage],
            "at": "2026-01-01T08:00:00Z",
        },
        {
            "question": "租期？",
            "answer": "三年",
            "verdict": "bad",
            "comment": "应为两年",
            "passages": [passage],
        },
    ]
    path = tmp_path / "feedback.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    good, bad = read_drafts(path)
    assert (good.case.answer, good.case.evidence[0].text) == ("一千元", TEXT)
    assert (bad.case.answer, bad.case.evidence) == ("", ())
    shown = sitting(path, "a", "e", "", "两年", "v", "租期为两年", "", "a")
    assert "bad: 应为两年" in shown[1] and "三年" in shown[1]
    assert [case.answer for case in Decisions(path).accepted(read_drafts(path))] == ["一千元", "两年"]


def test_a_line_that_is_neither_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": "1", "question": "?"}\n', "utf-8")
    with pytest.raises(SettingsError, match="line 1"):
        read_drafts(tmp_path / "x.jsonl")
