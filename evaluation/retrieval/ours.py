"""Our search, asked as a program would: through the knowledge base."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import Final

from core.answer import SearchResult
from evaluation.passage import Place
from evaluation.retrieval.base import Base, settings_at
from evaluation.retrieval.questions import Question
from evaluation.retrieval.systems import QuestionClock, Returned
from evaluation.retrieval.variants import Ask, Variant
from retrieval.knowledge_base import KnowledgeBase

_DEEP: Final = {"passages": 50, "max_passages_per_document": 50, "max_tokens": 20_000}
# The character budget is surely filled; what is too much is cut off at its end.
_MORE_TOKENS: Final = 1.25


class OwnSystem:
    """One variant over one base. Raises ``ModelError`` and ``SettingsError``.

    Unless the variant sets its own, the token budget of a search is what the character budget comes to
    in the base's texts and a quarter more: so the passages are chosen and grown for about that size, as
    the product does for a model, and no budget is left unused.
    """

    def __init__(self, variant: Variant, base: Base) -> None:
        self.name = variant.name
        self._variant, self._documents = variant, base.keys
        self._tokens_of = cache(base.tokens_of)
        settings = settings_at(base.home, variant.settings)
        deep = settings.model_copy(update={"retrieval": settings.retrieval.model_copy(update=_DEEP)})
        self._base, self._deep = KnowledgeBase(settings), KnowledgeBase(deep)
        self._clock = QuestionClock(base.model.embedder)
        self._base.workspace.embedder = self._clock
        self._deep.workspace = self._base.workspace
        started = time.perf_counter()
        self._base.warm_up()
        self.build_s = time.perf_counter() - started

    def search(self, question: Question) -> Returned:
        tokens = round(_MORE_TOKENS * self._tokens_of(question.budget, question.language))
        self._clock.reset()
        started = time.perf_counter()
        result = self._asked(self._base, question, None if self._variant.sets_tokens else tokens)
        latency_ms = (time.perf_counter() - started) * 1000
        return Returned(
            places=self._places(result),
            latency_ms=latency_ms,
            embed_ms=self._clock.spent_ms,
            score=_sureness(result),
            route=result.route.value,
            steps=tuple((step.name, step.latency_ms) for step in result.trace),
            result=result,
        )

    def deeper(self, question: Question) -> Sequence[Place]:
        return self._places(self._asked(self._deep, question, None))

    def close(self) -> None:
        self._base.workspace.close()

    def _asked(self, base: KnowledgeBase, question: Question, max_tokens: int | None) -> SearchResult:
        ask = self._variant.ask
        text = question.rewrite if ask is Ask.REWRITE and question.rewrite else question.case.question
        history = question.history if ask is Ask.HISTORY else ()
        return base.search(text, history=history, max_tokens=max_tokens)

    def _places(self, result: SearchResult) -> tuple[Place, ...]:
        return tuple(Place(self._documents[p.document_id], p.span) for p in result.passages)


def _sureness(result: SearchResult) -> float:
    """The calibrated probability, where there is one, else the first passage's score; 0..1."""
    if result.probability is not None:
        return result.probability
    return min(max(result.passages[0].score, 0.0), 1.0) if result.passages else 0.0
