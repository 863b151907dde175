"""What is understood of a question, as frozen values. Every span is over the question as typed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.span import Span


class Shape(StrEnum):
    """What kind of answer is asked for."""

    FACT = "fact"
    LIST = "list"
    COUNT = "count"
    SUMMARY = "summary"
    COMPARE = "compare"


class Part(StrEnum):
    """A numbered part of a document."""

    BOOK = "book"
    CHAPTER = "chapter"
    SECTION = "section"
    ARTICLE = "article"
    CLAUSE = "clause"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    ANNEX = "annex"
    TABLE = "table"
    FIGURE = "figure"
    PAGE = "page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A numbered part that is named: ``number`` in Arabic digits (32, 4.2, 120-1) or a capital letter.

    ``inner`` are the parts named within it, outermost first: 第三条第二款 is article 3 with paragraph 2,
    Clause 7(b) is clause 7 with item b. ``outer`` are those it is said to be in: 第二章第三节.
    """

    part: Part
    number: str
    span: Span
    inner: tuple[tuple[Part, str], ...] = ()
    outer: tuple[tuple[Part, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words between quotation marks; ``is_title`` between 《》."""

    text: str
    span: Span
    is_title: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Identifier:
    """A standard, version, model or file number, as typed: GB/T 7714-2015, v2.13.0, T-200."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with its unit: ``number`` in plain digits without separators, ``unit`` folded."""

    number: str
    unit: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Words that name stored documents; several ids when they do not tell which.

    ``is_certain``: the words can hardly mean anything else, so that a search may be held to these documents.
    """

    documents: tuple[str, ...]
    span: Span
    is_certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """Everything found in one question. ``dates`` are ISO 8601, as exact as the question."""

    question: str
    shape: Shape
    quotes: tuple[Quote, ...] = ()
    references: tuple[Reference, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    dates: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    means_whole: bool = False

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of the documents that a search may be held to, in the order of their mention; mostly none.

        One certain mention carries the less certain beside it. A comparison with one name known alone is
        not held to it: the other may be called otherwise.
        """
        if not any(mention.is_certain for mention in self.mentions):
            return ()
        if self.shape is Shape.COMPARE and len(self.mentions) == 1:
            return ()
        return tuple(dict.fromkeys(document for mention in self.mentions for document in mention.documents))

    @property
    def reads_whole(self) -> bool:
        """Whether a whole document or section is to be read: a list, count or summary over one that is named."""
        over_one = bool(self.documents or self.references or self.means_whole)
        return over_one and self.shape in (Shape.LIST, Shape.COUNT, Shape.SUMMARY)
