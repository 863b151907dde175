"""How documents are cut into chunks: a preset, and every single value that may differ from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Preset = Literal["general", "legal", "narrative", "technical", "semantic-flat"]

# What may be named in ``skip_rules``; "article" is the rule that an article of a statute stands alone.
RULE_NAMES: Final = (
    "article", "list_leader", "list", "transition", "coreference", "condition", "ordinal", "definition",
    "question", "continuation",
)  # fmt: skip

# Only what differs from the defaults, which are those of "general".
_PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    "general": {},
    "legal": {"min_tokens": 40, "soft_tokens": 320, "hard_tokens": 480},
    "narrative": {"min_tokens": 120, "soft_tokens": 340, "hard_tokens": 440, "skip_rules": "article"},
    "technical": {"min_tokens": 60, "soft_tokens": 320, "hard_tokens": 480},
    "semantic-flat": {
        "soft_tokens": 500, "hard_tokens": 800, "overlap_tokens": 130, "parents": False,
    },
}  # fmt: skip


class ChunkingSettings(BaseModel):
    """Sizes are tokens of the embedding model's own tokenizer, contextual header included."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    strategy: str = Field(
        "semantic",
        description="Chunking strategy for new documents: semantic, clause, recursive, boundary, "
        "sentence-similarity or fixed.",
    )
    preset: Preset = Field(
        "general",
        description="Sizes and rules for a kind of text: general, legal, narrative, technical or "
        "semantic-flat (no parents; needs a model with a large window). Every other setting here wins.",
    )
    min_tokens: int = Field(100, ge=0, le=4000, description="A chunk under this many tokens is joined.")
    soft_tokens: int = Field(300, ge=8, le=8000, description="Neighbours are joined up to this many tokens.")
    hard_tokens: int = Field(400, ge=16, le=8000, description="No chunk has more tokens than this.")
    overlap_tokens: int = Field(
        50, ge=0, le=4000, description="Overlap in tokens, only where a cut is forced."
    )
    parents: bool = Field(True, description="Group chunks into parents that are read around them.")
    parent_soft_tokens: int = Field(
        1200, ge=16, le=32000, description="Parents grow to about this many tokens."
    )
    parent_hard_tokens: int = Field(2000, ge=16, le=64000, description="No parent has more tokens than this.")
    skip_rules: str = Field(
        "", description=f"Rules that are not asked, with commas between: {', '.join(RULE_NAMES)}."
    )
    similarity: bool = Field(
        True, description="Compare neighbours by the embedding model where no rule speaks (semantic)."
    )
    merge_similarity: float = Field(
        0.75, ge=-1, le=2, description="Calibrated similarity from which neighbours belong together."
    )
    split_similarity: float = Field(
        0.55, ge=-1, le=2, description="Calibrated similarity under which they do not; between: grey."
    )
    judge: bool = Field(
        True, description="Ask the chat model, when one is set, about grey borders near the soft limit."
    )
    max_judged: int = Field(40, ge=0, le=10000, description="Most borders of one document it is asked about.")
    similarity_threshold: float = Field(
        0.7,
        ge=-1,
        le=2,
        description="Calibrated similarity under which sentences are parted (sentence-similarity).",
    )
    boundary_rule: Literal["valley", "sigma", "percentile"] = Field(
        "valley",
        description="How a document's own similarities set its cuts (boundary): valley (deeper than mean + alpha "
        "deviations), sigma (under mean - alpha deviations) or percentile.",
    )
    boundary_alpha: float = Field(
        1.0, ge=0, le=10, description="Standard deviations, for valley and sigma; higher: fewer cuts."
    )
    boundary_percentile: float = Field(
        25.0, ge=0, le=100, description="Percent of the borders that are cut, for percentile."
    )
    boundary_window: int = Field(3, ge=1, le=20, description="Sentences compared on each side (boundary).")
    focus: Literal["off", "extractive", "model"] = Field(
        "off",
        description="A line about the section in what is embedded, never shown: off, extractive (its most "
        "central sentence) or model (written by the chat model).",
    )

    @property
    def skipped_rules(self) -> frozenset[str]:
        """The names in ``skip_rules``."""
        return frozenset(filter(None, (name.strip() for name in self.skip_rules.split(","))))

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            return given
        return {**_PRESETS.get(str(given.get("preset")), {}), **given}

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        for names in (
            ("min_tokens", "soft_tokens", "hard_tokens"),
            ("hard_tokens", "parent_soft_tokens", "parent_hard_tokens"),
            ("split_similarity", "merge_similarity"),
        ):
            values = [getattr(self, name) for name in names]
            if values != sorted(values):
                raise ValueError(f"expected {' <= '.join(names)}, got {', '.join(map(str, values))}")
        if self.overlap_tokens >= self.soft_tokens:
            raise ValueError(
                f"expected overlap_tokens < soft_tokens, got {self.overlap_tokens} and {self.soft_tokens}"
            )
        if unknown := self.skipped_rules - set(RULE_NAMES):
            raise ValueError(
                f"expected names out of {', '.join(RULE_NAMES)}, got {', '.join(sorted(unknown))}"
            )
        return self
