"""The cases that a gold set yields: true ones are, false ones differ, and the same come out each time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from core.errors import FileMissingError, SettingsError
from core.verdict import Verdict
from evaluation.verification import judgements
from evaluation.verification.build import CaseSet, build
from evaluation.verification.case import half_of
from evaluation.verification.claims import cleaned, is_claim, read_texts, source_claims
from evaluation.verification.judgements import judgement
from evaluation.verification.written import carries, judged_claims, written_claims
from ingest.indexes.analyzer import fold
from tests.conftest import SHARED

SENTENCES = (
    "第{n}条 承租人应当在{m}日内向出租人支付租金{r}元，但是当事人另有约定的除外。",
    "年满十{n}周岁的人可以参加第{m}组的比赛，不得携带宠物入场。",
    "2019年{n}月{m}日，该馆售出门票{r}张，收入比上年增长{n}%。",
    "该馆位于江边的旧仓库，由三座厂房改建而成，收藏了许多木船。",
    "A visitor must show at least {n} tickets within {n} days of the guided tour in the hall.",
    "On May {n}, 2015, the harbour sold {r} tickets and the income was not shared with members.",
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Twenty documents of rules and figures, and a written answer to one of them."""
    folder = tmp_path / "rules"
    (folder / "corpus").mkdir(parents=True)
    rows = []
    for n in range(2, 22):
        lines = [one.format(n=n % 9 + 1, m=n + 2, r=n * 131 + 3000) for one in SENTENCES]
        text = "\n\n".join(
            [f"# 规则{n}", *lines, "场内禁止吸烟，也不准燃放烟花。" * 50, "Nothing else is told here. " * 50]
        )
        (folder / "corpus" / f"rule_{n}.md").write_text(text, "utf-8", newline="")
        rows.append(
            {"id": str(n), "question": "?", "answer": "", "evidence": [{"doc": f"rule_{n}.md", "text": text}]}
        )
    rows[0]["evidence"] = [{"doc": "rule_2.md", "text": SENTENCES[3]}]
    rows[0]["answer"] = (
        "您好，该馆由三座厂房改建而成，位于江边的旧仓库。该馆由四座厂房改建而成，位于江边的旧仓库。"
    )
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / "gold.jsonl").write_text("".join(lines), "utf-8")
    return folder


@pytest.fixture
def built(data: Path) -> CaseSet:
    return build([data], quota=3)


def test_every_case_stands_where_it_says(built: CaseSet) -> None:
    assert len(built.cases) > 100 and {case.lang for case in built.cases} == {"zh", "en"}
    for case in built.cases:
        assert case.passage.of(built.texts[case.source]) == case.passage_text, case
        assert case.half == half_of(case.part, case.doc)
    assert len({case.id for case in built.cases}) == len(built.cases)


def test_false_cases_do_not_stand_in_their_passage_and_true_ones_stay_near_their_source(
    built: CaseSet,
) -> None:
    for case in built.cases:
        said = fold(case.sentence.rstrip("。."))
        if case.expected is Verdict.UNSUPPORTED:
            assert said not in fold(case.passage_text), case
        if case.kind == "verbatim":
            assert case.sentence in case.passage_text
        if case.kind not in {"verbatim", "written", "citation"}:
            assert case.sentence != case.original


def test_kinds_languages_and_halves_are_there_and_within_their_quotas(built: CaseSet) -> None:
    kinds = {case.kind for case in built.cases}
    assert kinds >= {
        "verbatim",
        "written",
        "format",
        "paraphrase",
        "number",
        "unit",
        "date",
        "negation",
        "condition",
    }
    assert "citation" in kinds and {case.half for case in built.cases} == {"dev", "test"}
    for kind, detail, most in (("number", "digit", 3), ("negation", "added", 4), ("unit", "unit", 6)):
        of_kind = [case for case in built.cases if (case.kind, case.detail) == (kind, detail)]
        assert {case.lang for case in of_kind} == {"zh", "en"}
        assert max(Counter((case.lang, case.half) for case in of_kind).values()) <= most


def test_the_same_cases_come_out_again(data: Path, built: CaseSet) -> None:
    assert build([data], quota=3).cases == built.cases


def test_a_written_answer_counts_where_the_evidence_has_its_words_and_numbers(data: Path) -> None:
    (written,) = written_claims(read_texts(data))
    assert written.sentence == "该馆由三座厂房改建而成，位于江边的旧仓库。" and written.origin == "answer"
    assert carries("售出门票20张，未退款。", "售出门票20张，未退款。")
    assert not carries("售出门票20张，未退款。", "售出门票30张，未退款。")
    assert not carries("售出门票20张，未退款。", "售出门票20张，退款。")


def test_headings_questions_and_debris_are_no_claims(data: Path) -> None:
    assert cleaned("## 第十二条 承租人应当付款。") == "承租人应当付款。"
    for text in ("他什么时候来的，又为什么走了呢？", "| 年份 | 收入 | 支出 | 人数 |。", "太短。"):
        assert not is_claim(text, "zh")
    assert not is_claim("See https://example.org for the full text of the rules.", "en")
    assert not is_claim("Rules for a quiet and orderly garden behind the town hall.", "en")
    found = {claim.sentence for claim in source_claims(read_texts(data))}
    assert any("江边" in one for one in found) and not any("规则" in one for one in found)


def test_folders_are_checked(data: Path, tmp_path: Path) -> None:
    with pytest.raises(FileMissingError):
        build([tmp_path / "none"])
    with pytest.raises(SettingsError):
        build([data, data])


@pytest.mark.shared
def test_shared_statutes_yield_both_halves() -> None:
    built = build([SHARED / "data" / "cmrc2018"], quota=2)
    assert {case.half for case in built.cases} == {"dev", "test"} and len(built.cases) > 60


def test_judgements_are_found_by_the_start_of_a_key() -> None:
    known = {verdict: keys.split() for verdict, keys in judgements.JUDGED.items()}
    every = [key for keys in known.values() for key in keys]
    assert len(set(every)) == len(every) > 100 and {len(key) for key in every} == {judgements.KEY_LENGTH}
    for verdict, keys in known.items():
        assert judgement(keys[0] + "00") is verdict
    assert judgement("0" * 24) is None


@pytest.mark.shared
def test_judged_sentences_are_in_the_shared_answers() -> None:
    found = list(judged_claims(read_texts(SHARED / "data" / "dragonball_rageval")))
    assert len(found) > 30 and {verdict for _, verdict in found} >= {Verdict.SUPPORTED, Verdict.PARTLY}
    for claim, _ in found:
        assert claim.sentence not in claim.passage_text and claim.origin == "answer"
