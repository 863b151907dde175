"""What the chat shows of a difference, as plain data: its size, the first places, and where the whole of it is."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from app.texts import text
from core.span import Span
from ingest.versions.compare import Side
from ingest.versions.difference import Difference, Place, Version
from ingest.versions.texts import word

# What is read in a chat; the page has the rest.
_MOST_PLACES: Final = 6
_MOST_ROWS: Final = 24
# Kept of an unchanged stretch inside a line, in characters.
_AROUND: Final = 60

Run = dict[str, object]


def difference_shown(found: Difference, language: str) -> dict[str, object]:
    """The properties of the element: runs of words with ``changed``, old beside new."""
    changed = [place for place in found.places() if place.is_changed]
    shown, rows = [], 0
    for place in changed[:_MOST_PLACES]:
        if rows >= _MOST_ROWS:
            break
        shown.append(_place(found, place, _MOST_ROWS - rows, language))
        rows += len(place.rows)
    query = urlencode({"a": found.old.row.id, "b": found.new.row.id, "lang": language})
    sums = [
        text("compare_places", language, count=f"{len(changed):,}"),
        text("compare_gone", language, count=f"{found.comparison.removed:,}"),
        text("compare_come", language, count=f"{found.comparison.added:,}"),
    ]
    left = len(changed) - len(shown)
    return {
        "title": text("compare_title", language),
        "old": _side_name(found.old, language),
        "new": _side_name(found.new, language),
        "sum": " · ".join(sums) if changed else text("compare_same", language),
        "places": shown,
        "more": text("compare_more", language, count=left) if left else "",
        "link": f"/compare?{query}",
        "open": text("compare_open", language),
    }


def _side_name(version: Version, language: str) -> str:
    number = word("version", language, number=version.row.number)
    return f"{version.name} · {number} · {version.row.created_at[:10]}"


def _place(found: Difference, place: Place, most: int, language: str) -> dict[str, object]:
    rows = [row for row in place.rows if row.is_changed][:most]
    return {
        "path": " › ".join(place.path) or text("compare_top", language),
        "rows": [
            {"old": _runs(row.old, found.old.text), "new": _runs(row.new, found.new.text)} for row in rows
        ],
    }


def _runs(side: Side | None, source: str) -> list[Run]:
    """The line cut where it changes; long stretches that stayed are shortened."""
    if side is None:
        return []
    runs, at = [], side.span.start
    for span in side.changed:
        runs += (
            [_kept(source, Span(at, span.start), is_first=at == side.span.start)] if at < span.start else []
        )
        runs.append({"text": span.of(source), "changed": True})
        at = span.end
    if at < side.span.end:
        runs.append(_kept(source, Span(at, side.span.end), is_last=bool(runs)))
    return runs


def _kept(source: str, span: Span, *, is_first: bool = False, is_last: bool = False) -> Run:
    words = span.of(source)
    if len(words) > 2 * _AROUND:
        head = "" if is_first else words[:_AROUND]
        tail = "" if is_last else words[-_AROUND:]
        words = f"{head} … {tail}"
    return {"text": words, "changed": False}
