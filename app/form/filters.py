"""What the user lets be searched: read from the form, turned into a scope, and said in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.texts import text
from core.scope import Scope
from core.store import DocumentRow
from retrieval.typed_date import typed_date


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Empty fields restrict nothing. ``documents`` are ids, ``names`` what these are called."""

    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def __bool__(self) -> bool:
        return self != Filter()

    def narrowed(self, scope: Scope) -> Scope:
        """What of ``scope`` is to be searched."""
        return replace(
            scope,
            collections=self.collections or scope.collections,
            documents=self.documents or None,
            kinds=self.kinds or None,
            since=self.since or None,
            until=self.until or None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFilter:
    """``problems`` are told to the user in his language: fields that were left out."""

    filter: Filter
    problems: tuple[str, ...] = ()


def read_filter(values: Mapping[str, object], rows: Sequence[DocumentRow], language: str) -> ReadFilter:
    """The filter that a form was filled in with; ``rows`` are the documents that may be named.

    A document is named by its id or by part of its name.
    """
    problems: list[str] = []
    ends = {}
    for key in ("since", "until"):
        typed = str(values.get(key) or "").strip()
        ends[key] = typed_date(typed)
        if typed and not ends[key]:
            problems.append(text("filter_no_date", language, typed=typed))
    documents: dict[str, str] = {}
    for wanted in _words(values, "documents"):
        found = {row.id: row.name for row in rows if _is_called(row, wanted)}
        documents |= found
        if not found:
            problems.append(text("filter_no_document", language, typed=wanted))
    made = Filter(
        collections=_words(values, "collections"),
        documents=tuple(documents),
        names=tuple(documents.values()),
        kinds=_words(values, "kinds"),
        since=ends["since"],
        until=ends["until"],
    )
    return ReadFilter(filter=made, problems=tuple(problems))


def described(chosen: Filter, count: int, language: str) -> str:
    """The filter and how many documents it leaves, in one line."""
    comma = text("filter_comma", language)
    parts = [comma.join(chosen.collections), _names(chosen.names, language)]
    parts += [comma.join(kind.upper() for kind in chosen.kinds), _period(chosen, language)]
    left = text("filter_count" if count else "filter_nothing", language, count=count)
    return " · ".join(part for part in (*parts, left) if part)


def _names(names: Sequence[str], language: str) -> str:
    if len(names) < 3:
        return text("filter_comma", language).join(names)
    return text("filter_names", language, first=names[0], others=len(names) - 1)


def _period(chosen: Filter, language: str) -> str:
    if not chosen.since and not chosen.until:
        return ""
    key = "between" if chosen.since and chosen.until else "since" if chosen.since else "until"
    return text(f"filter_{key}", language, since=chosen.since, until=chosen.until)


def _is_called(row: DocumentRow, wanted: str) -> bool:
    return row.id == wanted or wanted.casefold() in row.name.casefold()


def _words(values: Mapping[str, object], key: str) -> tuple[str, ...]:
    found = values.get(key)
    return tuple(str(value) for value in found) if isinstance(found, list | tuple) else ()
