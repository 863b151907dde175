"""The stored baseline and what is judged by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FileMissingError, SettingsError
from core.settings import Settings
from evaluation.attribution.loss import Loss, Stage
from evaluation.gate.baseline import baseline_of, read_baseline, write_baseline
from evaluation.gate.figures import CaseRun
from evaluation.gate.judgement import changes
from evaluation.gate.texts import advice_text, comparison_text
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.run_stamp import fingerprint_of


def run(number: int, recall: float, question: str = "?") -> CaseRun:
    case = GoldCase(id=f"c{number}", question=question, evidence=(EvidencePiece(doc="d", text="x"),))
    lost = (Loss(case=case, stage=Stage.RERANK, reason="moved", doc="d", evidence="x"),) if recall < 1 else ()
    return CaseRun(case=case, scores={"recall@3": recall, "truncated": 1 - recall}, losses={"recall@3": lost})


def test_what_is_written_is_read_and_a_changed_case_is_another(tmp_path: Path) -> None:
    settings = Settings(chunking={"soft_tokens": 200})  # type: ignore[arg-type]
    made = baseline_of([run(1, 1 / 3), run(2, 1)], settings, "m")
    write_baseline(tmp_path / "b.json", made)
    found = read_baseline(tmp_path / "b.json")
    assert found == made
    assert found.settings == {"chunking.soft_tokens": 200}
    assert found.fingerprint == fingerprint_of(settings, "m") != fingerprint_of(Settings(), "m")
    assert found.of(run(1, 0).case) == {"recall@3": 0.3333, "truncated": 0.6667}
    assert found.of(run(1, 0, "other?").case) == found.of(run(3, 0).case) == {}


def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError):
        read_baseline(tmp_path / "none.json")
    (tmp_path / "b.json").write_text('{"commit": 1}')
    with pytest.raises(SettingsError, match=r"b\.json: commit"):
        read_baseline(tmp_path / "b.json")


def test_four_losses_fail_three_are_noise_and_gains_make_up_for_losses() -> None:
    before = baseline_of([run(n, 1) for n in range(20)] + [run(n, 0) for n in range(20, 25)], Settings(), "m")
    for worse, better, fails in ((3, 0, False), (4, 0, True), (4, 3, False), (0, 5, False)):
        now = [run(n, float(n >= worse)) for n in range(20)] + [
            run(20 + n, float(n < better)) for n in range(5)
        ]
        truncated, recall = changes(before, now)
        assert (recall.figure, recall.cases, recall.fails) == ("recall@3", 25, fails)
        assert (len(recall.worse), len(recall.better)) == (worse, better)
        # Fewer truncated are better: the same change the other way round.
        assert truncated.fails is fails


def test_the_report_names_figures_cases_and_stages_in_both_languages() -> None:
    before = baseline_of([run(n, 1) for n in range(9)], Settings(), "m")
    now = [run(n, float(n > 4), "问题" * 80 if n == 0 else "?") for n in range(9)] + [run(30, 1)]
    for language, word in (("zh", "未通过"), ("en", "Failed")):
        text = comparison_text(changes(before, now), language)
        assert "rerank 4" in text and "c1  1.00 -> 0.00" in text and word in text
        assert "c5" not in text
        advice = advice_text(before, now, {"retrieval.rrf_k": 60}, language)
        assert "retrieval.rrf_k=60" in advice and "2" in advice
    noise = comparison_text(changes(before, [run(n, float(n > 0)) for n in range(9)]), "en")
    assert "within noise: c0 (rerank)" in noise and "Passed" in noise
    passed = comparison_text(changes(before, [run(n, 1) for n in range(9)]), "en")
    assert "Passed" in passed and "Failed" not in passed
