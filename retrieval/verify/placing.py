"""Where each part of a sentence stands in the source: at the place whose surroundings are most like its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from retrieval.verify.target import Target
from retrieval.verify.tokens import Line

# How many tokens on each side count as surroundings, and how many more they may lie apart in the source.
_REACH: Final = 8
_SLACK: Final = 6
_ACROSS_CLAUSES: Final = 0.5
# What a mark (weight 0) and a fact count as neighbours: 10 days belong to 10 years, not to 1.
_MARK_WEIGHT: Final = 0.4
_FACT_WEIGHT: Final = 5.0
# A Chinese sign on its own proves nothing: a neighbour must stand beside it in the source as well.
_LEAST_SUPPORT: Final = 0.7
_NEARLY: Final = 0.6


@dataclass(frozen=True)
class Placing:
    """A sentence over a source. Scores are sums of weights of like neighbours, the nearer the more."""

    said: Line
    target: Target

    @cached_property
    def occurrences(self) -> list[list[int]]:
        """The places in the source of each token of the sentence."""
        return [self.target.index.get(token.key, []) for token in self.said.tokens]

    @cached_property
    def places(self) -> list[int]:
        """The best place of each token; -1 where it stands nowhere, or as a lone sign."""
        found: list[int] = []
        for i, token in enumerate(self.said.tokens):
            scored = [(self.score(i, i + 1, j, j + 1), -j) for j in self.occurrences[i]]
            score, best = max(scored, default=(0.0, 1))
            needs_neighbour = token.is_han or not token.weight
            found.append(-1 if best > 0 or (needs_neighbour and score < _LEAST_SUPPORT) else -best)
        return found

    def alternatives(self, i: int) -> list[int]:
        """The places of token ``i`` whose surroundings are nearly as alike as those of the best, which is among them."""
        scored = [(self.score(i, i + 1, j, j + 1), j) for j in self.occurrences[i]]
        most = max((score for score, _ in scored), default=0.0)
        return [j for score, j in scored if score >= _NEARLY * most]

    def score(self, first: int, last: int, j_first: int, j_last: int) -> float:
        """How alike the surroundings of ``said[first:last]`` and ``target[j_first:j_last]`` are."""
        return self._side(first, j_first, -1) + self._side(last - 1, j_last - 1, 1)

    def fullest(self, first: int, last: int) -> float:
        """The score that the same surroundings would have."""
        return self._full_side(first, -1) + self._full_side(last - 1, 1)

    def _side(self, i: int, j: int, way: int) -> float:
        tokens, at, clauses = self.said.tokens, self.target.at, self.target.clauses
        total = 0.0
        for distance in range(1, _REACH + 1):
            near = i + way * distance
            if not 0 <= near < len(tokens):
                break
            best = 0.0
            for other in self.occurrences[near]:
                gap = (at[other] - at[j]) * way
                if -_SLACK <= gap <= _REACH + _SLACK and gap:
                    close = 1 / (1 + 0.3 * abs(gap - distance))
                    if clauses[other] != clauses[j]:
                        close *= 0.75
                    best = max(best, close if gap > 0 else close * 0.6)
            total += best * self._weight(i, near, distance)
        return total

    def _full_side(self, i: int, way: int) -> float:
        reach = range(1, _REACH + 1)
        near = [i + way * d for d in reach if 0 <= i + way * d < len(self.said.tokens)]
        return sum(self._weight(i, n, abs(n - i)) for n in near)

    def _weight(self, i: int, near: int, distance: int) -> float:
        token = self.said.tokens[near]
        own = _FACT_WEIGHT if token.is_fact else token.weight or _MARK_WEIGHT
        weight = own / (1 + 0.3 * (distance - 1))
        return weight if token.clause == self.said.tokens[i].clause else weight * _ACROSS_CLAUSES
