"""Values in each other's place, and lists that were turned round as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from retrieval.verify.difference import Difference, difference
from retrieval.verify.facts import aspect_of
from retrieval.verify.names import Name
from retrieval.verify.placing import Placing

# Two values that were exchanged are told by the words around them, which are these.
_SAME_WORDS: Final = 0.9


def exchanged(placing: Placing, first: int, last: int) -> Iterator[Difference]:
    """Two values in each other's place, all others and all words in theirs."""
    said, target = placing.said, placing.target
    mine = [fact for fact in said.facts if not isinstance(fact.value, Name)]
    its = [fact for fact in target.facts if not isinstance(fact.value, Name) and first <= fact.first < last]
    keys, others = [said.tokens[f.first].key for f in mine], [target.tokens[f.first].key for f in its]
    apart = [place for place, (key, other) in enumerate(zip(keys, others, strict=False)) if key != other]
    if len(keys) != len(others) or len(apart) != 2 or sorted(keys) != sorted(others):
        return
    words = [token.key for token in said.tokens if not token.is_fact]
    stands = [token.key for token in target.tokens[first:last] if not token.is_fact]
    if SequenceMatcher(None, words, stands, autojunk=False).ratio() >= _SAME_WORDS:
        one, other = mine[apart[0]], its[apart[0]]
        yield difference(aspect_of(one, other), one.said, other.said)


def turned_round(placing: Placing, changed: Sequence[tuple[int, int, int, int]]) -> bool:
    """Whether two lists were turned round alike: 2008 and 2009 were 5 and 6 for 2009 and 2008 were 6 and 5."""
    said, target = placing.said.tokens, placing.target.tokens
    pairs = {
        (said[first].key, target[there].key)
        for first, last, there, end in changed
        if last - first == 1 == end - there and said[first].is_fact and target[there].is_fact
    }
    return sum((its, mine) in pairs for mine, its in pairs) >= 4
