"""What a question asks for, found by rules in well under a millisecond."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ingest.dates import dates
from retrieval.query.names import NameBook
from retrieval.query.references import references
from retrieval.query.shape import means_whole, shape_of
from retrieval.query.terms import identifiers, quantities, quotes
from retrieval.query.understood import Understood

_NO_NAMES: Final = NameBook()


def understand(
    question: str, names: NameBook = _NO_NAMES, visible: Collection[str] | None = None
) -> Understood:
    """Everything that ``question`` gives to the letter, and its shape.

    ``names`` are those of the stored documents; only ``visible`` ones (ids; ``None``: all) are recognised.
    Nothing is guessed: what is not certain is left out, or marked as such.
    """
    found = dates(question)
    quoted = quotes(question)
    named = names.mentions(question, quoted, visible)
    taken = [*(date.span for date in found), *(mention.span for mention in named)]
    return Understood(
        question=question,
        shape=shape_of(question),
        quotes=quoted,
        references=references(question, {mention.span.end for mention in named}),
        identifiers=tuple(
            identifier
            for identifier in identifiers(question)
            if not any(identifier.span.overlaps(span) for span in taken)
        ),
        quantities=quantities(question),
        dates=tuple(dict.fromkeys(date.iso for date in found)),
        mentions=named,
        means_whole=means_whole(question),
    )
