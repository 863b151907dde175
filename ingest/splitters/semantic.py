"""One chunk, one complete answerable unit: structure first, then rules, then meaning, then size.

A section is opened into atoms (``atoms``). Each border between two gets a cost: by the structure, by words
that bind (``rules``), by how alike both sides are (``likeness``), and in the grey zone by the chat model's
word (``ingest.judge``). The cheapest partition (``partition``) is the result. Sources: 000 for the order of
these steps, the two thresholds and when a model is asked; 002 for the brake.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar, Final

from core.hashing import stable_id
from core.settings import ChunkingSettings
from ingest.judge import Judge, Pair, Ruling
from ingest.sections import Section
from ingest.splitters.draft import Draft, drafted, pieces_of
from ingest.splitters.likeness import ALIKE, UNLIKE, Grey, Likeness
from ingest.splitters.partition import partition
from ingest.splitters.piece import Piece
from ingest.splitters.splitter import Need, SplitTools

# A chunk is near its soft limit from this share of it on.
_NEAR: Final = 0.5


class SemanticSplitter:
    """Rules, similarity and judge over the structure; the partition of least cost."""

    needs: ClassVar[frozenset[Need]] = frozenset({"similarity", "judge"})

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        self._settings = settings
        similarity = tools.similarity if settings.similarity else None
        self._likeness = Likeness(settings, similarity) if similarity else None
        self._judge = tools.judge if settings.judge and similarity else None
        self.fingerprint = stable_id(
            "semantic-3",
            settings.min_tokens,
            settings.soft_tokens,
            settings.hard_tokens,
            settings.overlap_tokens,
            sorted(settings.skipped_rules),
            similarity.fingerprint if similarity else "",
            (settings.split_similarity, settings.merge_similarity) if similarity else "",
            (settings.max_judged, self._judge.fingerprint) if self._judge else "",
        )

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        """The pieces of each section, in order."""
        drafts = [drafted(section, self._settings) for section in sections]
        if self._likeness:
            grey = self._likeness.weigh(drafts)
            if self._judge and grey:
                self._judged(self._judge, grey)
        return [pieces_of(draft, self._starts(draft), self._settings) for draft in drafts]

    def _starts(self, draft: Draft) -> list[int]:
        return partition(draft.row, self._settings)

    def _judged(self, judge: Judge, grey: Sequence[Grey]) -> None:
        """The chat model's word moves the cost of a border to one of its two ends; no word moves nothing."""
        groups: list[list[Grey]] = []
        for _, members in groupby(grey, key=lambda border: id(border.draft)):
            found = list(members)
            starts = self._starts(found[0].draft)
            groups.append([border for border in found if self._is_near(border, starts)])
        asked = _first(groups, self._settings.max_judged)
        rulings = judge.rule([[_pair(border) for border in group] for group in asked])
        for group, ruled in zip(asked, rulings, strict=True):
            for border, ruling in zip(group, ruled, strict=True):
                _apply(border, ruling)

    def _is_near(self, border: Grey, starts: Sequence[int]) -> bool:
        """Whether the chunk that ends or goes on at the border is near its soft limit there."""
        draft = border.draft
        start = max(place for place in starts if place < border.place)
        filled = sum(atom.size for atom in draft.atoms[start : border.place]) + draft.opening[start]
        return filled >= _NEAR * self._settings.soft_tokens


def _first(groups: Sequence[list[Grey]], limit: int) -> list[list[Grey]]:
    """The groups in order, up to ``limit`` borders together; none is empty."""
    kept: list[list[Grey]] = []
    for group in groups:
        part = group[:limit]
        limit -= len(part)
        if part:
            kept.append(part)
    return kept


def _pair(border: Grey) -> Pair:
    text, atoms = border.draft.section.document.text, border.draft.atoms
    return Pair(
        before=atoms[border.place - 1].span.of(text),
        after=atoms[border.place].span.of(text),
    )


def _apply(border: Grey, ruling: Ruling | None) -> None:
    draft, place = border.draft, border.place
    if ruling is None:
        draft.cut_by[place] = draft.joined_by[place] = "unjudged"
        return
    draft.cuts[place] += (ALIKE if ruling is Ruling.MERGE else UNLIKE) - border.cost
    named = draft.joined_by if ruling is Ruling.MERGE else draft.cut_by
    named[place] = "judged"
