"""Questions in two halves that share no document: one to pick by, one to judge by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.errors import SettingsError
from core.hashing import stable_id
from evaluation.retrieval.questions import Question

# With fewer questions in a half nothing could be told from noise.
LEAST: Final = 10
# A half smaller than this share is no half: then questions are parted, not documents.
_SMALLEST: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """``by_document``: no document has evidence for both."""

    picked_on: tuple[Question, ...]
    held_back: tuple[Question, ...]
    by_document: bool


def halves_of(questions: Sequence[Question]) -> Halves:
    """The same on every machine. Documents that a question needs together stay together; where they hang together
    so much that no fair split is left (or there is only one), the questions are parted by chance.

    Raises ``SettingsError`` for fewer than ``2 * LEAST`` questions.
    """
    if len(questions) < 2 * LEAST:
        reason = f"expected at least {2 * LEAST} questions with evidence, got {len(questions)}"
        raise SettingsError(name="--gold", reason=reason)
    groups = sorted(_groups(questions), key=lambda group: stable_id("half", min(q.key for q in group)))
    # Large ones first, each to the half that has less.
    sides: tuple[list[Question], list[Question]] = ([], [])
    for group in sorted(groups, key=len, reverse=True):
        min(sides, key=len).extend(group)
    by_document = min(map(len, sides)) >= max(LEAST, _SMALLEST * len(questions))
    if not by_document:
        mixed = sorted(questions, key=lambda question: stable_id("half", question.key))
        sides = (mixed[::2], mixed[1::2])
    return Halves(picked_on=tuple(sides[0]), held_back=tuple(sides[1]), by_document=by_document)


def _groups(questions: Sequence[Question]) -> list[list[Question]]:
    """Questions that share documents, directly or through others."""
    parent: dict[str, str] = {}

    def root(doc: str) -> str:
        while parent.setdefault(doc, doc) != doc:
            doc = parent[doc]
        return doc

    for question in questions:
        docs = [piece.doc for piece in question.case.evidence]
        for doc in docs[1:]:
            parent[root(doc)] = root(docs[0])
    groups: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        groups[root(question.case.evidence[0].doc)].append(question)
    return list(groups.values())
