"""The stages of a question's way, what each can lose, and what is needed to tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.span import Span, trimmed
from core.store import ChunkRow
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Passage, Place


class Stage(StrEnum):
    """Where evidence was lost, in the order of the way."""

    PARSER = "parser"
    CHUNKING = "chunking"
    JUDGE = "judge"
    OVERLAP = "overlap"
    EMBEDDING = "embedding"
    LEXICAL = "lexical"
    FUSION = "fusion"
    RERANK = "rerank"
    PACKING = "packing"
    ANSWER = "answer"
    CITATION = "citation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """``reason`` says in a few words what happened; ``evidence`` is what was lost, empty for what should not
    have been answered. ``ranks`` are those of the chunk that holds it, as (step of the trace, rank)."""

    case: GoldCase
    stage: Stage
    reason: str
    doc: str = ""
    evidence: str = ""
    chunk_id: str = ""
    ranks: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Text and chunks (in order) of each document, by name."""

    texts: Mapping[str, str]
    chunks: Mapping[str, tuple[ChunkRow, ...]]

    def place(self, piece: EvidencePiece) -> Place:
        """Where a piece of checked gold stands, without white space at its ends."""
        text, words = self.texts[piece.doc], piece.text if isinstance(piece.text, str) else piece.text[0]
        start = text.find(words) if piece.start is None else piece.start
        span = trimmed(text, start, start + len(words) if piece.end is None else piece.end)
        if span is None:
            raise ValueError(f"expected visible evidence in {piece.doc}, got {piece.text!r}")
        return Place(piece.doc, span)

    def passages(self, doc: str) -> list[Passage]:
        """The chunks of a document as the metrics of chunks see them."""
        text, found = self.texts[doc], []
        end = 0
        for row in self.chunks[doc]:
            follows = row.previous_id is not None and not text[end : row.span.start].strip()
            found.append(
                Passage(
                    place=Place(doc, row.span), text=row.span.of(text), embed_text=row.embed_text,
                    tokens=row.token_count, embed_tokens=row.token_count, follows=follows,
                )
            )  # fmt: skip
            end = row.span.end
        return found

    def holder(self, place: Place) -> ChunkRow | None:
        """The chunk that holds most of a place, the first of several; ``None`` when none holds any of it."""

        def held(row: ChunkRow) -> int:
            shared = row.span.intersection(place.span)
            return len(shared) if shared else 0

        best = max(self.chunks[place.doc], key=held, default=None)
        return best if best is not None and held(best) else None


def wanted(case: GoldCase) -> list[tuple[EvidencePiece, ...]]:
    """What must be found: one piece of each of these. In mode "any" they are the groups, else single pieces."""
    if case.evidence_mode != "any":
        return [(piece,) for piece in case.evidence]
    groups: dict[object, list[EvidencePiece]] = {}
    for piece in case.evidence:
        groups.setdefault(piece.group, []).append(piece)
    return [tuple(group) for group in groups.values()]


def hulls(case: GoldCase, stored: Stored) -> list[Place]:
    """For each document its evidence from the first to the last character, where all of it is wanted."""
    places = [stored.place(piece) for piece in case.evidence]
    if case.evidence_mode != "all":
        return places
    spans: dict[str, Span] = {}
    for place in places:
        spans[place.doc] = spans.get(place.doc, place.span).hull(place.span)
    return [Place(doc, span) for doc, span in spans.items()]
