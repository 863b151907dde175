"""The seam of the chunking strategies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ingest.sections import Section
from ingest.splitters.piece import Piece


class Splitter(Protocol):
    """Cuts sections into the spans that become child chunks."""

    fingerprint: str

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section: starts ascend, none is blank, none is over the hard limit.

        Together the pieces of a section hold every non-blank character of it.
        """
        ...
