"""A chat model writes; every sentence is then held against the passages it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.answer import Passage
from core.chat.faults import REASONS, Fault
from core.chat.model import ChatModel
from core.chat.usage import tokens_at_most
from core.errors import ChatModelError
from core.language import language_of
from retrieval.answerers.checking import checked
from retrieval.answerers.cited_ids import CitedIds
from retrieval.answerers.prompt import PROMPT_VERSION, answer_prompt
from retrieval.evidence import Draft, Evidence, OnText
from retrieval.verify.verifier import Verifier

# Half a number is another number.
_CUT_NUMBER: Final = re.compile(r"\s*\d[\d.,]*\Z")
# What a text must hold to be worth keeping when the model failed: a whole sentence, or one that cites.
_SENTENCE: Final = re.compile(r"[。！？!?]|\.(?=\s|\Z)|\[\d{1,3}\]")
_MARK: Final = re.compile(r"\[\d{1,3}\]")


class ChatModelAnswerer:
    """Any OpenAI-compatible chat model, through ``ChatModel``; ``strict`` leaves out what nothing carries."""

    def __init__(self, model: ChatModel, verifier: Verifier | None = None, *, strict: bool = False) -> None:
        self._model = model
        self._verifier = verifier or Verifier()
        self._strict = strict

    def answer(self, question: str, evidence: Evidence, on_text: OnText) -> Draft:
        """The verified draft; unanswered when the model says that the passages do not tell.

        What a model had written when it failed is kept, and the draft not ``complete``. Raises
        ``ChatModelError`` when it had written not even a sentence.
        """
        given = self._given(question, evidence.passages)
        try:
            return self._written(question, given, evidence, on_text)
        except ChatModelError as exc:
            if exc.fault != Fault.CONTEXT or len(given) == 1:
                raise
            # The window is smaller than it was thought to be.
            return self._written(question, given[: len(given) // 2], evidence, on_text)

    def _written(self, question: str, given: Sequence[Passage], evidence: Evidence, on_text: OnText) -> Draft:
        prompt = answer_prompt(question, given)
        reader = CitedIds(prompt.ids, prompt.mark)
        failed: ChatModelError | None = None

        def pass_on(part: str) -> None:
            if shown := reader.feed(part):
                on_text(shown)

        try:
            # An empty part is a question whether anybody still wants to hear.
            self._model.stream(prompt.system, prompt.user, pass_on, lambda: on_text(""))
            if rest := reader.finish():
                on_text(rest)
        except ChatModelError as exc:
            failed = exc
            reader.finish(cut=True)
        text = _CUT_NUMBER.sub("", reader.text) if failed else reader.text.strip()
        if reader.refused and not reader.order:
            text = ""
        elif not _has_words(text) or (failed and not _SENTENCE.search(text)):
            empty = {"reason": REASONS[Fault.EMPTY], "fault": Fault.EMPTY}
            raise failed or ChatModelError(name=self._model.name, **empty)
        return self._draft(text, evidence, given, reader, question, failed)

    def _draft(
        self,
        text: str,
        evidence: Evidence,
        given: Sequence[Passage],
        reader: CitedIds,
        question: str,
        failed: ChatModelError | None,
    ) -> Draft:
        found = checked(text, reader.order, evidence, self._verifier, strict=self._strict)
        left_out = len(evidence.passages) - len(given)
        said = {
            "note_model_broke_off": failed,
            f"note_model_{failed.fault if failed else ''}": failed,
            "note_passages_left_out": left_out,
            "note_unknown_citations": reader.unknown,
            "note_other_language": _is_foreign(text, question),
        }
        return Draft(
            text=found.text,
            citations=found.citations,
            # Nothing is left of a refusal, and when strict checking removed every sentence.
            answered=bool(found.text.strip()),
            notes=(*(note for note, is_so in said.items() if is_so), *found.notes),
            left_out=left_out,
            checks=found.checks,
            removed=found.removed,
            complete=failed is None,
            model=self._model.name,
            prompt_version=PROMPT_VERSION,
        )

    def _given(self, question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
        """The passages that fit into the model's window beside the answer; the first one always stays."""
        room = self._model.room()
        given = passages
        while room is not None and len(given) > 1:
            prompt = answer_prompt(question, given)
            if tokens_at_most(prompt.system) + tokens_at_most(prompt.user) <= room:
                break
            given = given[:-1]
        return given


def _has_words(text: str) -> bool:
    return bool(re.search(r"\w", _MARK.sub("", text)))


def _is_foreign(text: str, question: str) -> bool:
    """Whether the text is in another language than the question, as far as scripts tell."""
    return bool(text) and language_of(_MARK.sub("", text)) not in (language_of(question), "other")
