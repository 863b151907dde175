"""A difference for the terminal: unified style without colours, words marked as ``[-gone-]`` and ``{+new+}``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from core.span import Span
from ingest.versions.compare import Row, Side
from ingest.versions.difference import Difference, Version
from ingest.versions.texts import word

# What is kept of a long line around each change, in characters.
_AROUND: Final = 40
_LONG: Final = 200
# Signs that a terminal would obey instead of showing them.
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(difference: Difference, language: str) -> str:
    """All changes with the headings above them, and their number."""
    places = [place for place in difference.places() if place.is_changed]
    if not places:
        return nothing_changed(difference, language)
    comparison = difference.comparison
    said = word("summary", language, places=len(places), removed=comparison.removed, added=comparison.added)
    lines = [
        _title("---", difference.old, language),
        _title("+++", difference.new, language),
    ]
    for place in places:
        lines += [
            "",
            f"@@ {' > '.join(place.path) or word('top', language)} @@",
            *_lines(difference, place.rows),
        ]
    return "\n".join(_CONTROL.sub("\ufffd", line) for line in [*lines, "", said])


def nothing_changed(difference: Difference, language: str) -> str:
    """That both versions read the same."""
    if difference.is_of_two:
        return word("alike", language, old=difference.old.name, new=difference.new.name)
    old, new = difference.old.row.number, difference.new.row.number
    if old == new:
        return word("only_one", language, name=difference.document.name)
    return word("nothing", language, old=old, new=new)


def _title(sign: str, version: Version, language: str) -> str:
    name = word("version", language, number=version.row.number)
    return f"{sign} {version.name}  {name}  {version.row.created_at}"


def _lines(difference: Difference, rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if not row.is_changed and row.new is not None:
            yield f"  {_shown(row.new, difference.new.text, '', '')}"
            continue
        if row.old is not None:
            yield f"- {_shown(row.old, difference.old.text, '[-', '-]')}"
        if row.new is not None:
            yield f"+ {_shown(row.new, difference.new.text, '{+', '+}')}"


def _shown(side: Side, text: str, opening: str, closing: str) -> str:
    """The line with its changes marked; a line that is new or gone as a whole needs no marks."""
    line = side.span
    if side.changed == (line,):
        return line.of(text)
    pieces: list[str] = []
    at = line.start
    for number, span in enumerate(side.changed):
        if at < span.start:
            pieces.append(_cut(text, Span(at, span.start), head=number > 0, tail=True))
        pieces.append(f"{opening}{span.of(text)}{closing}")
        at = span.end
    if at < line.end:
        pieces.append(_cut(text, Span(at, line.end), head=bool(side.changed), tail=not side.changed))
    return "".join(pieces)


def _cut(text: str, span: Span, *, head: bool, tail: bool) -> str:
    """What lies between changes; of a long stretch only what is near them."""
    if len(span) <= _LONG:
        return span.of(text)
    start = text[span.start : span.start + _AROUND] if head else ""
    end = text[span.end - _AROUND : span.end] if tail else ""
    return f"{start} … {end}" if start or end else text[span.start : span.start + _LONG] + " …"
