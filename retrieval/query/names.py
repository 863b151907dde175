"""Which stored documents a question names: whole names, titles, and the short forms people use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.span import Span
from retrieval.query.name_forms import Form, Unit, forms_of, units_of
from retrieval.query.understood import Mention, Quote

# A form that more documents share tells nothing about which is meant.
_MAX_SHARED: Final = 20
_MAX_SHARED_UNSURE: Final = 5
_TELLING: Final = re.compile(r"(?:19|20)\d\d|q[1-4]|v\d+")
# A name that is nearly the whole question is its subject: what else is stored about it may answer as well.
_MOST_OF_QUESTION: Final = 0.75
_LONG_NAME: Final = 10
# Behind a law's name these make another word of it or another law: 公司法务, 劳动合同法实施条例.
_OTHER_WORD: Final = re.compile(
    r"[人务務律院规規官庭定治医醫学學制师師]|实施|實施|施行|司法解释|的?解释|若干"
)
_LAW: Final = re.compile(r"(?:法|典|条例|條例)$")
# What may stand before the short name of a law: else 义务教育法 would name 教育法.
_BEFORE_LAW: Final = re.compile(
    r"(?:^|[^\u3400-\u9fff]|[据據按照依由从從在和与與及或对對于於比较較反违違看查述问問是结結括出把将將就以守用懂解释釋道国國行新旧跟同如这這该該本部读讀答的])$"
)
_EXTENSION: Final = re.compile(r"\s?\.[A-Za-z]{2,5}(?![A-Za-z0-9])")
_CALLED: Final = re.compile(
    r"[”」』\s]*(?:一文|一书|[这该那][份个篇本部](?:文档|文件|手册|报告|合同|制度|文章|论文|书))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentName:
    """A stored document: its file name (with folders and extension) and its title."""

    document_id: str
    name: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """``form`` stands at ``units[start:end]`` of the question; ``marked``: in 《》, or said to be a document."""

    form: Form
    documents: tuple[str, ...]
    start: int
    end: int
    marked: bool


class NameBook:
    """All names, prepared once for a generation of the store: some 50 microseconds a document."""

    def __init__(self, names: Iterable[DocumentName] = ()) -> None:
        self._documents: dict[tuple[str, ...], tuple[list[str], Form]] = {}
        self._lengths: dict[tuple[str, ...], set[int]] = {}
        self._wholes: dict[str, list[frozenset[str]]] = {}
        for name in names:
            forms = forms_of(name.name, name.title)
            self._wholes[name.document_id] = [frozenset(form.units) for form in forms if form.is_whole]
            for form in forms:
                self._add(form, name.document_id)

    def _add(self, form: Form, document: str) -> None:
        documents, known = self._documents.setdefault(form.units, ([], form))
        documents.append(document)
        if form.is_whole and not known.is_whole:
            self._documents[form.units] = (documents, form)
        self._lengths.setdefault(form.units[:2], set()).add(len(form.units))

    def mentions(
        self, question: str, quotes: Sequence[Quote] = (), visible: Collection[str] | None = None
    ) -> tuple[Mention, ...]:
        """The documents that ``question`` names, in its order; of overlapping names the longest.

        Documents that are not ``visible`` (ids; ``None``: all are) are not there at all.
        """
        units = units_of(question)
        taken: list[_Found] = []
        for found in sorted(
            self._candidates(question, units, quotes, visible), key=lambda f: f.start - f.end
        ):
            if all(found.end <= other.start or found.start >= other.end for other in taken):
                taken.append(found)
        asked = {unit.text for unit in units}
        mentions = [self._mention(found, units, asked) for found in sorted(taken, key=lambda f: f.start)]
        return _narrowed(mentions)

    def _candidates(
        self, question: str, units: Sequence[Unit], quotes: Sequence[Quote], visible: Collection[str] | None
    ) -> Iterator[_Found]:
        texts = tuple(unit.text for unit in units)
        for start in range(len(texts)):
            for length in self._lengths_at(texts, start):
                documents, form = self._documents.get(texts[start : start + length], ([], None))
                named = tuple(d for d in dict.fromkeys(documents) if visible is None or d in visible)
                if form is None or not named or len(named) > _most_shared(form):
                    continue
                span = Span(units[start].start, units[start + length - 1].end)
                marked = _is_marked(question, span, form, quotes)
                if marked or _stands_alone(question, span, form, units[start : start + length]):
                    yield _Found(form=form, documents=named, start=start, end=start + length, marked=marked)

    def _lengths_at(self, texts: tuple[str, ...], start: int) -> Iterator[int]:
        """Lengths of the forms that begin with the first two units here, and fit."""
        pair = texts[start : start + 2]
        lengths = set(self._lengths.get(pair, ())) | set(self._lengths.get(pair[:1], ()))
        return (length for length in lengths if start + length <= len(texts))

    def _mention(self, found: _Found, units: Sequence[Unit], asked: set[str]) -> Mention:
        documents = found.documents
        span = Span(units[found.start].start, units[found.end - 1].end)
        size = found.end - found.start
        is_subject = found.form.is_topic and _LONG_NAME > size > _MOST_OF_QUESTION * len(units)
        certain = found.marked or (found.form.is_sure and not is_subject)
        if len(documents) > 1:
            documents = self._told_apart(documents, frozenset(found.form.units), asked)
        return Mention(documents=documents, span=span, is_certain=certain)

    def _told_apart(
        self, documents: tuple[str, ...], said: frozenset[str], asked: set[str]
    ) -> tuple[str, ...]:
        """Those of several documents whose names go on with what the question has as well: a person, a year."""
        rests = {
            document: [whole - said for whole in self._wholes[document] if said < whole]
            for document in documents
        }
        named = tuple(d for d in documents if any(rest <= asked for rest in rests[d]))
        if named:
            return named
        years = {
            document: max(
                (sum(1 for unit in rest & asked if _TELLING.fullmatch(unit)) for rest in found), default=0
            )
            for document, found in rests.items()
        }
        return tuple(document for document in documents if years[document] == max(years.values()))


def _stands_alone(question: str, span: Span, form: Form, units: Sequence[Unit]) -> bool:
    """Whether unmarked words may be the name: not part of another word, and not a common word."""
    if form.is_weak:
        return False
    name = question[span.start : span.end]
    if _LAW.search(name):
        is_other = _OTHER_WORD.match(question, span.end) is not None
        return not is_other and (
            len(units) >= _LONG_NAME or _BEFORE_LAW.search(question[: span.start]) is not None
        )
    if units[0].is_han:
        return True
    # Latin names are written with capitals, apart from long ones.
    return len(units) > 3 or all(
        question[unit.start].isupper() or not unit.text[0].isalpha() for unit in units
    )


def _most_shared(form: Form) -> int:
    return _MAX_SHARED if form.is_sure else _MAX_SHARED_UNSURE


def _is_marked(question: str, span: Span, form: Form, quotes: Sequence[Quote]) -> bool:
    """Whether the words are the whole of a title in 《》, have an extension, or are said to be a document.

    Other quotation marks mark what is no common word: “安全” is no name of 安全.md.
    """
    length = span.end - span.start
    for quote in quotes:
        is_whole = (
            quote.span.start <= span.start and span.end <= quote.span.end and len(quote.text) - length < 3
        )
        if is_whole and (quote.is_title or not form.is_weak):
            return True
    return bool(_EXTENSION.match(question, span.end) or _CALLED.match(question, span.end))


def _narrowed(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Two names of one document, such as its firm and its kind, leave the documents that have both."""
    for place, mention in enumerate(mentions):
        for other in mentions:
            shared = tuple(document for document in mention.documents if document in other.documents)
            if shared and len(shared) < len(mention.documents):
                mention = Mention(documents=shared, span=mention.span, is_certain=mention.is_certain)
        mentions[place] = mention
    return tuple(mentions)
