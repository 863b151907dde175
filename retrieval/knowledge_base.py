"""The line from a question to a cited answer, over one opened knowledge base."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from core.answer import Answer, Route, SearchResult
from core.chat.usage import counted, together
from core.errors import ChatModelError, EmptyQuestionError, ModelError, QuestionTooLongError
from core.language import language_of
from core.messages import render
from core.protocols import Reranker
from core.registry import resolve
from core.scope import Scope
from core.settings import Settings
from core.span import is_blank
from ingest.workspace import Workspace
from retrieval.condense import condense
from retrieval.evidence import Answerer, Draft, OnFound, OnText
from retrieval.explain import WhyNot, why_not
from retrieval.history import Turn
from retrieval.names_held import NamesHeld
from retrieval.query.rewrite import Rewritten, hypothesis, rewrite_once, variants
from retrieval.rank import Wording
from retrieval.records.keep import kept
from retrieval.records.opening import AnswerRecord, load
from retrieval.route import worth_reading
from retrieval.search import Bounds, Found, Search
from retrieval.speaking_against import weighed
from retrieval.trace import Trace
from retrieval.verify.making import make_verifier
from retrieval.verify.verifier import Verifier
from retrieval.whole.read import Cancelled, OnProgress, WholeAnswer, read_whole
from retrieval.whole.stretch import gather, versions_to_read

if TYPE_CHECKING:
    from core.chat.model import ChatModel

# Answerers that need the chat model.
_WRITTEN: Final = ("llm", "step-by-step")


class KnowledgeBase:
    """Search and ask. Safe to share between threads; models are loaded when first needed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.workspace = Workspace(settings)
        self._loading = threading.Lock()
        self._names = NamesHeld()

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
        return self._find(question, history, scope or Scope(), passages, max_tokens)[0].result

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
        method: str | None = None,
        as_typed: bool = False,
    ) -> Answer:
        """A cited answer or a refusal. ``method`` names an answerer; by default the best one there is.

        ``on_found`` is told the evidence before the answer is written, ``on_text`` the answer as it
        grows. When the chat model fails the answer is extracted instead, and says so. A list, count or
        summary over a document that is named (or the only one) is read part by part: ``on_read`` is told
        how far, ``cancelled`` asked. ``as_typed``: the question is searched in its own words alone.
        """
        started = time.perf_counter()
        scope = scope or Scope()
        with counted() as calls:
            found, notes = self._find(question, history, scope, None, None, as_typed=as_typed)
            whole = self._read(found, scope, method, on_read, cancelled)
            if whole is not None:
                result = replace(found.result, passages=whole.passages, route=Route.CONFIDENT)
                more_notes: tuple[str, ...] = ()
                draft, used = whole.draft, whole.method
                on_found(result)
                on_text(draft.text)
            else:
                result = found.result
                on_found(result)
                draft, used, more_notes = self._draft(found, method, on_text)
                draft = weighed(draft, found.evidence, self.workspace.store, scope)
        return Answer(
            text=draft.text if draft.answered else render("refusal", language_of(question)),
            answered=draft.answered,
            citations=draft.citations,
            search=result,
            method=used,
            notes=(*notes, *found.notes, *more_notes, *draft.notes),
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
        passages: int | None,
        max_tokens: int | None,
        *,
        as_typed: bool = False,
    ) -> tuple[Found, tuple[str, ...]]:
        question = self._checked(question)
        with self._loading:
            # Made once, however many first questions come together.
            reranker, _ = self.reranker, self.workspace.indexes
        trace = Trace()
        notes: list[str] = []
        with trace.step("condense") as step:
            model = self.chat_model if history else None
            searched, failed = condense(question, history, model)
            step.note = searched
            if failed:
                notes.append("note_condense_failed")
        options = self.settings.retrieval
        search = Search(
            workspace=self.workspace, reranker=reranker, names=self._names, options=options, trace=trace
        )
        bounds = Bounds(passages=passages or options.passages, max_tokens=max_tokens or options.max_tokens)
        wording = Wording() if as_typed else self._wording(searched, trace, notes)
        found = search.run(question, searched, scope, bounds, wording)
        may_rewrite = options.rewrite and self.chat_model is not None and not as_typed
        if found.result.route is Route.DOUBTFUL and may_rewrite:
            found = self._again(search, question, found, scope, bounds, notes)
        return found, tuple(notes)

    def _wording(self, searched: str, trace: Trace, notes: list[str]) -> Wording:
        """What the settings want searched beside the question; needs a chat model."""
        options, model = self.settings.retrieval, self.chat_model
        if model is None or not (options.multi_query or options.hyde):
            return Wording()
        with trace.step("other wordings") as step:
            others = variants(searched, model, options.multi_query)
            thought = hypothesis(searched, model) if options.hyde else Rewritten()
            notes += [made.note for made in (others, thought) if made.note]
            step.note = " | ".join((*others.texts, *thought.texts))
        return Wording(others=others.texts, passages=thought.texts)

    def _again(
        self,
        search: Search,
        question: str,
        first: Found,
        scope: Scope,
        bounds: Bounds,
        notes: list[str],
    ) -> Found:
        """A doubtful search once more in other words; the first one stays when that is no surer."""
        with search.trace.step("rewrite") as step:
            made = rewrite_once(first.result.searched, self.chat_model)
            step.note = made.note or " | ".join(made.texts)
        if made.note:
            notes.append(made.note)
        if not made.texts:
            return first
        second = search.run(question, made.texts[0], scope, bounds)
        if (second.result.probability or 0.0) <= (first.result.probability or 0.0):
            return first
        notes.append("note_rewritten")
        return second

    def _draft(self, found: Found, method: str | None, on_text: OnText) -> tuple[Draft, str, tuple[str, ...]]:
        result = found.result
        name = method or self.settings.answer.method or ("llm" if self.chat_model else "extractive")
        nothing = Draft(text="", citations=(), answered=False)
        if not result.passages:
            return nothing, name, ("note_nothing_stored",) if found.empty_store else ()
        is_weak = result.route is Route.WEAK
        if is_weak and not (name in _WRITTEN and worth_reading(result)):
            return nothing, name, ()
        try:
            return self._answerer(name).answer(result.searched, found.evidence, on_text), name, ()
        except ChatModelError as exc:
            if is_weak:
                # The model might have read more out of it than words tell; nothing else can.
                return nothing, name, (f"note_model_{exc.fault}",)
            draft = self._answerer("extractive").answer(result.searched, found.evidence, lambda text: None)
            return draft, "extractive", ("note_model_failed", f"note_model_{exc.fault}")

    def _answerer(self, name: str) -> Answerer:
        answerer_class = resolve("answerer", name)
        if name in _WRITTEN:
            if self.chat_model is None:
                raise ModelError(name="YOUJU_CHAT__MODEL", reason="no chat model is set")
            strict = self.settings.answer.strict
            made: Answerer = answerer_class(self.chat_model, self.verifier, strict=strict)
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
