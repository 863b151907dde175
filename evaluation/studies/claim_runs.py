"""Chunkings compared as the articles did: the same embedder, vectors alone, five chunks a question.

Answers come from the whole product over the same documents, with nothing but the strategy changed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from core.settings import Settings
from evaluation.answers.scores import Cited, answer_held, is_verbatim, scores_of
from evaluation.chunk_record import data_of
from evaluation.chunk_scores import Order, search_scores
from evaluation.chunk_set import ChunkSet, Question, read_chunk_set
from evaluation.chunkers import OwnChunker, spec_of
from evaluation.passage import Passage, Place
from evaluation.ranking import Retrieved, evidence_recall, f1_at, precision_at, reciprocal_rank
from evaluation.reporting.run_file import DataSet
from evaluation.retrieval.base import Base, Models, open_base, settings_at
from evaluation.retrieval.progress import Progress
from evaluation.retrieval.questions import Question as RetrievalQuestion
from evaluation.retrieval.questions import RetrievalSet, asked_of, read_set
from evaluation.retrieval.variants import OURS, variant_of
from evaluation.studies.claims import STRATEGIES
from evaluation.vector_cache import MeasuredEmbedder
from retrieval.knowledge_base import KnowledgeBase
from retrieval.options import AskOptions

K: Final = 5
Scores = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Milliseconds a question (the median), and seconds of cutting without and within the model, and of embedding."""

    search_ms: float
    cut_s: float
    cut_model_s: float
    embed_s: float
    chunks: int
    tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of each set; 0: none."""

    documents: int
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetClaims:
    """Scores by strategy and question, and what each strategy cost."""

    name: str
    data: DataSet
    rows: dict[str, dict[str, Scores]]
    costs: dict[str, Cost]


def whole_set(
    folder: Path,
    settings: Settings,
    models: Models,
    limits: Limits,
    progress: Progress,
    *,
    with_answers: bool,
) -> SetClaims:
    """One set with every strategy. Raises what reading it, cutting, adding and asking raise."""
    embedder = models.of(settings).remembering
    one = measured(folder, settings, STRATEGIES, embedder, limits, progress)
    if with_answers:
        for name, rows in answered(folder, settings, STRATEGIES, models, limits, progress).items():
            for key in one.rows.get(name, {}).keys() & rows.keys():
                one.rows[name][key] |= rows[key]
    return one


def measured(
    folder: Path,
    settings: Settings,
    strategies: Sequence[str],
    embedder: MeasuredEmbedder,
    limits: Limits,
    progress: Progress,
) -> SetClaims:
    """The searches of one set. Raises what reading it and cutting raise."""
    found = read_chunk_set(folder, settings, max_documents=limits.documents, max_questions=limits.questions)
    rows: dict[str, dict[str, Scores]] = {}
    costs: dict[str, Cost] = {}
    for name in strategies if found.questions else ():
        progress.tell("run", set=found.name, name=name)
        rows[name], costs[name] = _searched(
            found, OwnChunker(spec_of(name, "--data"), settings, embedder), embedder
        )
    return SetClaims(name=found.name, data=data_of(found), rows=rows, costs=costs)


def _searched(
    found: ChunkSet, chunker: OwnChunker, embedder: MeasuredEmbedder
) -> tuple[dict[str, Scores], Cost]:
    embedder.reset()
    cuts = [chunker.cut(name, document) for name, document in found.documents.items()]
    cut_model_s = embedder.model_s
    embedder.reset()
    passages = [passage for cut in cuts for passage in cut.passages]
    vectors = embedder.passages([passage.embed_text for passage in passages])
    embed_s = embedder.model_s
    asked = embedder.queries([question.case.question for question in found.questions])
    scores: dict[str, Scores] = {}
    spent: list[float] = []
    for question, vector in zip(found.questions, asked, strict=True):
        started = time.perf_counter()
        order: Order = np.argsort(-(vectors @ vector), kind="stable")
        spent.append((time.perf_counter() - started) * 1000)
        scores[question.case.id] = scores_at(question, passages, order)
    return scores, Cost(
        search_ms=median(spent),
        cut_s=sum(cut.seconds for cut in cuts),
        cut_model_s=cut_model_s,
        embed_s=embed_s,
        chunks=len(passages),
        tokens=float(np.mean([passage.tokens for passage in passages])),
    )


def scores_at(question: Question, passages: Sequence[Passage], order: Order) -> Scores:
    """Of the first five chunks: ``precision@5``, ``recall@5``, ``f1@5``, ``mrr``; ``context recall`` is that of the
    evidence within equally many tokens, ``answer held`` whether a chunk has the answer's words."""
    pieces = [
        piece.model_copy(update={"start": place.span.start, "end": place.span.end})
        for piece, place in zip(question.case.evidence, question.places, strict=True)
    ]
    case = question.case.model_copy(update={"evidence": tuple(pieces)})
    first = [passages[at] for at in order[:K]]
    returned = [Retrieved(doc=p.place.doc, span=p.place.span, pages=()) for p in first]
    scores = {
        f"precision@{K}": precision_at(case, returned, K),
        f"recall@{K}": evidence_recall(case, returned, K),
        f"f1@{K}": f1_at(case, returned, K),
        "mrr": reciprocal_rank(case, returned),
        "context recall": search_scores(question, passages, order)["recall@1600"],
    }
    if is_verbatim(case):
        scores["answer held"] = answer_held(case, [passage.text for passage in first])
    return scores


