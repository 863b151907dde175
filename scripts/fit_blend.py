"""Fit the built-in reranker and its probability on gold questions: python scripts/fit_blend.py DIR [DIR ...]

Each DIR holds corpus/ and gold.jsonl. Bases are made under YOUJU_HOME/evaluation and used again. Prints the
two files retrieval/rerankers/blend.json and odds.json, and how well they do on each set when fitted without it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from core.settings import load_settings
from evaluation.retrieval.base import Models, open_base
from evaluation.retrieval.fitting import Example, examples, fit_odds, fit_weights, is_answered, odds_features
from evaluation.retrieval.questions import asked_of, read_set
from evaluation.retrieval.reliability import reliability
from evaluation.vector_cache import VectorCache


def tick(done: int, total: int) -> None:
    if done % 100 == 0 or done == total:
        sys.stderr.write(f"  {done}/{total}\n")


def gathered(folders: list[Path], limit: int) -> tuple[str, list[list[Example]]]:
    settings = load_settings()
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    model = Models(cache, tick).of(settings)
    sets = []
    for folder in folders:
        found = read_set(folder.name, [folder], 0)
        base = open_base(found, settings, model, tick)
        asked = asked_of(found, base.texts, base.twins, limit)
        sets.append(examples(base, [*asked.questions, *asked.unanswerable], tick))
    return model.embedder.fingerprint, sets


def probabilities(sets: list[list[Example]], odds: np.ndarray) -> list[tuple[list[float], list[bool]]]:
    return [
        (
            [float(1 / (1 + np.exp(-odds_features(example) @ odds))) for example in own],
            [is_answered(example) for example in own],
        )
        for own in sets
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=0, help="at most so many of each set")
    options = parser.parse_args()
    fingerprint, sets = gathered(options.data, options.questions)
    weights, odds = fit_weights(sets), fit_odds(sets)
    lines = [
        json.dumps({"weights": weights}),
        json.dumps({"fingerprint": fingerprint, "odds": odds.round(3).tolist()}),
    ]
    for at, folder in enumerate(options.data):
        rest = [own for other, own in enumerate(sets) if other != at]
        scores, right = probabilities([sets[at]], fit_odds(rest) if rest else odds)[0]
        curve = reliability(scores, right)
        lines.append(
            f"{folder.name}: {len(right)} questions, fitted without it: ECE {curve.ece:.3f}, Brier {curve.brier:.3f}"
        )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
