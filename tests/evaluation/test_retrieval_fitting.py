"""Weights are found that put what is right first, and judged on questions that they were not fitted on."""

from __future__ import annotations

import numpy as np
import pytest

from core.protocols import Signals
from evaluation.retrieval.fitting import Example, fit_weights, halves, reciprocal_ranks
from retrieval.rerankers.builtin import FEATURES

MORE = {"whole": 0.9, "sentence": 0.9, "lexical": 50.0, "coverage": 1.0}
PLAIN = {"whole": 0.5, "sentence": 0.5, "lexical": 5.0, "coverage": 0.5, "numbers": 0.0}


def example(right: dict[str, float], wrong: dict[str, float], exact: float = 0.0) -> Example:
    """Two candidates, the wrong one first."""
    signals = (
        Signals(**(PLAIN | wrong), exactness=0.0),
        Signals(**(PLAIN | right), exactness=exact),
    )
    return Example(signals=signals, right=np.array([False, True]))


@pytest.mark.parametrize("told_by", MORE)
def test_what_tells_right_from_wrong_gets_the_weight(told_by: str) -> None:
    others = [name for name in MORE if name != told_by]
    # Each of the others speaks for the wrong one in a question of its own.
    sets = [[example({told_by: MORE[told_by]}, {name: MORE[name]}) for name in others] * 2]
    weights = fit_weights(sets)
    assert set(weights) == set(FEATURES)
    assert sum(weights.values()) == pytest.approx(1)
    assert all(weights[told_by] > weights[name] for name in others)


def test_each_set_counts_alike_whatever_its_size() -> None:
    by_meaning = example({"whole": 0.9}, {"coverage": 0.9})
    by_words = example({"coverage": 0.9}, {"whole": 0.9})
    weights = fit_weights([[by_meaning] * 50, [by_words, by_words, by_meaning]])
    assert weights["whole"] > weights["coverage"]


def test_ranks_count_what_is_given_to_the_letter_and_nothing_found_is_zero() -> None:
    weights = dict.fromkeys(FEATURES, 0.2)
    behind = example({}, {"whole": 0.9})
    assert reciprocal_ranks([behind], weights) == [0.5]
    assert reciprocal_ranks([example({}, {"whole": 0.9}, exact=0.6)], weights) == [1.0]
    assert reciprocal_ranks([Example(signals=behind.signals, right=np.array([False, False]))], weights) == [
        0.0
    ]


def test_no_question_is_in_both_halves() -> None:
    sets = [[example({}, {}) for _ in range(size)] for size in (5, 4)]
    one, other = halves(sets)
    assert [len(own) for own in (*one, *other)] == [3, 2, 2, 2]
    assert not {id(e) for own in one for e in own} & {id(e) for own in other for e in own}
