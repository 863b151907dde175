"""Gold questions for retrieval: with their conversation, and with evidence found in the stored texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import Field

from core.document import Line
from core.errors import FileMissingError, SettingsError
from core.hashing import sha256
from core.json_lines import read_json_lines
from core.language import language_of
from core.span import Span, trimmed
from evaluation.chunk_set import by_chance, sample
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.reporting.recording import hash_of
from ingest.sources import Source, sources_of
from retrieval.history import Turn, turns

# Characters of source text that a reader or a model is given, by the language of the question.
BUDGETS: Final = {"zh": 2400, "en": 6000}


class AskedCase(GoldCase):
    """A gold case with what was said before, and the question as a person rewrote it to stand alone."""

    history: tuple[dict[str, object] | str, ...] = ()
    standalone_question: str = Field("", validate_default=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredText:
    """One document as the knowledge base has it; ``lines`` are empty for formats without pages."""

    text: str
    language: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One data set: its files, which become a collection of this name, and its questions. ``sha256`` is of both."""

    name: str
    sha256: str
    sources: tuple[Source, ...]
    cases: tuple[AskedCase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalSet:
    """What is indexed together."""

    name: str
    parts: tuple[Part, ...]

    @property
    def sha256(self) -> str:
        """Of all questions and documents."""
        return sha256("".join(part.sha256 for part in self.parts).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """``gold`` as it was written; ``case`` names documents by key, with offsets without white space at
    their ends. ``budget`` is in characters."""

    part: str
    gold: GoldCase
    case: GoldCase
    history: tuple[Turn, ...]
    rewrite: str
    language: str

    @property
    def key(self) -> str:
        """Unique in a set."""
        return f"{self.part}/{self.case.id}"

    @property
    def budget(self) -> int:
        return BUDGETS[self.language]


def read_set(name: str, folders: Sequence[Path], max_documents: int) -> RetrievalSet:
    """The folders' ``corpus`` and ``gold.jsonl``; with a limit, a sample of the documents of each.

    Raises ``FileMissingError`` and ``SettingsError``, also for two folders of one name.
    """
    parts = tuple(_part(folder, max_documents) for folder in folders)
    if len({part.name for part in parts}) < len(parts):
        raise SettingsError(name="--together", reason=f"{name}: two folders have the same name")
    return RetrievalSet(name=name, parts=parts)


def _part(folder: Path, max_documents: int) -> Part:
    corpus = folder / "corpus"
    if not corpus.is_dir():
        raise FileMissingError(name=str(corpus))
    cases = read_json_lines(folder / "gold.jsonl", "--data", AskedCase.model_validate)
    answerable = [case for case in cases if case.evidence]
    sources = sample(sources_of([corpus]), max_documents, answerable)
    return Part(
        name=folder.resolve().name,
        sha256=hash_of([folder / "gold.jsonl", *(source.path for source in sources)]),
        sources=tuple(sources),
        cases=tuple(cases),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The questions of a set whose evidence stands in its documents, and those without an answer there.

    ``misread``: the document is there and the evidence is not where, or not as, the gold has it.
    ``elsewhere`` counts the questions about documents that were not taken.
    """

    questions: tuple[Question, ...]
    unanswerable: tuple[Question, ...]
    misread: tuple[Question, ...]
    elsewhere: int


def asked_of(
    found: RetrievalSet, texts: Mapping[str, StoredText], twins: Mapping[str, str], max_questions: int
) -> Asked:
    """``texts`` by key ("part/name"); ``twins`` names the key that stands for a duplicate's.

    With a limit, so many questions of each part, the same on every machine.
    """
    questions: list[Question] = []
    unanswerable: list[Question] = []
    misread: list[Question] = []
    elsewhere = 0
    for part in found.parts:
        taken = 0
        for case in sorted(part.cases, key=by_chance):
            keyed = [_keyed(piece, part.name, twins) for piece in case.evidence]
            if max_questions and taken == max_questions:
                break
            if any(piece.doc not in texts for piece in keyed):
                elsewhere += 1
                continue
            placed = [_placed(piece, texts[piece.doc]) for piece in keyed]
            kept = tuple(piece for piece in placed if piece is not None)
            question = _question(part.name, case, kept if len(kept) == len(placed) else tuple(keyed))
            kind = misread if len(kept) < len(placed) else questions if kept else unanswerable
            kind.append(question)
            taken += kind is questions
    return Asked(
        questions=tuple(questions),
        unanswerable=tuple(unanswerable),
        misread=tuple(misread),
        elsewhere=elsewhere,
    )


def _question(part: str, case: AskedCase, evidence: tuple[EvidencePiece, ...]) -> Question:
    language = case.lang if case.lang in BUDGETS else language_of(case.question)
    return Question(
        part=part,
        gold=case,
        case=GoldCase.model_validate(case.model_dump() | {"evidence": evidence}),
        history=turns(case.history),
        rewrite=case.standalone_question,
        language=language if language in BUDGETS else "en",
    )


def _keyed(piece: EvidencePiece, part: str, twins: Mapping[str, str]) -> EvidencePiece:
    key = f"{part}/{piece.doc}"
    return piece.model_copy(update={"doc": twins.get(key, key)})


def _placed(piece: EvidencePiece, stored: StoredText) -> EvidencePiece | None:
    """The piece with its place; ``None`` when its text does not stand there, or at no single place.

    A page is a place of its own, and so is a document of which nothing more is known.
    """
    if piece.page is not None or not piece.text:
        return piece
    if not isinstance(piece.text, str):
        return None
    start = stored.text.find(piece.text) if piece.start is None else piece.start
    end = start + len(piece.text)
    if start < 0 or stored.text[start:end] != piece.text or piece.end not in (None, end):
        return None
    span: Span | None = trimmed(stored.text, start, end)
    return None if span is None else piece.model_copy(update={"start": span.start, "end": span.end})
