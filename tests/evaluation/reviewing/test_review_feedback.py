"""Lines that the chat wrote are drafts for a reviewer: the last word about a thing holds."""

from __future__ import annotations

from pathlib import Path

from evaluation.reviewing.decisions import read_drafts
from retrieval.feedback import Feedback
from retrieval.knowledge_base import KnowledgeBase

SICK, FILTER = "员工请病假须满足什么条件？", "How often must the filter be replaced?"


def drafts_in(base: KnowledgeBase, name: str) -> list[tuple[str, str]]:
    path: Path = base.settings.home / "feedback" / name
    return [(draft.case.question, draft.remark) for draft in read_drafts(path)]


def test_thumbs_become_drafts_and_can_be_changed_and_taken_back(filled: KnowledgeBase) -> None:
    files = Feedback(filled.settings.home)
    sick, again = filled.ask(SICK), filled.ask(FILTER)
    files.judge("a1", sick, "bad", "少了一项")
    files.judge("a2", again, "good")
    drafts = read_drafts(filled.settings.home / "feedback" / "feedback.jsonl")
    assert [draft.case.question for draft in drafts] == [SICK, FILTER]
    assert drafts[0].case.evidence == () and "bad: 少了一项" in drafts[0].remark
    assert [context.text for context in drafts[0].contexts] == [p.text for p in sick.search.passages]
    assert {piece.doc for piece in drafts[1].case.evidence} == {"manual.md"}
    files.judge("a1", sick, "good")
    files.take_back("a2")
    assert [question for question, _ in drafts_in(filled, "feedback.jsonl")] == [SICK]
    assert drafts_in(filled, "feedback.jsonl")[0][1].startswith("good")


def test_a_wrong_citation_becomes_a_draft_and_a_right_one_does_not(filled: KnowledgeBase) -> None:
    files, sick = Feedback(filled.settings.home), filled.ask(SICK)
    first = sick.citations[0]
    files.mark("a1", sick, first.passage, first.n, False)
    [question, remark] = drafts_in(filled, "citations.jsonl")[0]
    assert question == SICK
    assert first.sentence in remark and first.verdict.value in remark
    files.mark("a1", sick, first.passage, first.n, True)
    assert drafts_in(filled, "citations.jsonl") == []
