"""The line from a question to a cited answer, over one opened knowledge base."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from core.answer import Answer, Route, SearchResult
from core.chat.usage import counted, together
from core.errors import ChatModelError, EmptyQuestionError, ModelError, TextTooLongError
from core.language import language_of
from core.messages import render
from core.protocols import Reranker
from core.registry import resolve
from core.scope import Scope
from core.settings import Settings
from core.span import is_blank
from ingest.workspace import Workspace
from retrieval.evidence import Answerer, Draft, Evidence, OnFound, OnText
from retrieval.explain import WhyNot, why_not
from retrieval.finding import Finder
from retrieval.history import Turn
from retrieval.names_held import NamesHeld
from retrieval.options import AS_SET, AskOptions
from retrieval.pasted import PASSAGES, verify_text
from retrieval.records.keep import kept
from retrieval.records.opening import AnswerRecord, load
from retrieval.route import worth_reading
from retrieval.search import Bounds, Found
from retrieval.speaking_against import weighed
from retrieval.verify.making import Verifier, make_verifier
from retrieval.whole.read import Cancelled, OnProgress, WholeAnswer, read_whole
from retrieval.whole.stretch import gather, versions_to_read

if TYPE_CHECKING:
    from core.chat.model import ChatModel

# Answerers that need the chat model.
_WRITTEN: Final = ("llm", "step-by-step")
# More only take turns on the same cores, and the chat waits behind them (scripts/load_chat.py).
_SEARCHES_AT_ONCE: Final = max(2, os.cpu_count() or 2)


class KnowledgeBase:
    """Search and ask. Safe to share between threads; models are loaded when first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workspace = Workspace(settings)
        self._loading = threading.Lock()
        self._names = NamesHeld()
        self._seats = threading.BoundedSemaphore(_SEARCHES_AT_ONCE)
        self._rerankers: dict[str, Reranker] = {}

    @cached_property
    def chat_model(self) -> ChatModel | None:
        if not self.settings.has_chat_model:
            return None
        # Imported here: it takes a second, which only answers of a model are worth.
        from core.chat.model import make_chat_model

        return make_chat_model(self.settings)

    @property
    def reranker(self) -> Reranker:
        """The one that is set."""
        return self._reranker(self.settings.retrieval.reranker)

    @cached_property
    def verifier(self) -> Verifier:
        return make_verifier(self.settings, self.workspace, self.chat_model)

    def warm_up(self) -> None:
        """Load the models and indexes now instead of at the first question; others wait for it."""
        with self._loading:
            with self.workspace.store.read() as reader:
                self.workspace.indexes.at(reader)
            self.workspace.embedder.queries(["warm up"])
            if self.settings.retrieval.reranker == "cross-encoder":
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
        options = AskOptions(passages=passages)
        return self._find(question, history, scope or Scope(), options, max_tokens).result

    def why_not(self, result: SearchResult, chunk_id: str, scope: Scope | None = None) -> WhyNot:
        """What became of a chunk in a search; one that ``scope`` may not see is unknown. Raises ``StoreError``."""
        with self.workspace.store.read() as reader:
            chunk = reader.chunks([chunk_id]).get(chunk_id)
            if chunk is not None and not reader.can_see(chunk.version_id, scope or Scope()):
                chunk = None
            return why_not(result, chunk_id, chunk)

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        scope: Scope | None = None,
        on_found: OnFound = lambda result: None,
        on_text: OnText = lambda text: None,
        on_read: OnProgress = lambda done, total: None,
        cancelled: Cancelled = lambda: False,
        options: AskOptions = AS_SET,
        as_typed: bool = False,
    ) -> Answer:
        """A cited answer or a refusal; when no answerer is named, from the best one there is.

        ``on_found`` is told the evidence before the answer is written, ``on_text`` the answer as it
        grows. When the chat model fails the answer is extracted instead, and says so. A list, count or
        summary over a document that is named (or the only one) is read part by part: ``on_read`` is told
        how far, ``cancelled`` asked. ``as_typed``: the question is searched in its own words alone.
        """
        started = time.perf_counter()
        scope = scope or Scope()
        with counted() as calls:
            found = self._find(question, history, scope, options, as_typed=as_typed)
            whole = self._read(found, scope, options.method, on_read, cancelled)
            if whole is None:
                on_found(result := found.result)
                draft, used, more_notes = self._weighed(found, scope, options, on_text)
            else:
                result = replace(found.result, passages=whole.passages, route=Route.CONFIDENT)
                draft, used, more_notes = whole.draft, whole.method, ()
                on_found(result)
                on_text(draft.text)
        return Answer(
            text=draft.text if draft.answered else render("refusal", language_of(question)),
            answered=draft.answered,
            citations=draft.citations,
            search=result,
            method=used,
            notes=(*found.notes, *more_notes, *draft.notes),
            latency_ms=_ms_since(started),
            left_out=draft.left_out,
            usage=together(calls),
            read=whole.share if whole else None,
            checks=draft.checks,
            counter=draft.counter,
            removed=draft.removed,
            complete=draft.complete,
            model=draft.model,
            prompt_version=draft.prompt_version,
        )

    def verify(
        self,
        text: str,
        *,
        scope: Scope | None = None,
        on_progress: OnProgress = lambda done, total: None,
        cancelled: Cancelled = lambda: False,
    ) -> Answer:
        """Any text as an answer (method "verify") whose sentences are held against what is stored.

        Raises ``EmptyQuestionError``, ``TextTooLongError``, ``StoreError``, ``ModelError``, ``CancelledError``.
        """
        limit = self.settings.answer.max_verified_chars
        if all(is_blank(char) for char in text):
            raise EmptyQuestionError
        if len(text) > limit:
            raise TextTooLongError(length=len(text), limit=limit)
        longest = self.settings.retrieval.max_question_chars

        def find(sentence: str) -> Evidence:
            options = AskOptions(passages=PASSAGES)
            found = self._find(sentence[:longest], (), scope or Scope(), options, as_typed=True)
            return found.evidence

        return verify_text(text, find, self.verifier, on_progress=on_progress, cancelled=cancelled)

    def keep(self, answer: Answer, scope: Scope | None = None) -> Answer:
        """The answer with the id of its stored record; without one, and with a note, when storing it fails."""
        return kept(self.workspace.store, answer, scope or Scope(), self.settings.answer)

    def answer_record(self, answer_id: str, scope: Scope | None = None) -> AnswerRecord:
        """A stored answer and what became of its sources. Raises ``UnknownAnswerError``, ``StoreError``."""
        return load(self.workspace.store, answer_id, scope or Scope())

    def _read(
        self,
        found: Found,
        scope: Scope,
        method: str | None,
        on_read: OnProgress,
        cancelled: Cancelled,
    ) -> WholeAnswer | None:
        """The answer from a whole document or section; ``None`` when the question is not one for that."""
        if not found.understood.reads_whole:
            return None
        with self.workspace.store.read() as reader:
            ids = versions_to_read(found.understood, reader, reader.visible_versions(scope))
            stretch = gather(reader, ids, found.understood) if ids else None
        if stretch is None:
            return None
        whole = read_whole(
            found.understood,
            stretch,
            None if method == "extractive" else self.chat_model,
            max_tokens=self.settings.retrieval.whole_tokens,
            on_progress=on_read,
            cancelled=cancelled,
        )
        return whole if whole.draft.answered else None

    def _find(
        self,
        question: str,
        history: Sequence[Turn],
        scope: Scope,
        asked: AskOptions,
        max_tokens: int | None = None,
        *,
        as_typed: bool = False,
    ) -> Found:
        options = asked.retrieval(self.settings.retrieval)
        with self._loading:
            # Made once, however many first questions come together.
            reranker, _ = self._reranker(options.reranker), self.workspace.indexes
        finder = Finder(
            workspace=self.workspace,
            reranker=reranker,
            names=self._names,
            options=options,
            model=self.chat_model,
            seats=self._seats,
        )
        bounds = Bounds(passages=options.passages, max_tokens=max_tokens or options.max_tokens)
        return finder.run(question, history, scope, bounds, as_typed=as_typed)

    def _reranker(self, name: str) -> Reranker:
        """Loaded once, whoever asks for it next. Raises ``UnknownNameError``, ``SettingsError``."""
        if name not in self._rerankers:
            self._rerankers[name] = resolve("reranker", name)(self.settings)
        return self._rerankers[name]

    def _weighed(
        self, found: Found, scope: Scope, options: AskOptions, on_text: OnText
    ) -> tuple[Draft, str, tuple[str, ...]]:
        """The draft with what speaks against it, the answerer's name, and notes."""
        draft, used, notes = self._draft(found, options, on_text)
        return weighed(draft, found.evidence, self.workspace.store, scope), used, notes

    def _draft(
        self, found: Found, options: AskOptions, on_text: OnText
    ) -> tuple[Draft, str, tuple[str, ...]]:
        result = found.result
        name = options.method or self.settings.answer.method or ("llm" if self.chat_model else "extractive")
        nothing = Draft(text="", citations=(), answered=False)
        if not result.passages:
            return nothing, name, ("note_nothing_stored",) if found.empty_store else ()
        is_weak = result.route is Route.WEAK
        if is_weak and not (name in _WRITTEN and worth_reading(result)):
            return nothing, name, ()
        try:
            return (
                self._answerer(name, options.strict).answer(result.searched, found.evidence, on_text),
                name,
                (),
            )
        except ChatModelError as exc:
            if is_weak:
                # The model might have read more out of it than words tell; nothing else can.
                return nothing, name, ("note_model_unread", f"note_model_{exc.fault}")
            draft = self._answerer("extractive").answer(result.searched, found.evidence, lambda text: None)
            # A model was used, and that it failed is said.
            notes = tuple(note for note in draft.notes if note != "note_extractive")
            draft = replace(draft, notes=notes)
            return draft, "extractive", ("note_model_failed", f"note_model_{exc.fault}")

    def _answerer(self, name: str, strict: bool | None = None) -> Answerer:
        answerer_class = resolve("answerer", name)
        if name in _WRITTEN:
            if self.chat_model is None:
                raise ModelError(name="YOUJU_CHAT__MODEL", reason="no chat model is set")
            strict = self.settings.answer.strict if strict is None else strict
            made: Answerer = answerer_class(self.chat_model, self.verifier, strict=strict)
        else:
            made = answerer_class(self.workspace.embedder)
        return made


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
