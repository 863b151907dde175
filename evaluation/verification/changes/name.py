"""Another name: of another document, of the same passage, or the other party of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluation.verification.case import Claim, by_chance
from evaluation.verification.names import ROLES, Names

_FEW = 4
_COURT = "人民检察院"


def of_another_document(claim: Claim, names: Names) -> Iterator[str]:
    """A name of the same kind that the passage does not have."""
    for name in names.found(claim.sentence):
        others = [one for one in names.like(name) if one not in claim.passage_text and not _share(one, name)]
        for other in by_chance(others, claim.key)[:_FEW]:
            yield claim.sentence.replace(name, other)


def of_the_passage(claim: Claim, names: Names) -> Iterator[str]:
    """A name of the same kind that the passage has and the sentence has not."""
    held = names.found(claim.passage_text)
    for name in names.found(claim.sentence):
        for other in held:
            is_other = names.are_alike(name, other) and not _share(name, other)
            if is_other and other not in claim.sentence:
                yield claim.sentence.replace(name, other)


def other_role(claim: Claim) -> Iterator[str]:
    """The other party for one that stands alone; both in each other's place where a rule has both."""
    found = list(_other_roles(claim))
    # Courts are in every other article: they are taken where there is nothing else.
    yield from [one for one in found if _COURT not in one] or found


def _other_roles(claim: Claim) -> Iterator[str]:
    for first, second in ROLES[claim.lang]:
        for old, new in ((first, second), (second, first)):
            if len(_places(claim.sentence, old)) == 1 and new not in claim.sentence.replace(old, ""):
                yield _put(claim.sentence, old, new)
        yield from _exchanged(claim.sentence, first, second)


def _exchanged(sentence: str, first: str, second: str) -> Iterator[str]:
    here, there = _places(sentence, first), _places(sentence, second)
    if len(here) != 1 or len(there) != 1:
        return
    low, high = sorted([(here[0], first), (there[0], second)])
    between = sentence[low[0] + len(low[1]) : high[0]]
    if len(between) > 3 and not re.search(r"^(?:、|或|和|与|及|以及|或者| and | or )", between):
        rest = sentence[high[0] + len(high[1]) :]
        yield sentence[: low[0]] + high[1] + between + low[1] + rest


def _places(sentence: str, role: str) -> list[int]:
    """Where the whole word stands: not 人民法院 for 法院, nor plaintiffs for plaintiff."""
    if role[0].isascii():
        return [found.start() for found in re.finditer(rf"(?<!-)\b{re.escape(role)}\b", sentence)]
    return [found.start() for found in re.finditer(rf"(?<![被反外祖诉]){re.escape(role)}(?!人)", sentence)]


def _put(sentence: str, old: str, new: str) -> str:
    at = _places(sentence, old)[0]
    return sentence[:at] + new + sentence[at + len(old) :]


def _share(first: str, second: str) -> bool:
    first, second = first.strip("《》"), second.strip("《》")
    same_last = first.isascii() and first.split()[-1] == second.split()[-1]
    return same_last or first in second or second in first
