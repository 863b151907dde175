"""Token windows with overlap: the baseline every other strategy must beat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from core.hashing import stable_id
from core.settings import ChunkingSettings
from ingest.sections import Section
from ingest.splitters.piece import Piece, windows
from ingest.splitters.splitter import Need, SplitTools


class FixedSplitter:
    """Windows of ``soft_tokens`` with ``overlap_tokens``, blind to everything but section borders."""

    needs: ClassVar[frozenset[Need]] = frozenset()

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        del tools
        self._settings = settings
        self.fingerprint = stable_id("fixed-1", settings.soft_tokens, settings.overlap_tokens)

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section, in order."""
        return [
            windows(section, section.span, section.soft_tokens, self._settings.overlap_tokens)
            for section in sections
        ]
