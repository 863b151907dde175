"""What each study sweeps: curves of settings, each with the value that is shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evaluation.retrieval.variants import OURS


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """``values`` are the settings behind each label, as a strategy or variant is written; ``shipped`` is the label of
    what the product does unasked."""

    name: str
    base: str
    values: Mapping[str, str]
    shipped: str

    def spec(self, label: str) -> str:
        """``recursive:soft_tokens=200``; the base alone where nothing is changed."""
        return ":".join(filter(None, (self.base, self.values[label])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """``chunks`` are cut and searched by vectors alone, at equal tokens returned; ``search`` is the whole search;
    ``blend`` orders its candidates anew.

    ``figure`` is what is judged by. ``curves_compare``: points of different curves may be compared."""

    kind: Literal["chunks", "search", "blend"]
    curves: tuple[Curve, ...]
    figure: str
    curves_compare: bool


def _knob(name: str, base: str, knob: str, values: str, shipped: str) -> Curve:
    """One setting, its values in a row."""
    return Curve(
        name=name, base=base, values={value: f"{knob}={value}" for value in values.split()}, shipped=shipped
    )


# Calibrated similarity from which neighbours are merged / under which they are parted (000: 0.75 and 0.55).
_GREY: Final = {
    "0.55/0.35": "merge_similarity=0.55:split_similarity=0.35",
    "0.65/0.45": "merge_similarity=0.65:split_similarity=0.45",
    "0.75/0.55": "",
    "0.85/0.65": "merge_similarity=0.85:split_similarity=0.65",
    "0.95/0.75": "merge_similarity=0.95:split_similarity=0.75",
    "off": "similarity=false",
}
# Soft limit, with the hard limit and the least size that go with it; the default model reads 512 tokens.
_SIZES: Final = {
    "80": "soft_tokens=80:hard_tokens=120:min_tokens=25:overlap_tokens=13",
    "150": "soft_tokens=150:hard_tokens=220:min_tokens=50:overlap_tokens=25",
    "220": "soft_tokens=220:hard_tokens=300:min_tokens=75:overlap_tokens=37",
    "300": "",
    "400": "soft_tokens=400:hard_tokens=480:min_tokens=130:overlap_tokens=67",
}
_PERCENTILE: Final = "boundary:boundary_rule=percentile"
_SIGMA: Final = "boundary:boundary_rule=sigma"

STUDIES: Final[dict[str, Design]] = {
    "similarity": Design(
        kind="chunks",
        figure="recall@1600",
        curves_compare=True,
        curves=(
            Curve(name="semantic", base="semantic", values=_GREY, shipped="0.75/0.55"),
            _knob("sentence-similarity", "sentence-similarity", "similarity_threshold",
                  "0.5 0.6 0.7 0.8", "0.7"),
            _knob("percentile", _PERCENTILE, "boundary_percentile", "10 25 40 60", "25"),
            _knob("mu - alpha sigma", _SIGMA, "boundary_alpha", "0.5 1.0 1.5 2.0", "1.0"),
            _knob("valley", "boundary", "boundary_alpha", "0.5 1.0 1.5", "1.0"),
        ),
    ),
    "size": Design(
        kind="chunks",
        figure="recall@1600",
        curves_compare=True,
        curves=tuple(
            Curve(name=name, base=name, values=_SIZES, shipped="300")
            for name in ("semantic", "recursive", "fixed")
        ),
    ),
    "overlap": Design(
        kind="chunks",
        figure="recall@1600",
        curves_compare=True,
        curves=(
            _knob("semantic", "semantic", "overlap_tokens", "0 50 100", "50"),
            _knob("recursive", "recursive", "overlap_tokens", "0 50 100", "50"),
            _knob("fixed", "fixed", "overlap_tokens", "0 25 50 100 150", "50"),
        ),
    ),
    "k": Design(
        kind="search",
        figure="recall",
        curves_compare=False,
        curves=(
            _knob("passages", OURS, "retrieval.passages", "1 2 4 8 16 32", "16"),
            _knob("candidates", OURS, "retrieval.candidates", "10 25 50 100", "50"),
            _knob("rerank candidates", OURS, "retrieval.rerank_candidates", "5 10 20 40", "20"),
        ),
    ),
    "fusion": Design(
        kind="search",
        figure="mrr",
        curves_compare=False,
        curves=(
            Curve(name="searches", base=OURS, shipped="both",
                  values={"both": "", "meaning": "retrieval.lexical=false", "words": "retrieval.dense=false"}),
            Curve(name="reranker", base=OURS, shipped="builtin",
                  values={"builtin": "", "none": "retrieval.reranker=none"}),
            _knob("rrf k", OURS, "retrieval.rrf_k", "1 10 60", "10"),
            _knob("rrf k without reranker", f"{OURS}:retrieval.reranker=none", "retrieval.rrf_k", "1 5 10 30 60", "10"),
            _knob("parent weight", OURS, "retrieval.parent_weight", "0.0 0.3 1.0", "0.0"),
        ),
    ),
}  # fmt: skip
