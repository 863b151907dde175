"""Fit what answers without a model: python scripts/fit_answers.py DIR [DIR ...]

Each DIR holds corpus/ and gold.jsonl. Bases are made under YOUJU_HOME/evaluation and used again. Half of the
documents are fitted on; how often the likeliest unit is right is told of both halves. Prints the contents of
retrieval/answerers/relevance.json and of retrieval/rerankers/odds.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from core.settings import load_settings
from evaluation.answers.fitting import Example, examples, fit_odds, fit_relevance
from evaluation.retrieval.base import Models, open_base
from evaluation.retrieval.questions import asked_of, read_set
from evaluation.vector_cache import VectorCache
from retrieval.answerers.relevance import FEATURES


def tick(done: int, total: int) -> None:
    if done % 100 == 0 or done == total:
        sys.stderr.write(f"  {done}/{total}\n")


def gathered(folders: list[Path], limit: int) -> tuple[str, dict[str, list[Example]]]:
    settings = load_settings()
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    model = Models(cache, tick).of(settings)
    sets: dict[str, list[Example]] = {}
    for folder in folders:
        found = read_set(folder.name, [folder], 0)
        base = open_base(found, settings, model, tick)
        asked = asked_of(found, base.texts, base.twins, limit)
        sets[folder.name] = examples(base, [*asked.questions, *asked.unanswerable], tick)
    return model.embedder.fingerprint, sets


def first_right(own: list[Example], weights: dict[str, float], half: int) -> str:
    beta = np.array([weights[name] for name in FEATURES])
    hits = [
        one.right[int(np.argmax(one.units @ beta))] for one in own if one.right.any() and one.half == half
    ]
    return f"{np.mean(hits):.3f} of {len(hits)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=0, help="at most so many of each set")
    options = parser.parse_args()
    fingerprint, sets = gathered(options.data, options.questions)
    fitted_on = {name: [one for one in own if not one.half] for name, own in sets.items()}
    weights = fit_relevance(list(fitted_on.values()))
    odds = fit_odds(list(fitted_on.values()))
    lines = [json.dumps({"weights": weights}), json.dumps({"fingerprint": fingerprint, "odds": odds})]
    for name, own in sets.items():
        right = [first_right(own, weights, half) for half in (0, 1)]
        lines.append(f"{name}: the likeliest unit is right, fitted half {right[0]}, other half {right[1]}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
