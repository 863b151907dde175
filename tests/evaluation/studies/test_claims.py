"""What is said of a claim: rows made by hand."""

from __future__ import annotations

from evaluation.studies.claims import CLAIMS, FIXED, OURS, PERCENTILE, RECURSIVE, Claim, retest, retests

CLAIM = Claim(article="x", figure="mrr", baseline="old", current="new", claimed_baseline=0.5, claimed=0.7)


def rows(old: list[float], new: list[float]) -> dict[str, dict[str, dict[str, float]]]:
    return {
        name: {str(at): {"mrr": value} for at, value in enumerate(values)}
        for name, values in (("old", old), ("new", new))
    }


def outcome(old: list[float], new: list[float]) -> str:
    found = retest("mrr", "old", "new", rows(old, new), CLAIM)
    assert found is not None
    return found.outcome


def test_outcomes() -> None:
    low = [0.0, 0.5] * 10
    assert outcome(low, [value + 0.3 for value in low]) == "holds"
    assert outcome(low, [value + 0.1 for value in low]) == "smaller"
    assert outcome(low, low) == "not shown"
    assert outcome(low, [1.0, 0.0, *low[2:]]) == "not shown"
    assert outcome([value + 0.3 for value in low], low) == "reversed"


def test_only_questions_that_both_have_count() -> None:
    made = rows([0.0] * 6, [1.0] * 6)
    made["new"]["0"] = {}
    found = retest("mrr", "old", "new", made, CLAIM)
    assert found is not None and found.questions == 5 and found.current_mean == 1
    assert retest("mrr", "old", "nothing", made) is None
    assert retest("f1@5", "old", "new", made) is None


def test_every_claim_is_of_two_strategies_and_ours_is_judged_on_the_same_figures() -> None:
    figures = {
        "precision@5": 0.5,
        "recall@5": 0.5,
        "mrr": 0.5,
        "f1@5": 0.5,
        "answer": 1.0,
        "context recall": 1.0,
    }
    made = {name: {"a": figures} for name in (FIXED, RECURSIVE, PERCENTILE, OURS, "sentence-similarity")}
    found = retests(made)
    assert sum(one.claim is not None for one in found) == sum(c.figure in figures for c in CLAIMS) == 11
    ours = [(one.figure, one.baseline) for one in found if one.claim is None]
    assert len(ours) == 12 and all(one.current == OURS for one in found if one.claim is None)


def test_the_articles_own_percentages() -> None:
    """004 has +34.1 % for P@5 over fixed, +40.3 % for MRR; 001 +26 % for context recall."""
    gains = {(c.figure, c.baseline): c.gain / c.claimed_baseline for c in CLAIMS}
    assert round(gains["precision@5", FIXED], 3) == 0.341
    assert round(gains["mrr", FIXED], 3) == 0.403
    assert round(gains["context recall", FIXED], 2) == 0.26
    assert round(gains["latency_ms", RECURSIVE], 3) == 0.248
