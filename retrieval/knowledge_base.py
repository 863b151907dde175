"""The line from a question to a cited answer, over one opened knowledge base."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.answer import Answer, Route, SearchResult
from core.chat.usage import counted, together
from core.errors import ChatModelError, EmptyQuestionError, ModelError, QuestionTooLongError
from core.language import language_of
from core.messages import render
from core.protocols import Reranker
from core.registry import resolve
from core.settings import Settings
from core.span import is_blank
from ingest.workspace import Workspace
from retrieval.candidates import Scope
from retrieval.condense import condense
from retrieval.evidence import Answerer, Draft, OnFound, OnText
from retrieval.history import Turn
from retrieval.search import Found, Search
from retrieval.trace import Trace

if TYPE_CHECKING:
    from core.chat.model import ChatModel


class KnowledgeBase:
    """Search and ask. Safe to share between threads; models are loaded when first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workspace = Workspace(settings)
        self._loading = threading.Lock()

    @cached_property
    def chat_model(self) -> ChatModel | None:
        if not self.settings.has_chat_model:
            return None
        # Imported here: it takes a second, which only answers of a model are worth.
        from core.chat.model import make_chat_model

        return make_chat_model(self.settings)

    @cached_property
    def reranker(self) -> Reranker:
        reranker: Reranker = resolve("reranker", self.settings.retrieval.reranker)(self.settings)
        return reranker

    def warm_up(self) -> None:
        """Load the models and indexes now instead of at the first question; others wait for it."""
        with self._loading:
            with self.workspace.store.read() as reader:
                self.workspace.indexes.at(reader)
            self.workspace.embedder.queries(["warm up"])
            if self.settings.retrieval.reranker != "none":
                self.reranker.rerank("warm up", ["warm up"])

    def search(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        scope: Scope | None = None,
        passages: int | None = None,
        max_tokens: int | None = None,
    ) -> SearchResult:
        """The evidence for a question. Raises ``QuestionError``, ``StoreError``, ``ModelError``."""
        return self._find(question, history, scope or Scope(), passages, max_tokens)[0].result

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        scope: Scope | None = None,
        on_found: OnFound = lambda result: None,
        on_text: OnText = lambda text: None,
        method: str | None = None,
    ) -> Answer:
        """A cited answer or a refusal. ``method`` names an answerer; by default the best one there is.

        ``on_found`` is told the evidence before the answer is written, ``on_text`` the answer as it
        grows. When the chat model fails the answer is extracted instead, and says so.
        """
        started = time.perf_counter()
        with counted() as calls:
            found, notes = self._find(question, history, scope or Scope(), None, None)
            on_found(found.result)
            draft, used, more_notes = self._draft(found, method, on_text)
        text = draft.text if draft.answered else render("refusal", language_of(question))
        return Answer(
            text=text,
            answered=draft.answered,
            citations=draft.citations,
            search=found.result,
            method=used,
            notes=(*notes, *found.notes, *more_notes, *draft.notes),
            latency_ms=_ms_since(started),
            left_out=draft.left_out,
            usage=together(calls),
        )

    def _find(
        self,
        question: str,
        history: Sequence[Turn],
        scope: Scope,
        passages: int | None,
        max_tokens: int | None,
    ) -> tuple[Found, tuple[str, ...]]:
        question = self._checked(question)
        with self._loading:
            # Made once, however many first questions come together.
            reranker, _ = self.reranker, self.workspace.indexes
        trace = Trace()
        with trace.step("condense") as step:
            model = self.chat_model if history else None
            searched, failed = condense(question, history, model)
            step.note = searched
        options = self.settings.retrieval
        search = Search(self.workspace, reranker, options, trace)
        found = search.run(
            question, searched, scope, passages or options.passages, max_tokens or options.max_tokens
        )
        return found, (("note_condense_failed",) if failed else ())

    def _draft(self, found: Found, method: str | None, on_text: OnText) -> tuple[Draft, str, tuple[str, ...]]:
        result = found.result
        name = method or ("llm" if self.chat_model else "extractive")
        nothing = Draft(text="", citations=(), answered=False)
        if not result.passages:
            return nothing, name, ("note_nothing_stored",) if found.empty_store else ()
        if result.route is Route.WEAK:
            return nothing, name, ()
        try:
            return self._answerer(name).answer(result.searched, found.evidence, on_text), name, ()
        except ChatModelError:
            draft = self._answerer("extractive").answer(result.searched, found.evidence, lambda text: None)
            return draft, "extractive", ("note_model_failed",)

    def _answerer(self, name: str) -> Answerer:
        answerer_class = resolve("answerer", name)
        if name == "llm":
            if self.chat_model is None:
                raise ModelError(name="YOUJU_CHAT__MODEL", reason="no chat model is set")
            made: Answerer = answerer_class(self.chat_model)
        else:
            made = answerer_class(self.workspace.embedder)
        return made

    def _checked(self, question: str) -> str:
        limit = self.settings.retrieval.max_question_chars
        if all(is_blank(char) for char in question):
            raise EmptyQuestionError
        if len(question) > limit:
            raise QuestionTooLongError(length=len(question), limit=limit)
        return question.strip()


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
