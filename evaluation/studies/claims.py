"""What the articles behind this project claim for semantic chunking, to be measured again on public data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evaluation.gate.noise import chance_of_loss
from evaluation.intervals import Difference, paired_difference

# The articles' own methods, as our strategies are written; sizes are ours, the same for all.
FIXED, RECURSIVE, OURS = "fixed", "recursive", "semantic"
PERCENTILE: Final = "boundary:boundary_rule=percentile:boundary_percentile=25:boundary_window=1"
THRESHOLD: Final = "sentence-similarity"
STRATEGIES: Final = (FIXED, RECURSIVE, PERCENTILE, THRESHOLD, OURS)
# As they are called in tables.
LABELS: Final = {PERCENTILE: "percentile 25 (004)", THRESHOLD: "threshold 0.7 (001)", OURS: "semantic (ours)"}
LATENCY: Final = "latency_ms"
LEVEL: Final = 0.05

Figures = Mapping[str, float]
Outcome = Literal["holds", "smaller", "not shown", "reversed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """``current`` is better than ``baseline`` on ``figure``: there it was ``claimed_baseline``, here ``claimed``.

    ``article`` is its number. Of a latency the claim is that it is higher."""

    article: str
    figure: str
    baseline: str
    current: str
    claimed_baseline: float
    claimed: float

    @property
    def gain(self) -> float:
        return self.claimed - self.claimed_baseline


def _claims_004() -> list[Claim]:
    """Its table: fixed, recursive, semantic."""
    rows = {
        "precision@5": (0.624, 0.713, 0.837),
        "recall@5": (0.581, 0.672, 0.794),
        "mrr": (0.543, 0.635, 0.762),
        "f1@5": (0.602, 0.692, 0.815),
        "answer": (0.651, 0.724, 0.853),
        LATENCY: (118, 125, 156),
    }
    return [
        Claim(
            article="004",
            figure=figure,
            baseline=name,
            current=PERCENTILE,
            claimed_baseline=values[at],
            claimed=values[2],
        )
        for figure, values in rows.items()
        for at, name in enumerate((FIXED, RECURSIVE))
    ]


CLAIMS: Final = (
    *_claims_004(),
    Claim(article="001", figure="context recall", baseline=FIXED, current=THRESHOLD,
          claimed_baseline=0.62, claimed=0.78),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Retest:
    """One comparison here. ``claim`` is ``None`` for our own default, which no article speaks of.

    ``outcome``: "holds" (better beyond noise, and the claimed gain lies in the interval or under it), "smaller"
    (better beyond noise, by less than claimed), "not shown" (within noise), "reversed" (worse beyond noise).
    """

    figure: str
    baseline: str
    current: str
    claim: Claim | None
    questions: int
    baseline_mean: float
    current_mean: float
    gain: Difference
    chance: float
    outcome: Outcome


def retest(
    figure: str,
    baseline: str,
    current: str,
    rows: Mapping[str, Mapping[str, Figures]],
    claim: Claim | None = None,
) -> Retest | None:
    """``rows`` are scores by strategy and question; ``None`` where no question has the figure.

    ``chance`` is that of a difference so large in its direction by a paired randomisation test.
    """
    old, new = rows.get(baseline, {}), rows.get(current, {})
    keys = [key for key in old if figure in old[key] and figure in new.get(key, {})]
    if not keys:
        return None
    before, after = [old[key][figure] for key in keys], [new[key][figure] for key in keys]
    gain = paired_difference(before, after)
    signs = [b - a if gain.mean > 0 else a - b for a, b in zip(after, before, strict=True)]
    chance = chance_of_loss(signs)
    return Retest(
        figure=figure,
        baseline=baseline,
        current=current,
        claim=claim,
        questions=len(keys),
        baseline_mean=sum(before) / len(keys),
        current_mean=sum(after) / len(keys),
        gain=gain,
        chance=chance,
        outcome=_outcome(gain, chance, claim),
    )


def retests(rows: Mapping[str, Mapping[str, Figures]]) -> list[Retest]:
    """Every claim that the rows can speak to, then our default against the two baselines on the same figures."""
    found = [retest(c.figure, c.baseline, c.current, rows, c) for c in CLAIMS]
    figures = dict.fromkeys(claim.figure for claim in CLAIMS)
    found += [retest(figure, base, OURS, rows) for figure in figures for base in (FIXED, RECURSIVE)]
    return [one for one in found if one]


def _outcome(gain: Difference, chance: float, claim: Claim | None) -> Outcome:
    if chance > LEVEL or not gain.is_certain:
        return "not shown"
    if gain.mean < 0:
        return "reversed"
    return "smaller" if claim is not None and gain.high < claim.gain else "holds"
