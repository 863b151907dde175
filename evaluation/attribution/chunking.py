"""Evidence that no single chunk holds: cut apart, by a rule or by the chat model's word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from core.span import Span
from evaluation.attribution.loss import Loss, Stage, Stored, hulls
from evaluation.chunk_metrics import Coverage, coverage
from evaluation.gold import GoldCase
from evaluation.passage import Place

# What the semantic splitter calls a border that the chat model decided.
_JUDGED: Final = "judged"
_SHOWN: Final = 200


def chunk_losses(case: GoldCase, stored: Stored) -> Iterator[Loss]:
    """Whatever of a case's evidence is not whole in one chunk, with what was cut."""
    places = dict.fromkeys([*(stored.place(piece) for piece in case.evidence), *hulls(case, stored)])
    found = [loss for place in places if (loss := chunk_loss(case, place, stored)) is not None]
    yield from _largest_last(found)


def chunk_loss(case: GoldCase, place: Place, stored: Stored) -> Loss | None:
    """``None`` for evidence that one chunk holds.

    "overlap": only two neighbours together hold it; "chunking": not even those; "judge" when the chat model
    cut where the evidence is parted.
    """
    kind = coverage(stored.passages(place.doc), place.span)
    if kind is Coverage.WHOLE:
        return None
    parts = [row for row in stored.chunks[place.doc] if row.span.overlaps(place.span)]
    is_judged = any(_JUDGED in row.reasons for row in parts[1:] if row.span.start > place.span.start)
    stage = Stage.OVERLAP if kind is Coverage.JOINED else Stage.CHUNKING
    borders = ", ".join(dict.fromkeys(reason for row in parts[1:] for reason in row.reasons[:1]))
    return Loss(
        case=case,
        stage=Stage.JUDGE if is_judged else stage,
        reason=f"cut into {len(parts)} chunks ({borders})" if borders else f"in {len(parts)} chunks",
        doc=place.doc,
        evidence=_shown(stored.texts[place.doc], place.span),
        chunk_id=parts[0].id if parts else "",
    )


def _largest_last(losses: Iterable[Loss]) -> list[Loss]:
    return sorted(losses, key=lambda loss: len(loss.evidence))


def _shown(text: str, span: Span) -> str:
    words = span.of(text)
    return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"
