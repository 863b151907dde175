"""How alike the two sides of a border are, and what that says about cutting there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.protocols import Vectors
from core.settings import ChunkingSettings
from ingest.similarity import Similarity
from ingest.splitters.draft import Draft
from ingest.splitters.rules import FIRM

# What is added to the cost of a cut between texts that are alike, and between such as are not.
ALIKE: Final = 2.0
UNLIKE: Final = -1.0
# A side is up to this many atoms, and no more of them than make this share of the soft limit.
_ATOMS: Final = 3
_SHARE: Final = 3
_FEW: Final = 8
_INNER: Final = frozenset({"sentence", "clause", "token"})
_COMPARED: Final = frozenset({"block", "line", "sentence"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grey:
    """A border that similarity leaves open, and what it has added to the cost of cutting there."""

    draft: Draft
    place: int
    cost: float


class Likeness:
    """Compares neighbours on the calibrated scale; each distinct text of a document is encoded once."""

    def __init__(self, settings: ChunkingSettings, similarity: Similarity) -> None:
        self._settings = settings
        self._similarity = similarity

    def weigh(self, drafts: Sequence[Draft]) -> list[Grey]:
        """Moves the costs of the borders that structure and rules leave open; returns the grey ones."""
        open_borders = [(draft, place) for draft in drafts for place in _open(draft, self._settings)]
        if not open_borders:
            return []
        most = self._settings.soft_tokens // _SHARE
        sides = [(_left(draft, place, most), _right(draft, place, most)) for draft, place in open_borders]
        left, right = self._means(open_borders, sides)
        language = open_borders[0][0].section.document.language
        found = self._similarity.between(left, right, language)
        if not self._similarity.is_calibrated:
            found = self._on_own_scale(found)
        grey: list[Grey] = []
        for (draft, place), value in zip(open_borders, found.tolist(), strict=True):
            cost = self._cost(value)
            draft.cuts[place] += cost
            if value >= self._settings.merge_similarity:
                draft.joined_by[place] = "alike"
            elif value < self._settings.split_similarity:
                draft.cut_by[place] = "unlike"
            else:
                grey.append(Grey(draft=draft, place=place, cost=cost))
        return grey

    def _on_own_scale(self, found: Vectors) -> Vectors:
        """Similarities of a model whose scale nobody measured, by the document's own mean and deviation.

        One deviation above the mean merges, one below it splits; a few borders tell nothing.
        """
        low, high = self._settings.split_similarity, self._settings.merge_similarity
        middle, deviation = (low + high) / 2, float(found.std())
        if len(found) < _FEW or not deviation:
            return np.full_like(found, middle)
        return np.asarray(middle + (found - found.mean()) / deviation * (high - low) / 2, dtype=np.float32)

    def _cost(self, value: float) -> float:
        """From ``UNLIKE`` at the splitting similarity to ``ALIKE`` as far above the merging one."""
        low, high = self._settings.split_similarity, self._settings.merge_similarity
        share = min(max((value - low) / max(2 * (high - low), 1e-6), 0.0), 1.0)
        return UNLIKE + share * (ALIKE - UNLIKE)

    def _means(
        self, borders: Sequence[tuple[Draft, int]], sides: Sequence[tuple[range, range]]
    ) -> tuple[Vectors, Vectors]:
        """The mean direction of each border's two sides, ``(n, dimension)`` each."""
        texts: dict[str, int] = {}
        for (draft, _), pair in zip(borders, sides, strict=True):
            for place in (*pair[0], *pair[1]):
                texts.setdefault(draft.atoms[place].span.of(draft.section.document.text), len(texts))
        vectors = self._similarity.vectors(list(texts))

        def mean(draft: Draft, places: range) -> Vectors:
            text = draft.section.document.text
            rows = [texts[draft.atoms[place].span.of(text)] for place in places]
            weights = np.array([[draft.atoms[place].size + 1] for place in places], dtype=np.float32)
            total = (vectors[rows] * weights).sum(axis=0)
            return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)

        left = np.stack([mean(draft, pair[0]) for (draft, _), pair in zip(borders, sides, strict=True)])
        right = np.stack([mean(draft, pair[1]) for (draft, _), pair in zip(borders, sides, strict=True)])
        return left, right


def _open(draft: Draft, settings: ChunkingSettings) -> list[int]:
    """The borders whose cost depends on meaning; none in a section that is one chunk anyway.

    Those of sentences in a paragraph that cannot stay whole, and those of a paragraph or line that is too
    small to stay alone: it joins the neighbour that is more like it. Elsewhere meaning earned nothing over
    the structure (decision 0008).
    """
    if draft.size(0, len(draft.atoms)) <= settings.soft_tokens:
        return []
    paragraphs = _paragraphs(draft)
    sizes = [draft.size(start, end) for start, end in paragraphs]
    found: list[int] = []
    for at, (start, end) in enumerate(paragraphs):
        if at and min(sizes[at - 1], sizes[at]) < settings.min_tokens:
            found.append(start)
        if sizes[at] > settings.hard_tokens:
            found.extend(range(start + 1, end))
    return [place for place in found if _is_open(draft, place)]


def _is_open(draft: Draft, place: int) -> bool:
    bond = draft.bonds[place]
    return draft.atoms[place].border in _COMPARED and (bond is None or bond.weight < FIRM)


def _paragraphs(draft: Draft) -> list[tuple[int, int]]:
    """Runs of atoms with nothing but borders of sentences inside."""
    starts = [place for place, atom in enumerate(draft.atoms) if not place or atom.border not in _INNER]
    return list(zip(starts, [*starts[1:], len(draft.atoms)], strict=True))


def _left(draft: Draft, place: int, most: int) -> range:
    first, filled = place - 1, draft.atoms[place - 1].size
    while first > 0 and place - first < _ATOMS and filled + draft.atoms[first - 1].size <= most:
        first -= 1
        filled += draft.atoms[first].size
    return range(first, place)


def _right(draft: Draft, place: int, most: int) -> range:
    end, filled = place + 1, draft.atoms[place].size
    while end < len(draft.atoms) and end - place < _ATOMS and filled + draft.atoms[end].size <= most:
        filled += draft.atoms[end].size
        end += 1
    return range(place, end)
