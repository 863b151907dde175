"""The comparison of chunkings: every strategy and peer on every set, each question asked to each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from core.protocols import Vectors
from evaluation.chunk_metrics import (
    Sizes,
    header_inheritance,
    page_retention,
    redundancy,
    sizes,
    table_integrity,
)
from evaluation.chunk_scores import (
    Failure,
    Scores,
    chroma_scores,
    chunk_scores,
    failures,
    means,
    orders,
    search_scores,
)
from evaluation.chunk_set import ChunkSet, Question
from evaluation.chunkers import Chunker, Cut
from evaluation.completeness_judge import Judged
from evaluation.intervals import Difference, paired_difference
from evaluation.passage import Passage
from evaluation.vector_cache import MeasuredEmbedder

HEADED = "headed_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRun:
    """One chunking of one set. Shares are 0..1, ``None`` where nothing was to be judged.

    ``tokens`` are the chunks' sizes, in order. ``scores`` are by question id, ``means`` over the questions;
    those that start with ``HEADED`` are with our header on every chunk. ``gains`` are the differences from a
    baseline, where this is not itself one. ``cut_s`` is without the model, ``cut_model_s`` the model's time for
    cutting, ``embed_s`` its time for the chunks. ``judged`` is there when a chat model was asked.
    """

    set_name: str
    name: str
    fingerprint: str
    sizes: Sizes
    tokens: tuple[int, ...]
    lost: int
    header_inheritance: float | None
    table_integrity: float | None
    page_retention: float | None
    redundancy: float
    cut_s: float
    cut_model_s: float
    embed_s: float
    scores: dict[str, Scores]
    means: Scores
    failures: tuple[Failure, ...]
    judged: Judged | None = None
    gains: dict[str, Difference] = field(default_factory=dict)


def run_chunker(
    chunker: Chunker,
    chunk_set: ChunkSet,
    embedder: MeasuredEmbedder,
    on_document: Callable[[int, int], None] = lambda done, total: None,
    judge: Callable[[Sequence[Passage]], Judged | None] = lambda passages: None,
) -> ChunkRun:
    """Cut, embed and ask. Raises ``ModelError``, and what ``judge`` raises."""
    embedder.reset()
    cuts: dict[str, Cut] = {}
    for done, (name, document) in enumerate(chunk_set.documents.items(), start=1):
        cuts[name] = chunker.cut(name, document)
        on_document(done, len(chunk_set.documents))
    cut_model_s = embedder.model_s
    embedder.reset()
    passages = [passage for cut in cuts.values() for passage in cut.passages]
    vectors = embedder.passages([passage.embed_text for passage in passages])
    embed_s = embedder.model_s
    headed = embedder.passages([text for cut in cuts.values() for text in cut.headed])
    scores, failed = _asked(chunk_set.questions, cuts, vectors, headed, embedder)
    pairs = [(document, cuts[name].passages) for name, document in chunk_set.documents.items()]
    empty = sum(cut.empty for cut in cuts.values())
    return ChunkRun(
        set_name=chunk_set.name,
        name=chunker.name,
        fingerprint=chunker.fingerprint,
        sizes=sizes(passages, empty, chunker.hard_tokens, embedder.max_tokens),
        tokens=tuple(passage.embed_tokens for passage in passages),
        lost=sum(cut.lost for cut in cuts.values()),
        header_inheritance=_share([held for pair in pairs for held in header_inheritance(*pair)]),
        table_integrity=_share([held for pair in pairs for held in table_integrity(*pair)]),
        page_retention=_share([held for pair in pairs for held in page_retention(*pair)]),
        redundancy=redundancy(passages),
        cut_s=sum(cut.seconds for cut in cuts.values()),
        cut_model_s=cut_model_s,
        embed_s=embed_s,
        scores=scores,
        means=means(list(scores.values())),
        failures=failed,
        judged=judge(passages),
    )


def differences(baseline: ChunkRun, current: ChunkRun) -> dict[str, Difference]:
    """Of each figure, on the same questions of the same set."""
    return {
        name: paired_difference(
            [baseline.scores[question][name] for question in baseline.scores],
            [current.scores[question][name] for question in baseline.scores],
        )
        for name in baseline.means
    }


def _asked(
    questions: Sequence[Question],
    cuts: dict[str, Cut],
    vectors: Vectors,
    headed: Vectors,
    embedder: MeasuredEmbedder,
) -> tuple[dict[str, Scores], tuple[Failure, ...]]:
    """The figures of each question, and what was not found for it."""
    asked = embedder.queries([question.case.question for question in questions])
    passages = [passage for cut in cuts.values() for passage in cut.passages]
    of_doc = {name: cut.passages for name, cut in cuts.items()}
    scores: dict[str, Scores] = {}
    failed: list[Failure] = []
    for question, order, beneath in zip(
        questions, orders(asked, vectors), orders(asked, headed), strict=True
    ):
        with_header = search_scores(question, passages, beneath)
        scores[question.case.id] = (
            chunk_scores(question, of_doc)
            | search_scores(question, passages, order)
            | chroma_scores(question, passages, of_doc, order)
            | {f"{HEADED}{name}": value for name, value in with_header.items()}
        )
        failed.extend(failures(question, passages, of_doc, order))
    return scores, tuple(failed)


def _share(held: Sequence[bool]) -> float | None:
    return fmean(held) if held else None
