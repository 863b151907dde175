"""Figures of checkers against a slow second count, and the report that holds them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.span import Span
from core.verdict import Verdict
from evaluation.intervals import interval
from evaluation.verification.baseline import words_and_numbers
from evaluation.verification.case import Case
from evaluation.verification.checkers import CHECKERS, Judged, judge, title_of
from evaluation.verification.metrics import (
    GOAL,
    Split,
    confusion,
    figures_of,
    milliseconds,
    not_supported,
    rightness,
)
from evaluation.verification.report import half_json, write_cases, write_report
from evaluation.verification.tables import tables_of

YES, PART, NO = Verdict.SUPPORTED, Verdict.PARTLY, Verdict.UNSUPPORTED


def judged(
    expected: Verdict, verdict: Verdict, kind: str = "number", lang: str = "zh", ms: float = 1.0
) -> Judged:
    case = Case(
        id="1", half="dev", lang=lang, kind=kind, detail=kind, expected=expected, sentence="甲厂有30人。",
        original="甲厂有20人。", part="set", doc="a_b.txt", passage=Span(0, 7), passage_text="甲厂有20人。",
    )  # fmt: skip
    return Judged(case=case, verdict=verdict, reasons=("number: 30 / 20",), ms=ms)


ROWS = [
    *[judged(NO, NO) for _ in range(6)],
    *[judged(NO, PART, "negation") for _ in range(2)],
    *[judged(NO, YES, "name", "en") for _ in range(2)],
    *[judged(YES, YES, "format", lang) for lang in ("zh", "zh", "zh", "en", "en", "en", "en")],
    *[judged(YES, NO, "format") for _ in range(2)],
    *[judged(YES, PART, "paraphrase", "en")],
    *[judged(PART, PART, "condition"), judged(PART, NO, "condition")],
]


def test_figures_against_a_slow_count() -> None:
    split = Split.of(ROWS)
    assert (len(split.false), len(split.true), len(split.partly)) == (10, 10, 2)
    strict = figures_of(split.false, split.true)
    loose = figures_of(split.false, split.true, not_supported)
    assert strict is not None and loose is not None
    assert strict.recall.value == pytest.approx(6 / 10) and loose.recall.value == pytest.approx(8 / 10)
    assert strict.alarms.value == pytest.approx(2 / 10) and loose.alarms.value == pytest.approx(3 / 10)
    # As many false as true sentences: the plain precision over the flagged ones.
    assert strict.precision.value == pytest.approx(6 / 8) and loose.precision.value == pytest.approx(8 / 11)
    assert strict.precision.low <= 6 / 8 <= strict.precision.high


def test_precision_does_not_depend_on_how_many_true_sentences_there_are() -> None:
    split = Split.of(ROWS)
    few, many = figures_of(split.false, split.true), figures_of(split.false, split.true * 5)
    assert few is not None and many is not None
    assert few.precision.value == pytest.approx(many.precision.value)


def test_kinds_and_languages_are_cut_out() -> None:
    assert len(Split.of(ROWS, "en").true) == 5 and len(Split.of(ROWS).false_of(GOAL)) == 8
    assert figures_of([], Split.of(ROWS).true) is None


def test_nothing_flagged_is_nothing_flagged_wrongly() -> None:
    found = figures_of([judged(NO, YES)], [judged(YES, YES)])
    assert found is not None and (found.precision.value, found.recall.value) == (1.0, 0.0)


def test_confusion_counts_every_case_once() -> None:
    counts = confusion(ROWS)
    assert sum(counts.values()) == len(ROWS)
    assert (counts[NO, NO], counts[NO, PART], counts[YES, NO], counts[PART, PART]) == (6, 2, 2, 1)
    assert sum(rightness(ROWS)) == counts[NO, NO] + counts[YES, YES] + counts[PART, PART]


def test_interval_of_a_mean() -> None:
    found = interval(lambda mean: mean, [0.0, 1.0] * 50)
    assert found.value == 0.5
    assert found.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.02)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.02)
    assert interval(lambda mean: mean, [0.0, 1.0] * 50) == found
    product = interval(np.multiply, [1.0, 1.0], [0.0, 1.0])
    assert product.value == 0.5
    with pytest.raises(ValueError, match="none empty"):
        interval(lambda mean: mean, [])


def test_milliseconds() -> None:
    assert milliseconds([]) == (0.0, 0.0) and milliseconds([judged(YES, YES, ms=3.0)]) == (3.0, 3.0)
    p50, p95 = milliseconds([judged(YES, YES, ms=float(n)) for n in range(1, 101)])
    assert p50 == 50.5 and 95 <= p95 <= 97


def test_the_rule_before_asks_for_words_and_digits() -> None:
    text = "The mill was built in 1874 by two brothers. It burned down."
    whole = Span(0, len(text))
    assert words_and_numbers("The mill was built by two brothers in 1874.", text, whole) is YES
    assert words_and_numbers("The mill was built by two brothers in 1875.", text, whole) is NO
    # What it cannot see.
    assert words_and_numbers("The mill was not built by two brothers in 1874.", text, whole) is YES
    assert words_and_numbers("Whales sing.", text, whole) is NO


@pytest.mark.parametrize("name", CHECKERS)
def test_checkers_tell_a_source_sentence_from_a_changed_number(name: str) -> None:
    text = "甲厂去年生产了320辆客车。乙厂没有生产客车。"
    case = judged(YES, YES).case
    true = Case(
        **{slot: getattr(case, slot) for slot in case.__slots__}
        | {"sentence": text[:14], "passage": Span(0, len(text))}
    )
    false = Case(
        **{slot: getattr(true, slot) for slot in case.__slots__} | {"sentence": "甲厂去年生产了480辆客车。"}
    )
    found = judge(CHECKERS[name], [true, false], {"set/a_b.txt": text})
    assert [one.verdict for one in found] == [YES, NO] and all(one.ms > 0 for one in found)


def test_titles() -> None:
    assert title_of("en_finance_1_Mill.Works.txt") == "en finance 1 Mill.Works"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_tables_show_each_group_kind_and_checker(language: str) -> None:
    better = [judged(one.case.expected, one.case.expected, one.case.kind, one.case.lang) for one in ROWS]
    shown = tables_of("test", {"words-and-numbers": ROWS, "verify": better}, language)
    assert "0.750 [" in shown and "| verify |" in shown.replace("verify | all", "verify |").replace(
        "verify | 全部", "verify |"
    )
    assert "condition: condition" in shown and "0.50 (1.00) / 2" in shown
    gained = (len(ROWS) - sum(rightness(ROWS))) / len(ROWS)
    assert f"{gained:+.3f}" in shown


def test_report_is_written_whole(tmp_path: Path) -> None:
    runs = {"words-and-numbers": ROWS, "verify": ROWS[:-1]}
    report = {"halves": [half_json("dev", runs)]}
    write_report(tmp_path, report, "tables", {"dev": runs})
    write_cases(tmp_path, [ROWS[0].case])
    kept = json.loads((tmp_path / "verification.json").read_text("utf-8"))
    system = kept["halves"][0]["systems"]["words-and-numbers"]
    assert (
        system["confusion"]["unsupported/partly"] == 2 and system["kinds"]["name/name/en"]["supported"] == 2
    )
    assert system["figures"]["all"]["unsupported"]["positives"] == 10
    assert len((tmp_path / "verdicts.jsonl").read_text("utf-8").splitlines()) == 2 * len(ROWS) - 1
    row = json.loads((tmp_path / "cases.jsonl").read_text("utf-8"))
    assert (row["start"], row["end"], row["passage"], row["expected"]) == (
        0,
        7,
        "甲厂有20人。",
        "unsupported",
    )
    text = (tmp_path / "verification.md").read_text("utf-8")
    # The failures of the last checker: its sentence, what is true, and why.
    assert text.startswith("tables") and "#### name: name, en: 2" in text and "number: 30 / 20" in text
