"""Rules that put one wording for another in a sentence, one place at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluation.verification.forms.script import is_traditional, simplified, traditional

Rule = tuple[re.Pattern[str], str]


def rules(rows: Iterable[tuple[str, str]]) -> tuple[Rule, ...]:
    """Patterns with what replaces each. Chinese ones are in simplified characters and match both."""
    return tuple((re.compile(old), new) for old, new in rows)


def each_applied(sentence: str, table: Sequence[Rule]) -> Iterator[str]:
    """The sentence with one rule at one place, for all rules and places; in the script of the sentence."""
    # One sign for one sign, so places are the same in both.
    plain = simplified(sentence)
    for pattern, new in table:
        for found in pattern.finditer(plain):
            yield _put(sentence, plain, found, new)


def all_applied(sentence: str, table: Sequence[Rule]) -> str:
    """The sentence with each rule at every place."""
    for pattern, new in table:
        plain = simplified(sentence)
        for found in reversed(list(pattern.finditer(plain))):
            sentence = _put(sentence, plain, found, new)
    return sentence


def _put(sentence: str, plain: str, found: re.Match[str], new: str) -> str:
    """``sentence`` with ``new`` for what was ``found`` in ``plain``, the same in simplified characters.

    What stands before the place is as long in both.
    """
    written = traditional(found.expand(new)) if is_traditional(sentence) else found.expand(new)
    return sentence[: found.start()] + written + sentence[found.end() :]
