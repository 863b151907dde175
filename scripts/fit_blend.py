"""Fit the built-in reranker's weights on gold questions: python scripts/fit_blend.py DIR [DIR ...]

Each DIR holds corpus/ and gold.jsonl. Bases are made under YOUJU_HOME/evaluation and used again. Fits on one half of
the questions of each set and judges on the other, both ways round, against the weights that come with the program;
prints those fitted on all questions, for retrieval/rerankers/blend.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from core.settings import load_settings
from evaluation.intervals import paired_difference
from evaluation.retrieval.base import Models, open_base
from evaluation.retrieval.fitting import Example, examples, fit_weights, halves, reciprocal_ranks
from evaluation.retrieval.questions import asked_of, read_set
from evaluation.vector_cache import VectorCache
from retrieval.rerankers.builtin import blend


def tick(done: int, total: int) -> None:
    if done % 100 == 0 or done == total:
        sys.stderr.write(f"  {done}/{total}\n")


def gathered(folders: Sequence[Path], limit: int) -> list[list[Example]]:
    """The answerable questions of each set."""
    settings = load_settings()
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    model = Models(cache, tick).of(settings)
    sets = []
    for folder in folders:
        found = read_set(folder.name, [folder], 0)
        base = open_base(found, settings, model, tick)
        asked = asked_of(found, base.texts, base.twins, limit)
        sets.append(examples(base, asked.questions, tick))
    return sets


def judged(name: str, held_out: Sequence[Example], weights: dict[str, float]) -> str:
    """How ``weights`` do on questions that they were not fitted on, beside the kept ones."""
    kept, fitted = reciprocal_ranks(held_out, blend().weights), reciprocal_ranks(held_out, weights)
    gain = paired_difference(kept, fitted)
    hits = [fmean(rank == 1 for rank in ranks) for ranks in (kept, fitted)]
    return (
        f"  {name} ({len(held_out)}): MRR kept {fmean(kept):.3f}, fitted {fmean(fitted):.3f} "
        f"({gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]); first right {hits[0]:.3f}, {hits[1]:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=0, help="at most so many of each set")
    options = parser.parse_args()
    sets = gathered(options.data, options.questions)
    lines = []
    one, other = halves(sets)
    for fitted_on, held_out in ((one, other), (other, one)):
        weights = fit_weights(fitted_on)
        lines.append(f"fitted on one half: {json.dumps(weights)}")
        lines += [judged(data.name, own, weights) for data, own in zip(options.data, held_out, strict=True)]
    lines.append(f"fitted on all: {json.dumps(fit_weights(sets))}")
    lines.append(f"kept: {json.dumps(blend().weights)}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
