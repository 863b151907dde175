"""The page that shows one document once, with the chunks of one strategy on its left and of another on its right.

It has no script at all; what can be switched is switched by its style sheet.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from core.document import BlockKind
from core.span import Span, trimmed
from ingest.viewer.alignment import Band, Cell, Figures, bands, figures
from ingest.viewer.head import head
from ingest.viewer.inert import attributes, inert
from ingest.viewer.layers import Layer, colour
from ingest.viewer.places import Part, parts_of
from ingest.viewer.recut import Cut
from ingest.viewer.text import TextWriter
from ingest.viewer.view import DocumentView
from ingest.viewer.words import reason_text, word
from ingest.viewer.write import in_one_step, opening


def write_comparison(view: DocumentView, left: Cut, right: Cut, target: Path, language: str) -> int:
    """Write ``target`` in one step and return its size in bytes; nothing is left when it fails.

    Raises ``TargetUnwritableError``.
    """
    with in_one_step(target) as file:
        for piece in comparison(view, left, right, language):
            file.write(piece)
    return target.stat().st_size


def comparison(view: DocumentView, left: Cut, right: Cut, language: str) -> Iterator[str]:
    """The page piece by piece."""
    found = list(bands(view.text, left, right))
    differing = [place for place, band in enumerate(found) if not band.is_same]
    bare = replace(view, chunks=(), parents=())
    yield opening(bare, language, mode="compare", sheets=("page.css", "compare.css"), script="")
    yield head(bare, (word("cut_anew", language),), language)
    yield _summary(left, right, figures(view, left, right), figures(view, right, left), language)
    yield _bar(left, right, differing, language)
    yield "<main>\n"
    writer = _BandWriter(bare, left, right, language)
    for place, band in enumerate(found):
        yield writer.band(band, place, differing)
    yield "</main></body></html>\n"


def _summary(left: Cut, right: Cut, first: Figures, second: Figures, language: str) -> str:
    """A table with a column for each strategy."""
    rows = [
        ("chunks", [f"{one.chunks:,}" for one in (first, second)]),
        ("parents", [f"{one.parents:,}" for one in (first, second)]),
        ("mean_tokens", [f"{one.mean_tokens:.0f}" for one in (first, second)]),
        ("span_tokens", [f"{one.least_tokens:,}–{one.most_tokens:,}" for one in (first, second)]),
        ("shared_borders", [_share(one.shared, one.borders) for one in (first, second)]),
        ("torn_sentences", [_share(one.torn, one.sentences) for one in (first, second)]),
    ]
    cells = "".join(
        f"<tr><th>{word(key, language)}</th>{''.join(f'<td>{value}</td>' for value in values)}</tr>"
        for key, values in rows
    )
    names = "".join(
        f'<th class="side-{side}">{inert(cut.strategy)}</th>'
        for side, cut in zip("ab", (left, right), strict=True)
    )
    return f'<section class="figures"><table><tr><th></th>{names}</tr>{cells}</table></section>\n'


def _share(part: int, whole: int) -> str:
    """``12 / 40 (30%)``."""
    return f"{part:,} / {whole:,}" + (f" ({part / whole:.0%})" if whole else "")


def _bar(left: Cut, right: Cut, differing: Sequence[int], language: str) -> str:
    """The names over their lanes, and the switch that leaves only what differs."""
    first = (
        f'<a href="#d{differing[0]}">{word("first_difference", language)} ↓</a>'
        if differing
        else word("no_difference", language)
    )
    return (
        f'<div class="bar"><b class="side-a">{inert(left.strategy)}</b><span class="middle">'
        f'<label class="key"><input type="checkbox" id="only"><span>{word("only_differences", language)}</span></label>'
        f'{first}</span><b class="side-b">{inert(right.strategy)}</b></div>\n'
    )


class _BandWriter:
    """Writes bands: three columns, a chunk beside exactly the rows it holds."""

    def __init__(self, view: DocumentView, left: Cut, right: Cut, language: str) -> None:
        self._view = view
        self._parts = parts_of(view)
        self._ends = [part.span.end for part in self._parts]
        self._text = TextWriter(view, Layer(view, self._parts, language), language)
        self._lanes = [_Lane(cut, side, language) for cut, side in ((left, "a"), (right, "b"))]
        self._language = language
        self._page = 0

    def band(self, band: Band, place: int, differing: Sequence[int]) -> str:
        """The band with a link to the next difference when it is one."""
        link = "" if band.is_same else self._link(place, differing)
        cells = [
            (cell.first, order, lane.cell(cell))
            for order, lane, cells in ((0, self._lanes[0], band.left), (2, self._lanes[1], band.right))
            for cell in cells
        ]
        cuts = {cell.first: "by-a" for cell in band.left} | {cell.first: "by-b" for cell in band.right}
        rows = [
            (row, 1, self._row(span, row, cuts[row] if row else "", "" if row else link))
            for row, span in enumerate(band.rows)
        ]
        inner = "".join(written for _, _, written in sorted([*cells, *rows], key=lambda one: one[:2]))
        name = "same" if band.is_same else "differ"
        return f'<section class="band {name}" id="d{place}">{inner}</section>\n'

    def _link(self, place: int, differing: Sequence[int]) -> str:
        at = bisect_right(differing, place)
        label = word("difference", self._language, number=at, count=len(differing))
        arrow = (
            f' <a href="#d{differing[at]}">{word("next", self._language)} ↓</a>'
            if at < len(differing)
            else ""
        )
        return f'<p class="which">{label}{arrow}</p>'

    def _row(self, span: Span, row: int, cut_by: str, link: str) -> str:
        """The words of a row, with the kinds of their blocks; ``cut_by`` is the side that cuts before it."""
        written = [link]
        for part in self._parts[bisect_right(self._ends, span.start) :]:
            shared = part.span.intersection(span)
            if shared is None:
                break
            written.append(self._mark_of(part))
            for piece in self._pieces(part, shared):
                is_first = part.is_first and piece.start == part.span.start
                written.append(self._text.part(replace(part, span=piece, is_first=is_first)))
        head = attributes(class_=f"text {cut_by}".strip(), style=f"grid-row:{row + 1}")
        return f"<div{head}>{''.join(written)}</div>"

    def _pieces(self, part: Part, span: Span) -> list[Span]:
        """The span; of a table the rows that are whole apart from those that a cut tears."""
        text = self._view.text
        if part.block is None or self._view.blocks[part.block].kind is not BlockKind.TABLE:
            return [span]
        whole_from, whole_to = span.start, span.end
        if span.start > part.span.start and text[span.start] != "|":
            whole_from = text.find("\n", span.start, span.end) + 1 or span.end
        if span.end < part.span.end and text[span.end - 1] != "|":
            whole_to = max(text.rfind("\n", span.start, span.end) + 1, whole_from)
        pieces = pairwise([span.start, whole_from, whole_to, span.end])
        return [piece for start, end in pieces if (piece := trimmed(text, start, end)) is not None]

    def _mark_of(self, part: Part) -> str:
        """The page, where another one begins."""
        if part.page == self._page:
            return ""
        self._page = part.page
        return f'<p class="paged">{word("page", self._language, page=part.page)}</p>'


class _Lane:
    """Writes the chunks of one side."""

    def __init__(self, cut: Cut, side: str, language: str) -> None:
        self._cut = cut
        self._side = side
        self._language = language
        self._parents = {parent.id: number for number, parent in enumerate(cut.parents)}

    def cell(self, cell: Cell) -> str:
        """Number, size, why it starts and what it holds together, its parent."""
        chunk = self._cut.chunks[cell.number]
        head = attributes(
            class_=f"lane side-{self._side} {colour(cell.number)}",
            style=f"grid-row:{cell.first + 1}/{cell.end + 1}",
            tabindex=0,
        )
        size = f"<b>{cell.number + 1}</b> <span class=size>{word('tokens', self._language, count=chunk.token_count)}</span>"
        reasons = "".join(
            f"<li>{inert(reason_text(reason, self._language))}</li>" for reason in chunk.reasons
        )
        return f'<div{head}><div class="label">{self._parent(cell.number)}{size}<ul>{reasons}{self._overlap(cell.number)}</ul></div></div>'

    def _parent(self, number: int) -> str:
        """The parent, where it begins."""
        chunk = self._cut.chunks[number]
        if number and self._cut.chunks[number - 1].parent_id == chunk.parent_id:
            return ""
        place = self._parents[chunk.parent_id]
        tokens = word("tokens", self._language, count=self._cut.parents[place].token_count)
        name = word("parent", self._language, number=place + 1)
        return f'<p class="of">{name}<span class="size"> · {tokens}</span></p>'

    def _overlap(self, number: int) -> str:
        """What the chunk repeats of the one before."""
        shared = self._cut.chunks[number - 1].span.end - self._cut.chunks[number].span.start if number else 0
        return f"<li>{word('overlap', self._language, count=shared)}</li>" if shared > 0 else ""
