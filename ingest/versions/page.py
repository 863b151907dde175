"""A difference as a page for people: both versions side by side, in one file that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from ingest.versions.compare import Row, Side
from ingest.versions.difference import Difference, Place, Version
from ingest.versions.plain import nothing_changed
from ingest.versions.texts import word
from ingest.viewer.inert import attribute, inert
from ingest.viewer.write import in_one_step

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def write_page(difference: Difference, target: Path, language: str) -> None:
    """Write ``target`` in one step; nothing is left when it fails. Raises ``TargetUnwritableError``."""
    with in_one_step(target) as file:
        for piece in html(difference, language):
            file.write(piece)


def html(difference: Difference, language: str) -> Iterator[str]:
    """The page piece by piece."""
    places = list(difference.places())
    changed = [place for place in places if place.is_changed]
    yield _opening(difference, language)
    yield _head(difference, len(changed), language)
    if not changed:
        yield f'<main><p class="equal">{inert(nothing_changed(difference, language))}</p></main></body></html>\n'
        return
    yield f'<div class="frame versions">\n{_side(changed, language)}<main>\n'
    number = 0
    for place in places:
        number += place.is_changed
        yield (
            _place(difference, place, number, language)
            if place.is_changed
            else _same(difference, place, language)
        )
    yield "</main></div></body></html>\n"


def _opening(difference: Difference, language: str) -> str:
    css = "".join(
        files("ingest").joinpath(*path).read_text("utf-8")
        for path in (("viewer", "page.css"), ("versions", "diff.css"))
    )
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if language == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{attribute(difference.document.title)}</title><style>{css}</style></head>\n<body>\n"
    )


def _head(difference: Difference, places: int, language: str) -> str:
    document, comparison = difference.document, difference.comparison
    brand = "brand_of_two" if difference.is_of_two else "brand"
    facts = {
        "file": inert(" · ".join(dict.fromkeys((difference.old.name, difference.new.name)))),
        "collection": inert(document.collection),
        "from": _version(difference, difference.old, language),
        "to": _version(difference, difference.new, language),
        "changes": f"{places:,}",
        "gone": f'<span class="gone">−{comparison.removed:,}</span>',
        "come": f'<span class="come">+{comparison.added:,}</span>',
    }
    cells = "".join(
        f"<div><dt>{word(key, language)}</dt><dd>{value}</dd></div>" for key, value in facts.items()
    )
    return (
        f'<header class="top"><p class="brand">{word(brand, language)}</p><h1>{inert(document.title)}</h1>'
        f"<dl>{cells}</dl></header>\n"
    )


def _version(difference: Difference, version: Version, language: str) -> str:
    day = version.row.created_at[:16].replace("T", " ")
    number = word("version", language, number=version.row.number)
    name = f"{version.name} · " if difference.is_of_two else ""
    return inert(f"{name}{number} · {day}")


def _side(changed: Sequence[Place], language: str) -> str:
    entries = "".join(
        f'<li><a href="#p{number}">{inert(place.path[-1] if place.path else word("top", language))}</a></li>'
        for number, place in enumerate(changed, start=1)
    )
    title = f"{word('changes', language)} <b>{len(changed):,}</b>"
    return f'<nav class="side"><details open><summary>{title}</summary><ol>{entries}</ol></details></nav>\n'


def _place(difference: Difference, place: Place, number: int, language: str) -> str:
    title = inert(" › ".join(place.path) or word("top", language))
    pairs = "".join(_pair(difference, row) for row in place.rows)
    return f'<section class="place" id="p{number}"><h2>{title}</h2>{pairs}</section>\n'


def _same(difference: Difference, place: Place, language: str) -> str:
    pairs = "".join(_pair(difference, row) for row in place.rows)
    title = word("unchanged", language, count=len(place.rows))
    return f'<details class="same"><summary>{title}</summary>{pairs}</details>\n'


def _pair(difference: Difference, row: Row) -> str:
    changed = " changed" if row.is_changed else ""
    old = _cell(row.old, difference.old.text, "old", "del")
    new = _cell(row.new, difference.new.text, "new", "ins")
    return f'<div class="pair{changed}">{old}{new}</div>'


def _cell(side: Side | None, text: str, name: str, tag: str) -> str:
    if side is None:
        return f'<div class="{name} none"></div>'
    if side.changed == (side.span,):
        return f'<div class="{name}">{inert(side.span.of(text))}</div>'
    pieces: list[str] = []
    at = side.span.start
    for span in side.changed:
        pieces.append(inert(text[at : span.start]))
        pieces.append(f"<{tag}>{inert(span.of(text))}</{tag}>")
        at = span.end
    pieces.append(inert(text[at : side.span.end]))
    return f'<div class="{name}">{"".join(pieces)}</div>'
