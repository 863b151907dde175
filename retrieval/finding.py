"""From a question in a conversation to its evidence: standalone, searched, and once more where that is doubtful."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.answer import Route
from core.errors import EmptyQuestionError, QuestionTooLongError
from core.protocols import Reranker
from core.retrieval_settings import RetrievalSettings
from core.scope import Scope
from core.span import is_blank
from ingest.workspace import Workspace
from retrieval.condense import condense
from retrieval.history import Turn
from retrieval.names_held import NamesHeld
from retrieval.query.rewrite import Rewritten, hypothesis, rewrite_once, variants
from retrieval.rank import Wording
from retrieval.search import Bounds, Found, Search
from retrieval.trace import Trace

if TYPE_CHECKING:
    from core.chat.model import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """What every search of a knowledge base shares; ``model`` is ``None`` when no chat model is set.

    ``seats`` are for searching itself, which keeps a core busy; who waits for the chat model holds none.
    """

    workspace: Workspace
    reranker: Reranker
    names: NamesHeld
    options: RetrievalSettings
    model: ChatModel | None
    seats: threading.Semaphore

    def run(
        self,
        question: str,
        history: Sequence[Turn],
        scope: Scope,
        bounds: Bounds,
        *,
        as_typed: bool = False,
    ) -> Found:
        """The evidence, with notes on what fell back. ``as_typed``: searched in the question's own words alone.

        Raises ``QuestionError``, ``StoreError``, ``ModelError``.
        """
        question = self._checked(question)
        trace = Trace()
        notes: list[str] = []
        with trace.step("condense") as step:
            searched, failed = condense(question, history, self.model if history else None)
            step.note = searched
            notes += ["note_condense_failed"] if failed else []
        search = Search(
            workspace=self.workspace,
            reranker=self.reranker,
            names=self.names,
            options=self.options,
            trace=trace,
        )
        wording = Wording() if as_typed else self._wording(searched, trace, notes)
        with self.seats:
            found = search.run(question, searched, scope, bounds, wording)
        if found.result.route is Route.DOUBTFUL and self.options.rewrite and self.model and not as_typed:
            found = self._again(search, question, found, scope, bounds, notes)
        return replace(found, notes=(*notes, *found.notes))

    def _checked(self, question: str) -> str:
        limit = self.options.max_question_chars
        if all(is_blank(char) for char in question):
            raise EmptyQuestionError
        if len(question) > limit:
            raise QuestionTooLongError(length=len(question), limit=limit)
        return question.strip()

    def _wording(self, searched: str, trace: Trace, notes: list[str]) -> Wording:
        """What the settings want searched beside the question; needs a chat model."""
        if self.model is None or not (self.options.multi_query or self.options.hyde):
            return Wording()
        with trace.step("other wordings") as step:
            others = variants(searched, self.model, self.options.multi_query)
            thought = hypothesis(searched, self.model) if self.options.hyde else Rewritten()
            notes += [made.note for made in (others, thought) if made.note]
            step.note = " | ".join((*others.texts, *thought.texts))
        return Wording(others=others.texts, passages=thought.texts)

    def _again(
        self, search: Search, question: str, first: Found, scope: Scope, bounds: Bounds, notes: list[str]
    ) -> Found:
        """A doubtful search once more in other words; the first one stays when that is no surer."""
        with search.trace.step("rewrite") as step:
            made = rewrite_once(first.result.searched, self.model)
            step.note = made.note or " | ".join(made.texts)
        if made.note:
            notes.append(made.note)
        if not made.texts:
            return first
        with self.seats:
            second = search.run(question, made.texts[0], scope, bounds)
        if (second.result.probability or 0.0) <= (first.result.probability or 0.0):
            return first
        notes.append("note_rewritten")
        return second
