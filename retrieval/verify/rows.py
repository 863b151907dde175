"""Whether a value that a sentence takes from a table stands in the row and the column that it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from retrieval.verify.difference import Difference, difference
from retrieval.verify.facts import aspect_of
from retrieval.verify.names import Name
from retrieval.verify.placing import Placing
from retrieval.verify.tokens import Fact

# Another cell is meant when so much more of its row's and its column's name stands in the sentence (each 0..1).
_WINS: Final = 0.4


def check_rows(placing: Placing, agreed: Sequence[tuple[int, int]]) -> Iterator[Difference]:
    """Each value of the sentence for which another cell of the chosen rows is named; ``agreed``: places of facts."""
    target = placing.target
    facts = {fact.first: fact for fact in target.facts if not isinstance(fact.value, Name)}
    cells = {first: fact for first, fact in facts.items() if target.units[target.owner[first]].is_row}
    said = {fact.first: fact for fact in placing.said.facts}
    for i, j in agreed:
        if j not in cells:
            continue
        own = max(_fit(placing, place) for place, cell in cells.items() if _equal(cell, cells[j]))
        others = [
            (_fit(placing, place), -place)
            for place, cell in cells.items()
            if type(cell.value) is type(cells[j].value) and not _equal(cell, cells[j])
        ]
        best, place = max(others, default=(0.0, 0))
        if best > own + _WINS:
            other = cells[-place]
            yield difference(aspect_of(said[i], other), said[i].said, other.said)


def _equal(left: Fact, right: Fact) -> bool:
    return left.said == right.said


def _fit(placing: Placing, place: int) -> float:
    """How much (0..2) of the names of the cell's row and of its column stands in the sentence."""
    target = placing.target
    clause, owner = target.clauses[place], target.owner[place]
    first = target.owner.index(owner)
    last = first + target.owner.count(owner)
    label = [p for p in range(first, last) if target.clauses[p] == target.clauses[first]]
    column = [p for p in range(first, place) if target.clauses[p] == clause]
    return _share(placing, label) + _share(placing, column)


def _share(placing: Placing, places: Sequence[int]) -> float:
    keys = {token.key for token in placing.said.tokens}
    words = [placing.target.tokens[place] for place in places if placing.target.tokens[place].weight]
    total = sum(token.weight for token in words)
    return sum(token.weight for token in words if token.key in keys) / total if total else 0.0
