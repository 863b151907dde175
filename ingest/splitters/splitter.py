"""The seam of the chunking strategies, and what they may ask beside the text itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from core.settings import ChunkingSettings
from ingest.judge import Judge
from ingest.sections import Section
from ingest.similarity import Similarity
from ingest.splitters.piece import Piece

Need = Literal["similarity", "judge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTools:
    """What a strategy decides with. ``None``: it did not ask for it, or there is none (no chat model)."""

    similarity: Similarity | None = None
    judge: Judge | None = None

    def required_similarity(self) -> Similarity:
        """For strategies that are nothing without it. Raises ``ValueError`` when there is none."""
        if self.similarity is None:
            raise ValueError("expected SplitTools with a similarity, got none")
        return self.similarity


class Splitter(Protocol):
    """Cuts sections into the spans that become child chunks.

    ``needs`` names the tools that are made for it. ``fingerprint`` depends on everything that decides
    its cuts: the sizes it uses, the similarity's fingerprint, the judge's identity.
    """

    needs: ClassVar[frozenset[Need]]
    fingerprint: str

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None: ...

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section: starts ascend, none is blank, none is over the hard limit.

        Together the pieces of a section hold every non-blank character of it.
        """
        ...
