"""A pasted text is checked sentence by sentence; nothing is generated and nothing is asked of a model."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from core.errors import CancelledError, EmptyQuestionError, TextTooLongError
from core.scope import Scope
from core.verdict import Aspect, Reason, Verdict
from retrieval.cli import main
from retrieval.knowledge_base import KnowledgeBase
from tests.support import assert_citations_are_lawful

TRUE = "请病假须持有二级以上医院出具的诊断证明。"
CHANGED = "请病假须持有三级以上医院出具的诊断证明。"
INVENTED = "火星基地的员工每月可以领取三瓶氧气。"


def test_each_sentence_gets_its_verdict_and_its_place(filled: KnowledgeBase) -> None:
    answer = filled.verify(f"以下是摘要：\n\n{TRUE}{CHANGED}{INVENTED}")
    assert answer.method == "verify"
    claims = [check for check in answer.checks if check.claim]
    assert [check.verdict for check in claims] == [
        Verdict.SUPPORTED,
        Verdict.UNSUPPORTED,
        Verdict.UNSUPPORTED,
    ]
    assert not answer.checks[0].claim
    true, changed, invented = claims
    assert "诊断证明" in answer.citations[true.citations[0]].text
    assert {reason.aspect for reason in changed.reasons} <= {Aspect.NUMBER, Aspect.UNIT, Aspect.NAME}
    # What stands in the source instead is pointed at.
    assert any("二" in reason.found for reason in changed.reasons)
    assert changed.citations
    # A few shared words are no place to point at.
    assert invented.reasons == (Reason(aspect=Aspect.UNCITED),)
    assert invented.citations == ()
    assert_citations_are_lawful(filled, answer)


def test_the_words_stay_and_foreign_markers_go(filled: KnowledgeBase) -> None:
    answer = filled.verify(f"{TRUE[:-1]}[7]。\n\n{INVENTED[:-1]}【3】。")
    unmarked = answer.text
    for citation in answer.citations:
        unmarked = unmarked.replace(f"[{citation.n}]", "")
    assert unmarked == f"{TRUE}\n\n{INVENTED}"


def test_what_the_viewer_may_not_see_carries_nothing(filled: KnowledgeBase) -> None:
    answer = filled.verify(TRUE, scope=Scope(collections=("default",), documents=("no-such-document",)))
    assert answer.checks[0].verdict is Verdict.UNSUPPORTED
    assert answer.citations == ()


def test_progress_is_told_and_it_can_be_cancelled(filled: KnowledgeBase) -> None:
    told: list[tuple[int, int]] = []
    filled.verify(TRUE + CHANGED, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2), (2, 2)]
    with pytest.raises(CancelledError):
        filled.verify(TRUE, cancelled=lambda: True)


@pytest.mark.parametrize("text", ["", " \n\u200b"])
def test_nothing_to_check_is_told(filled: KnowledgeBase, text: str) -> None:
    with pytest.raises(EmptyQuestionError):
        filled.verify(text)


def test_too_long_a_text_is_told(filled: KnowledgeBase) -> None:
    with pytest.raises(TextTooLongError, match="50000"):
        filled.verify("字" * 50_001)


def test_the_command_line_checks_a_file_in_three_forms(
    filled: KnowledgeBase,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(filled.settings.home))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    given = tmp_path / "draft.md"
    given.write_text(f"# 摘要\n\n{TRUE}\n\n{CHANGED}\n", encoding="utf-8")

    assert main(["verify", str(given)]) == 0
    shown = capsys.readouterr().out
    assert f"✓ {TRUE[:-1]}" in shown
    assert f"✗ {CHANGED[:-1]}" in shown
    assert "2 句话中有 1 句" in shown

    assert main(["verify", str(given), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert [check["verdict"] for check in row["checks"] if check["claim"]] == ["supported", "unsupported"]

    page = tmp_path / "checked.html"
    assert main(["verify", str(given), "--html", "--out", str(page)]) == 0
    html = page.read_text("utf-8")
    assert "诊断证明" in html
    assert "无依据" in html

    monkeypatch.setattr("sys.stdin", io.StringIO(TRUE))
    capsys.readouterr()
    assert main(["verify", "-"]) == 0
    assert "✓" in capsys.readouterr().out

    assert main(["verify", str(tmp_path / "gone.txt")]) == 1
