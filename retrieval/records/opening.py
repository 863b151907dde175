"""A stored answer opened again: its words as far as this viewer may see them now, and what became of each source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.answer import Answer, Citation
from core.errors import UnknownAnswerError
from core.scope import Scope
from core.store import AnswerRow, Store
from core.store.records import text_hash_of
from core.verdict import SentenceCheck
from retrieval.records.codec import Body, SourceVersion, decoded, parsed
from retrieval.records.keep import row_of
from retrieval.records.today import CitationState, Seen, State, Today
from retrieval.records.words import BAR

# What says nothing by itself, and holds together lists and tables.
_KEPT: Final = re.compile(r"(\[\d{1,4}\]|[\s|。，、；：！？.,;:!?]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecord:
    """``states`` has one entry for each citation; ``versions`` are those that may be seen, by id.

    Of other versions there are no words in ``answer``: bars stand for them, in whole sentences.
    """

    id: str
    created_at: str
    owner: str
    language: str
    answer: Answer
    states: tuple[CitationState, ...]
    versions: Mapping[str, Seen]

    def is_gone(self, passage: int) -> bool:
        """Whether the words of this passage are not to be seen any more."""
        return self.answer.search.passages[passage].version_id not in self.versions

    def state_of_source(self, n: int) -> State:
        """The worst of what became of the citations with number ``n``."""
        found = {s.state for c, s in zip(self.answer.citations, self.states, strict=True) if c.n == n}
        return next(state for state in _WORST_FIRST if state in found)


_WORST_FIRST: Final = (State.UNAVAILABLE, State.CHANGED, State.MOVED, State.UNCHANGED)


def may_open(owner: str, viewer: str | None) -> bool:
    """Whose answer it is, he may; where nobody logs in, the one user there is."""
    return viewer is None or (bool(owner) and owner == viewer)


def load(store: Store, answer_id: str, scope: Scope) -> AnswerRecord:
    """The record, for the viewer of ``scope``. Raises ``UnknownAnswerError`` when there is none for him."""
    with store.read() as reader:
        row = reader.answer(answer_id)
        if not may_open(row.owner, scope.viewer):
            raise UnknownAnswerError(name=answer_id)
        body = parsed(row.body)
        # What was searched restricts no right: what was cited is shown to whoever may see it.
        today = Today(reader, Scope(viewer=scope.viewer, chat=body.chat))
        return _opened(row, body, today)


def opened(store: Store, answer: Answer, scope: Scope) -> AnswerRecord:
    """An answer just given as its record would be opened now, without storing it. Raises ``StoreError``."""
    row = row_of(store, answer, scope)
    with store.read() as reader:
        return _opened(row, parsed(row.body), Today(reader, Scope(viewer=scope.viewer, chat=scope.chat)))


def _opened(row: AnswerRow, body: Body, today: Today) -> AnswerRecord:
    versions = _same_texts(body, today)
    sources = {
        key: SourceVersion(
            name=seen.version.name, title=seen.version.title, text=seen.version.text, path_at=seen.path_at
        )
        for key, seen in versions.items()
    }
    answer = decoded(body, sources)
    return AnswerRecord(
        id=row.id,
        created_at=row.created_at,
        owner=row.owner,
        language=row.language,
        answer=answer if len(versions) == len(body.versions) else _in_whole_sentences(answer),
        states=tuple(_state(citation, answer, versions, today) for citation in answer.citations),
        versions=versions,
    )


def _same_texts(body: Body, today: Today) -> dict[str, Seen]:
    """Of the versions those that may be seen. A file that was removed and added again may read otherwise now."""
    found = ((version, today.version(version.id)) for version in body.versions)
    return {
        version.id: seen
        for version, seen in found
        if seen is not None and text_hash_of(seen.version.text) == version.text_sha256
    }


def _state(citation: Citation, answer: Answer, versions: Mapping[str, Seen], today: Today) -> CitationState:
    version_id = answer.search.passages[citation.passage].version_id
    if version_id not in versions:
        return CitationState(state=State.UNAVAILABLE)
    return today.state_of(version_id, citation.span)


def _in_whole_sentences(answer: Answer) -> Answer:
    """The few own words around those that are gone say too much, or nothing: they go as well."""
    text = answer.text
    for check in answer.checks:
        sentence = check.span.of(text)
        if BAR in sentence:
            text = text[: check.span.start] + _bars(sentence) + text[check.span.end :]
    return replace(
        answer,
        text=text,
        checks=tuple(_check(check) for check in answer.checks),
        citations=tuple(replace(c, sentence=_whole(c.sentence)) for c in answer.citations),
    )


def _check(check: SentenceCheck) -> SentenceCheck:
    return replace(check, sentence=_whole(check.sentence))


def _whole(sentence: str) -> str:
    return _bars(sentence) if BAR in sentence else sentence


def _bars(sentence: str) -> str:
    """Bars for all but blanks, marks and markers, character by character."""
    parts = _KEPT.split(sentence)
    return "".join(part if number % 2 else BAR * len(part) for number, part in enumerate(parts))
