"""The fields of the form that say what is searched: one for whatever there is a choice of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from chainlit.input_widget import InputWidget, MultiSelect, Tags, TextInput

from app.form.filters import Filter
from app.texts import text
from core.scope import is_ephemeral, kind_of
from core.store import DocumentRow

# A longer list nobody reads: then names are typed.
_LISTED: Final = 200


def filter_fields(rows: Sequence[DocumentRow], chosen: Filter, language: str) -> list[InputWidget]:
    """None without documents."""
    if not rows:
        return []
    collections = sorted({row.collection for row in rows if not is_ephemeral(row.collection)})
    kinds = sorted({kind_of(row.name, row.media_type) for row in rows})
    widgets: list[InputWidget] = []
    if len(collections) > 1:
        items = {name: name for name in collections}
        widgets.append(_list_of("collections", items, chosen.collections, language))
    if 1 < len(rows) <= _LISTED:
        widgets.append(_list_of("documents", _labels(rows, language), chosen.documents, language))
    elif len(rows) > _LISTED:
        label, said = text("filter_documents", language), text("filter_documents_typed", language)
        widgets.append(Tags(id="documents", label=label, initial=list(chosen.names), description=said))
    if len(kinds) > 1:
        items = {kind.upper(): kind for kind in kinds}
        widgets.append(_list_of("kinds", items, chosen.kinds, language))
    return [*widgets, *_ends(chosen, language)]


def _list_of(key: str, items: dict[str, str], chosen: Sequence[str], language: str) -> InputWidget:
    there = [value for value in chosen if value in items.values()]
    return MultiSelect(id=key, label=text(f"filter_{key}", language), items=items, initial=there)


def _labels(rows: Sequence[DocumentRow], language: str) -> dict[str, str]:
    """Labels of the documents with their ids; the collection stands with names that are there twice."""
    often = Counter(row.name for row in rows)
    labels = {}
    for row in rows:
        place = text("filter_this_chat", language) if is_ephemeral(row.collection) else row.collection
        labels[f"{row.name} ({place})" if often[row.name] > 1 else row.name] = row.id
    return labels


def _ends(chosen: Filter, language: str) -> list[InputWidget]:
    since = TextInput(
        id="since",
        label=text("filter_from", language),
        initial=chosen.since,
        placeholder=text("filter_placeholder", language),
    )
    until = TextInput(
        id="until",
        label=text("filter_to", language),
        initial=chosen.until,
        placeholder=text("filter_placeholder", language),
        description=text("filter_dates", language),
    )
    return [since, until]
