"""Writes the page: one file that holds everything it shows and loads nothing."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final, TextIO

from core.terminal import tell
from core.view_errors import PagelessDocumentError, TargetUnwritableError
from ingest.viewer.head import bar, head, side
from ingest.viewer.inert import attribute
from ingest.viewer.layers import Layer
from ingest.viewer.pages import PageWriter
from ingest.viewer.pictures import Drawer, Sheet, drawer, is_drawable
from ingest.viewer.places import Part, block_places, parts_of, spread
from ingest.viewer.selection import selected_pages
from ingest.viewer.text import TextWriter
from ingest.viewer.view import DocumentView
from ingest.viewer.words import word

# More pages than this get pictures only when they are asked for: a page takes about 0.2 MB.
MOST_PICTURES: Final = 60
# Parts of a text without pages that are laid out together, so that long ones open fast.
_RUN: Final = 60
_ARROW: Final = (
    '<svg class="defs" aria-hidden="true"><defs><marker id="tip-of-arrow" viewBox="0 0 6 6" refX="5" refY="3" '
    'markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0L6 3L0 6Z"/></marker></defs></svg>\n'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is to be seen: ``pages`` as a person writes them (empty: all), and the original's password.

    ``links``, labels with addresses, stand below the facts.
    """

    pages: str = ""
    password: str = ""
    language: str = "en"
    links: tuple[tuple[str, str], ...] = ()


def write_view(view: DocumentView, original: bytes, target: Path, choice: Choice) -> int:
    """Write ``target`` in one step and return its size in bytes; nothing is left when it fails.

    Raises ``PageSelectionError``, ``PagelessDocumentError`` and ``TargetUnwritableError``.
    """
    if choice.pages and not view.page_count:
        raise PagelessDocumentError(name=view.row.name)
    pages = selected_pages(choice.pages, view.page_count)
    with (
        in_one_step(target) as file,
        drawer(original, view.row.media_type, view.lines, choice.password) as draw,
    ):
        for piece in html(view, pages, _telling(draw, pages, choice.language), choice):
            file.write(piece)
    return target.stat().st_size


def html(view: DocumentView, pages: Sequence[int], draw: Drawer, choice: Choice) -> Iterator[str]:
    """The page piece by piece, so that its pictures need not be held together."""
    language = choice.language
    if not is_drawable(view.row.media_type):
        view = replace(view, lines=spread(view.lines))
    parts = parts_of(view)
    shown = [part for part in parts if not pages or part.page in set(pages)]
    yield opening(view, language)
    yield head(view, _advice(view, pages, draw, choice), language, choice.links)
    yield bar(view, language)
    yield '<div class="frame">\n'
    yield side(view, parts, frozenset(part.number for part in shown), language)
    layer = Layer(view, parts, language)
    text = TextWriter(view, layer, language)
    yield "<main>\n"
    if pages:
        figures = PageWriter(view, block_places(view), list(layer.places()))
        pictured = pages if choice.pages else pages[:MOST_PICTURES]
        yield from _rows(pages, frozenset(pictured), draw, figures, text, shown, language)
    else:
        for start in range(0, len(shown), _RUN):
            yield _section("flow", (text.part(part) for part in shown[start : start + _RUN]))
    yield f'</main></div>\n<div id="tip" role="status" hidden></div>\n{_ARROW}'
    yield f"<script>{_asset('page.js')}</script></body></html>\n"


def _rows(
    pages: Sequence[int],
    pictured: frozenset[int],
    draw: Drawer,
    figures: PageWriter,
    text: TextWriter,
    parts: Iterable[Part],
    language: str,
) -> Iterator[str]:
    """A row for each page: the page on the left, its words on the right."""
    held: dict[int, list[Part]] = {}
    for part in parts:
        held.setdefault(part.page, []).append(part)
    for page in pages:
        label = word("page", language, page=page)
        figure = figures.figure(page, draw(page, page in pictured), label)
        words = "".join(text.part(part) for part in held.get(page, ()))
        words = words or f'<p class="none">{word("no_text", language)}</p>'
        yield (
            f'<section class="row" id="p{page}"><h2><a href="#p{page}">{label}</a></h2>'
            f'<div class="left">{figure}</div><div class="right">{words}</div></section>\n'
        )


def _telling(draw: Drawer, pages: Sequence[int], language: str) -> Drawer:
    """``draw``, with a line at the terminal now and then when there is much to draw."""
    step = max(len(pages) // 10, 1)
    ticks = {page: done for done, page in enumerate(pages, start=1) if done % step == 0 or done == len(pages)}

    def telling(page: int, wanted: bool) -> Sheet:
        if len(pages) > 4 and (done := ticks.pop(page, 0)):
            tell("  " + word("drawing", language, done=done, total=len(pages)))
        return draw(page, wanted)

    return telling


def _section(name: str, pieces: Iterable[str]) -> str:
    return f'<section class="{name}">{"".join(pieces)}</section>\n'


def _advice(view: DocumentView, pages: Sequence[int], draw: Drawer, choice: Choice) -> list[str]:
    """What is not shown, in words."""
    said: list[str] = []
    if choice.pages and len(pages) < view.page_count:
        said.append(word("part_shown", choice.language, pages=choice.pages, count=view.page_count))
    if pages and not draw(pages[0], True).picture:
        said.append(word("no_pictures", choice.language))
    elif not choice.pages and len(pages) > MOST_PICTURES:
        said.append(word("few_pictures", choice.language, count=MOST_PICTURES))
    return said


def opening(
    view: DocumentView,
    language: str,
    *,
    mode: str = "",
    sheets: Sequence[str] = ("page.css",),
    script: str = "page.js",
) -> str:
    """The head: only this file's own ``script`` may run (none when it is empty), and nothing may be loaded."""
    mode = mode or ("chunks" if view.chunks else "blocks")
    allowed = ""
    if script:
        digest = base64.b64encode(sha256(_asset(script).encode()).digest()).decode("ascii")
        allowed = f"script-src 'sha256-{digest}'; "
    policy = (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; {allowed}"
        "base-uri 'none'; form-action 'none'"
    )
    style = "".join(_asset(sheet) for sheet in sheets)
    return (
        f'<!doctype html>\n<html lang="{"zh-CN" if language == "zh" else "en"}" data-mode="{mode}">'
        f'<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{attribute(view.row.title)}</title><style>{style}</style></head>\n<body>\n"
    )


def _asset(name: str) -> str:
    return files("ingest.viewer").joinpath(name).read_text("utf-8")


@contextmanager
def in_one_step(target: Path) -> Iterator[TextIO]:
    """A file that becomes ``target`` when all went well, and is gone when not."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if target.is_dir():
            raise IsADirectoryError
        with _removed_on_failure(temporary):
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                yield file
            temporary.replace(target)
    except OSError as exc:
        raise TargetUnwritableError(path=target) from exc


@contextmanager
def _removed_on_failure(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise
