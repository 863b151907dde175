"""An answer as JSON without the words of documents, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from core.answer import Answer, Citation, Passage, SearchResult
from core.errors import StoreDamagedError
from core.read_share import ReadShare
from core.span import Span
from core.store.records import text_hash_of
from core.verdict import CounterEvidence, Reason, SentenceCheck
from retrieval.records.words import Piece, Quoted, Quotes, shown

SCHEMA: Final = 1
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

# What becomes of one text of an answer; the second is where all of it stands in a source, where that is known.
_Each = Callable[[str, tuple[str, Span] | None], str]


class CitedVersion(BaseModel):
    """A version that the answer was given words of; ``text_sha256`` proves that it is still the same text."""

    model_config = ConfigDict(strict=True, frozen=True)

    id: str
    document_id: str
    text_sha256: str


class Body(BaseModel):
    """``answer`` has its texts taken out; ``words`` are these, in the order in which ``_mapped`` meets them.

    ``chat`` is the collection of the chat's own files, when it had one.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    body: int = SCHEMA
    answer: Answer
    versions: tuple[CitedVersion, ...]
    words: tuple[tuple[Piece, ...], ...]
    chat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceVersion:
    """What is read again of a version; ``path_at`` gives the headings above a span."""

    name: str
    title: str
    text: str
    path_at: Callable[[Span], tuple[str, ...]]


def versions_of(answer: Answer) -> dict[str, str]:
    """Ids of the versions whose words the answer was given, in order, with those of their documents."""
    found = {passage.version_id: passage.document_id for passage in answer.search.passages}
    for counter in answer.counter:
        found.setdefault(counter.version_id, "")
    return found


def encoded(answer: Answer, texts: Mapping[str, str], chat: str | None = None) -> str:
    """The JSON of a record. ``texts`` are those of ``versions_of``, as far as they are still stored.

    What each stage of the search passed on is left out: chunks are gone with the next version.
    """
    versions = versions_of(answer)
    numbers = {version_id: number for number, version_id in enumerate(versions)}
    quotes = Quotes(
        list(_quoted(answer, numbers)),
        {number: texts[key] for key, number in numbers.items() if key in texts},
        # A refusal is ours, and what a model wrote its own, but for longer stretches.
        is_written=answer.method != "extractive" or not answer.answered,
    )
    words: list[tuple[Piece, ...]] = []

    def take(text: str, place: tuple[str, Span] | None) -> str:
        words.append(tuple(quotes.hidden(text, place and (numbers[place[0]], place[1]))))
        return ""

    body = Body(
        answer=_without_names(_mapped(replace(answer, search=_without_hits(answer.search)), take)),
        versions=tuple(
            CitedVersion(
                id=key,
                document_id=document_id,
                text_sha256=text_hash_of(texts[key]) if key in texts else "",
            )
            for key, document_id in versions.items()
        ),
        words=tuple(words),
        chat=chat,
    )
    # No database stores halves of surrogate pairs, which a browser may send.
    return _SURROGATE.sub("\ufffd", json.dumps(body.model_dump(), ensure_ascii=False))


def parsed(body: str) -> Body:
    """The record as it is stored. Raises ``StoreDamagedError`` for what is none, or of a later program."""
    try:
        found = Body.model_validate_json(body)
    except (ValidationError, ValueError) as exc:
        raise StoreDamagedError(reason="the record of an answer cannot be read") from exc
    if found.body != SCHEMA:
        raise StoreDamagedError(reason=f"the record of an answer is of form {found.body}, expected {SCHEMA}")
    return found


def decoded(body: Body, sources: Mapping[str, SourceVersion]) -> Answer:
    """The answer with the words of ``sources`` (by version id) put in again.

    Words of other versions become bars; their passages have no text and no names. Raises ``StoreDamagedError``.
    """
    texts = {
        number: sources[version.id].text if version.id in sources else None
        for number, version in enumerate(body.versions)
    }
    words = iter(body.words)

    def put(text: str, place: tuple[str, Span] | None) -> str:
        pieces = next(words, None)
        if pieces is None:
            raise StoreDamagedError(reason="the record of an answer lacks words")
        return shown(pieces, texts)

    return _with_names(_mapped(body.answer, put), sources)


def _mapped(answer: Answer, each: _Each) -> Answer:
    """The answer with every text that may repeat a source's words replaced, always in the same order."""
    passages = answer.search.passages
    return replace(
        answer,
        text=each(answer.text, None),
        citations=tuple(_citation(c, passages[c.passage], each) for c in answer.citations),
        checks=tuple(_check(check, each) for check in answer.checks),
        counter=tuple(_counter(counter, each) for counter in answer.counter),
        read=answer.read and _read(answer.read, each),
        search=replace(answer.search, passages=tuple(_passage(passage, each) for passage in passages)),
    )


def _citation(citation: Citation, passage: Passage, each: _Each) -> Citation:
    return replace(
        citation,
        text=each(citation.text, (passage.version_id, citation.span)),
        sentence=each(citation.sentence, None),
        reasons=tuple(_reason(reason, each) for reason in citation.reasons),
    )


def _check(check: SentenceCheck, each: _Each) -> SentenceCheck:
    reasons = tuple(_reason(reason, each) for reason in check.reasons)
    return replace(check, sentence=each(check.sentence, None), reasons=reasons)


def _counter(counter: CounterEvidence, each: _Each) -> CounterEvidence:
    text = each(counter.text, (counter.version_id, counter.span))
    return replace(counter, text=text, reason=_reason(counter.reason, each))


def _reason(reason: Reason, each: _Each) -> Reason:
    return replace(reason, said=each(reason.said, None), found=each(reason.found, None))


def _read(read: ReadShare, each: _Each) -> ReadShare:
    return replace(
        read, section=each(read.section, None), unread=tuple(each(name, None) for name in read.unread)
    )


def _passage(passage: Passage, each: _Each) -> Passage:
    return replace(passage, text=each(passage.text, (passage.version_id, passage.span)))


def _without_hits(search: SearchResult) -> SearchResult:
    return replace(search, trace=tuple(replace(step, hits=(), dropped=()) for step in search.trace))


def _without_names(answer: Answer) -> Answer:
    """Names, titles and headings are words of documents as well; they are read again by version."""
    passages = tuple(replace(p, doc="", title="", section_path=()) for p in answer.search.passages)
    counter = tuple(replace(one, doc="") for one in answer.counter)
    return replace(answer, search=replace(answer.search, passages=passages), counter=counter)


def _with_names(answer: Answer, sources: Mapping[str, SourceVersion]) -> Answer:
    def named(passage: Passage) -> Passage:
        source = sources.get(passage.version_id)
        if source is None:
            return replace(passage, text="")
        path = source.path_at(passage.span)
        return replace(passage, doc=source.name, title=source.title, section_path=path)

    passages = tuple(named(passage) for passage in answer.search.passages)
    counter = tuple(
        replace(one, doc=sources[one.version_id].name if one.version_id in sources else "")
        for one in answer.counter
    )
    return replace(answer, search=replace(answer.search, passages=passages), counter=counter)


def _quoted(answer: Answer, numbers: Mapping[str, int]) -> Iterator[Quoted]:
    for passage in answer.search.passages:
        yield Quoted(version=numbers[passage.version_id], start=passage.span.start, text=passage.text)
    for counter in answer.counter:
        yield Quoted(version=numbers[counter.version_id], start=counter.span.start, text=counter.text)