def answered(
    folder: Path,
    settings: Settings,
    strategies: Sequence[str],
    models: Models,
    limits: Limits,
    progress: Progress,
) -> dict[str, dict[str, Scores]]:
    """``answer`` (the gold words stand in a cited span; where somebody wrote the answer, the share of its words)
    and ``latency_ms`` (processor time of the whole answer), by strategy and question id.

    Each question is asked of all strategies in turn, so that what else the machine does falls on all alike."""
    found = read_set(folder.resolve().name, [folder], limits.documents)
    bases = {name: _base(found, name, settings, models) for name in strategies}
    first = next(iter(bases.values()))
    asked = asked_of(found, first.texts, first.twins, limits.questions)
    progress.tell("run", set=found.name, name="answers")
    rows: dict[str, dict[str, Scores]] = {name: {} for name in strategies}
    on_question = progress.of("ask", least=20)
    with ExitStack() as stack:
        opened = {name: stack.enter_context(_opened(base)) for name, base in bases.items()}
        for name, knowledge in opened.items() if asked.questions else ():
            # The first question of a process pays for what is loaded once.
            _answer(asked.questions[0], knowledge, bases[name])
        for done, question in enumerate(asked.questions, start=1):
            for name in _turned(strategies, done):
                rows[name][question.case.id] = _answer(question, opened[name], bases[name])
            on_question(done, len(asked.questions))
    return rows


def _turned(strategies: Sequence[str], by: int) -> list[str]:
    """Each question begins with another one: whichever comes first finds the processor's caches cold."""
    at = by % len(strategies)
    return [*strategies[at:], *strategies[:at]]


def _base(found: RetrievalSet, name: str, settings: Settings, models: Models) -> Base:
    """The set's documents in chunks of a strategy."""
    spec = spec_of(name, "--data")
    changes = {"strategy": spec.name} | spec.options
    written = ":".join([OURS, *(f"chunking.{key}={value}" for key, value in changes.items())])
    changed = variant_of(written, settings).settings
    return open_base(found, changed, models.of(changed), lambda done, total: None)


@contextmanager
def _opened(base: Base) -> Iterator[KnowledgeBase]:
    knowledge = KnowledgeBase(settings_at(base.home, base.settings))
    knowledge.workspace.embedder = base.model.embedder
    try:
        knowledge.warm_up()
        yield knowledge
    finally:
        knowledge.workspace.close()


def _answer(question: RetrievalQuestion, knowledge: KnowledgeBase, base: Base) -> Scores:
    started = time.process_time()
    answer = knowledge.ask(
        question.case.question, history=question.history, options=AskOptions(method="extractive")
    )
    spent_ms = (time.process_time() - started) * 1000
    cited = [
        Cited(
            place=Place(base.keys[answer.search.passages[one.passage].document_id], one.span), text=one.text
        )
        for one in answer.citations
    ]
    found = scores_of(question.case, cited)
    return {"answer": found.get("answer", found.get("words", 0.0)), "latency_ms": spent_ms}
