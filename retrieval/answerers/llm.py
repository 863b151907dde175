"""A chat model writes; every sentence is then held against the passages it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answer import Citation, Passage
from core.chat.model import ChatModel
from core.chat.usage import tokens_at_most
from core.errors import ChatModelError
from ingest.sentences import sentences
from retrieval.answerers.markers import normalise
from retrieval.answerers.prompt import REFUSAL, answer_prompt
from retrieval.evidence import Draft, Evidence, OnText
from retrieval.support import support

_MARK = re.compile(r"\[(\d{1,3})\]")


class ChatModelAnswerer:
    """Any OpenAI-compatible chat model, through ``ChatModel``."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def answer(self, question: str, evidence: Evidence, on_text: OnText) -> Draft:
        """The verified draft; unanswered when the model says that the passages do not tell.

        Raises ``ChatModelError`` when the model gives no complete reply.
        """
        given = self._given(question, evidence.passages)
        left_out = len(evidence.passages) - len(given)
        notes = ["note_passages_left_out"] if left_out else []
        system, user = answer_prompt(question, given)
        reply = self._model.stream(system, user, on_text)
        if REFUSAL in reply and len(reply) < 3 * len(REFUSAL):
            return Draft(text="", citations=(), answered=False, notes=tuple(notes), left_out=left_out)
        marked = normalise(reply.replace(REFUSAL, "").strip(), len(given))
        if not marked.text.strip():
            raise ChatModelError(name=self._model.name, reason="the reply was empty")
        text, order = renumbered(marked.text)
        notes += ["note_unknown_citations"] if marked.unknown else []
        citations = citations_of(text, order, evidence)
        return Draft(text=text, citations=citations, answered=True, notes=tuple(notes), left_out=left_out)

    def _given(self, question: str, passages: Sequence[Passage]) -> Sequence[Passage]:
        """The passages that fit into the model's window beside the answer; the first one always stays."""
        room = self._model.room()
        given = passages
        while room is not None and len(given) > 1:
            if sum(tokens_at_most(part) for part in answer_prompt(question, given)) <= room:
                break
            given = given[:-1]
        return given


def renumbered(text: str) -> tuple[str, dict[int, int]]:
    """Numbers in the order of first use; returns the text and passage index (from 0) by number."""
    new: dict[int, int] = {}

    def replace(found: re.Match[str]) -> str:
        return f"[{new.setdefault(int(found.group(1)), len(new) + 1)}]"

    return _MARK.sub(replace, text), {n: old - 1 for old, n in new.items()}


def citations_of(text: str, order: dict[int, int], evidence: Evidence) -> tuple[Citation, ...]:
    """Each sentence of ``text`` held against the passages whose numbers stand at it (``order``: index by number)."""
    citations: list[Citation] = []
    for sentence, numbers in _cited_sentences(text):
        for n in numbers:
            passage = evidence.passages[order[n]]
            found = support(sentence, evidence.texts[passage.version_id], passage.span)
            citations.append(evidence.cite(n, order[n], found.span, sentence, found.verdict))
    return tuple(citations)


def _cited_sentences(text: str) -> list[tuple[str, list[int]]]:
    """Each sentence without markers, and the numbers that stand in it or right behind its end."""
    result: list[tuple[str, list[int]]] = []
    for span in sentences(text):
        source = span.of(text)
        numbers = list(dict.fromkeys(int(n) for n in _MARK.findall(source)))
        words = _MARK.sub("", source).strip(" .。")
        if not words and result:
            # "...sentence. [1]": the marker belongs to the sentence before it.
            before, already = result[-1]
            result[-1] = (before, list(dict.fromkeys([*already, *numbers])))
            continue
        leading = re.match(r"(?:\s*\[\d{1,3}\])+", source)
        if leading and result:
            moved = [int(n) for n in _MARK.findall(leading.group())]
            before, already = result[-1]
            result[-1] = (before, list(dict.fromkeys([*already, *moved])))
            rest = source[leading.end() :]
            numbers = list(dict.fromkeys(int(n) for n in _MARK.findall(rest)))
        if words:
            result.append((words, numbers))
    return result
