"""A folder of documents with gold questions, read by our own parsers and checked against them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.document import Document
from core.errors import DocumentError, FileMissingError
from core.hashing import stable_id
from core.reading import Reading
from core.settings import Settings
from core.span import trimmed
from evaluation.gold import EvidencePiece, GoldCase, read_gold
from evaluation.passage import Place
from evaluation.reporting.recording import hash_of
from ingest.isolation import Worker
from ingest.parsers.detect import route_of
from ingest.prepare import RoutedParser
from ingest.sources import Source, sources_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A gold case whose evidence stands in our documents; ``places`` without white space at their ends."""

    case: GoldCase
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSet:
    """``misread`` are the cases with evidence that our parser did not keep, ``unplaced`` those whose
    evidence has no offsets; cases without evidence are left out. ``sha256`` is of the questions and documents."""

    name: str
    sha256: str
    documents: dict[str, Document]
    questions: tuple[Question, ...]
    misread: tuple[GoldCase, ...]
    unplaced: int
    unreadable: tuple[str, ...]


def read_chunk_set(
    folder: Path,
    settings: Settings,
    *,
    max_documents: int = 0,
    max_questions: int = 0,
    on_document: Callable[[int, int], None] = lambda done, total: None,
) -> ChunkSet:
    """The documents of ``folder``/corpus and the questions of ``folder``/gold.jsonl.

    With limits (0: none) a sample that is the same on every machine: whole documents, and the questions
    whose evidence lies in them alone. Raises ``FileMissingError`` and ``SettingsError``.
    """
    corpus = folder / "corpus"
    if not corpus.is_dir():
        raise FileMissingError(name=str(corpus))
    cases = [case for case in read_gold(folder / "gold.jsonl") if case.evidence]
    placed = [case for case in cases if all(_has_place(piece) for piece in case.evidence)]
    sources = sample(sources_of([corpus]) if placed else [], max_documents, placed)
    documents, unreadable = _documents(sources, settings, on_document)
    asked = [case for case in placed if all(piece.doc in documents for piece in case.evidence)]
    asked = sorted(asked, key=by_chance)[: max_questions or None]
    questions = [Question(case=case, places=_places(case, documents)) for case in asked]
    return ChunkSet(
        name=folder.resolve().name,
        sha256=hash_of([folder / "gold.jsonl", *(source.path for source in sources)]),
        documents=documents,
        questions=tuple(question for question in questions if question.places),
        misread=tuple(question.case for question in questions if not question.places),
        unplaced=len(cases) - len(placed),
        unreadable=unreadable,
    )


def _has_place(piece: EvidencePiece) -> bool:
    return piece.start is not None and piece.end is not None and isinstance(piece.text, str)


def sample(sources: Sequence[Source], limit: int, cases: Sequence[GoldCase]) -> list[Source]:
    """All, or ``limit`` of them: those that the first questions are about, then any."""
    if not limit:
        return list(sources)
    chosen: set[str] = set()
    for case in sorted(cases, key=by_chance):
        wanted = chosen | {piece.doc for piece in case.evidence}
        chosen = wanted if len(wanted) <= limit else chosen
    order = sorted(
        sources, key=lambda source: (source.name not in chosen, stable_id("document", source.name))
    )
    return order[:limit]


def by_chance(case: GoldCase) -> str:
    """By chance, the same on every machine."""
    return stable_id("question", case.id)


def _documents(
    sources: Sequence[Source], settings: Settings, on_document: Callable[[int, int], None]
) -> tuple[dict[str, Document], tuple[str, ...]]:
    documents: dict[str, Document] = {}
    unreadable: list[str] = []
    with Worker() as worker:
        for done, source in enumerate(sources, start=1):
            data = source.path.read_bytes()
            try:
                parser = RoutedParser(route_of(source.name, data), source.name, len(data), worker)
                reading = Reading(settings=settings.parsing)
                documents[source.name] = parser.parse(data, source.name, reading)
            except DocumentError:
                unreadable.append(source.name)
            on_document(done, len(sources))
    return documents, tuple(unreadable)


def _places(case: GoldCase, documents: dict[str, Document]) -> tuple[Place, ...]:
    """Where the evidence stands; nothing when a piece is not, to the character, where the gold has it."""
    places: list[Place] = []
    for piece in case.evidence:
        text, start, end = documents[piece.doc].text, piece.start or 0, piece.end or 0
        span = trimmed(text, start, end)
        if text[start:end] != piece.text or span is None:
            return ()
        places.append(Place(piece.doc, span))
    return tuple(places)
