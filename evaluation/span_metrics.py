"""How well returned characters fit the gold characters, at an equal budget and as Chroma measures it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.span import Span, union
from evaluation.passage import Passage, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanScore:
    """Each 0..1."""

    precision: float
    recall: float
    iou: float


def within_budget(ranked: Iterable[Passage], budget: int) -> list[Place]:
    """The best passages of ``budget`` tokens together; the last is cut where the budget ends.

    So every strategy returns the same amount, whatever the size of its chunks. Repeated text is paid
    for again.
    """
    places: list[Place] = []
    left = budget
    for passage in ranked:
        if passage.tokens > left:
            span = passage.place.span
            kept = len(span) * left // passage.tokens
            if kept:
                places.append(Place(passage.place.doc, Span(span.start, span.start + kept)))
            break
        places.append(passage.place)
        left -= passage.tokens
    return places


def span_score(returned: Iterable[Place], gold: Iterable[Place]) -> SpanScore:
    """Precision, recall and intersection over union of the sets of characters."""
    got, wanted = _union(returned), _union(gold)
    common = _common(got, wanted)
    got_size, wanted_size = _size(got), _size(wanted)
    return SpanScore(
        precision=_ratio(common, got_size),
        recall=_ratio(common, wanted_size),
        iou=_ratio(common, got_size + wanted_size - common),
    )


def chroma_score(returned: Sequence[Place], gold: Sequence[Place]) -> SpanScore:
    """As the published rows are computed: what is returned twice counts twice, but is right only once.

    Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma, 2024, with the
    details of their program: gold pieces are added up without a union, and white space counts.
    """
    common = _common(_union(returned), _union(gold))
    paid = sum(len(place.span) for place in returned)
    wanted = sum(len(place.span) for place in gold)
    missed = _size(_union(gold)) - common
    return SpanScore(
        precision=_ratio(common, paid), recall=_ratio(common, wanted), iou=_ratio(common, paid + missed)
    )


def chroma_precision_omega(chunks: Iterable[Place], gold: Sequence[Place]) -> float:
    """Precision (0..1) when every chunk that touches the gold is returned, and nothing else.

    Source: as ``chroma_score``. There a chunk that ends where the gold begins touches it, and gold that
    no chunk holds counts as returned.
    """
    touching = [chunk for chunk in chunks if any(_touches(chunk, piece) for piece in gold)]
    wanted = _union(gold)
    got = _union([*touching, *gold])
    return _ratio(_common(_union(touching), wanted), _size(got))


def _touches(chunk: Place, piece: Place) -> bool:
    a, b = chunk.span, piece.span
    return chunk.doc == piece.doc and a.start <= b.end and b.start <= a.end


_Union = dict[str, tuple[Span, ...]]


def _union(places: Iterable[Place]) -> _Union:
    spans: dict[str, list[Span]] = {}
    for place in places:
        spans.setdefault(place.doc, []).append(place.span)
    return {doc: union(found) for doc, found in spans.items()}


def _size(places: _Union) -> int:
    return sum(len(span) for spans in places.values() for span in spans)


def _common(left: _Union, right: _Union) -> int:
    return sum(
        len(shared)
        for doc, spans in left.items()
        for a in spans
        for b in right.get(doc, ())
        if (shared := a.intersection(b)) is not None
    )


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
