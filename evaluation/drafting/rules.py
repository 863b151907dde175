"""All rules over one document, and so many of their drafts as are wanted, from each rule in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Final

from core.document import Document
from core.hashing import stable_id
from evaluation.drafting.definitions import definitions
from evaluation.drafting.draft import Draft, Proposal, draft_of
from evaluation.drafting.headings import headings
from evaluation.drafting.lists import lists
from evaluation.drafting.tables import tables
from evaluation.drafting.values import values

_RULES: Final[Sequence[Callable[[Document], Iterator[Proposal]]]] = (
    definitions,
    lists,
    tables,
    values,
    headings,
)


def drafts_by_rules(doc: str, document: Document, limit: int) -> list[Draft]:
    """At most ``limit`` drafts, those of no rule more than those of another while both have any.

    Which ones is left to chance, the same each time; no question comes twice. Rules know Chinese and English.
    """
    drawn = [
        sorted(rule(document), key=lambda p: stable_id(doc, p.question, *p.spans)) for rule in _RULES
    ]  # fmt: skip
    kept: dict[str, Proposal] = {}
    for proposal in chain.from_iterable(zip_longest(*drawn)):
        if proposal is not None and len(kept) < limit:
            kept.setdefault(proposal.question, proposal)
    in_order = sorted(kept.values(), key=lambda proposal: proposal.spans)
    return [draft_of(proposal, doc, document) for proposal in in_order]
