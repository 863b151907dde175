"""The smallest pieces of a section that a strategy may put together, and what border lies before each.

The structure decides: article > block > table row, line > sentence > clause mark > token. A part is opened
into the next finer ones only where it is large, so that most atoms are whole paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.document import Block, BlockKind
from core.span import Span, trimmed
from ingest.leads import is_list_item
from ingest.parsers.outline import ARTICLE_START
from ingest.sections import Section
from ingest.sentences import sentences, wraps_line
from ingest.splitters.piece import CLOSING_MARKS, forced_windows

_LINE_BREAK = re.compile(r"\r\n?|\n")
_CLAUSE_MARK = re.compile(r"[，、,；;：:،؛](?=\s|[^\s\d])[”’」』）)】]*")
_RUNNING = frozenset({"paragraph", "caption", "image"})
_FINER = {
    "paragraph": ("line", "sentence", "clause"),
    "caption": ("line", "sentence", "clause"),
    "image": ("line", "sentence", "clause"),
    "item": ("line", "sentence", "clause"),
    "row": ("row", "clause"),
    "code": ("row",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """``border`` names what lies before it: heading, under_heading, article, article_part, block,
    item, row, line, sentence, clause or token. ``size`` is in tokens of its text alone.

    ``kind`` is that of the block it is (a part of): paragraph, item, row (of a table), code, caption or image.
    ``is_item`` when a list item begins with it, ``depth`` then says how far it is indented.
    """

    span: Span
    border: str
    size: int
    kind: str = "paragraph"
    is_item: bool = False
    depth: int = 0


def atoms_of(section: Section, most: int, whole: int) -> list[Atom]:
    """The atoms of a section in order; together they hold every non-blank character of it.

    ``most`` tokens fit into a chunk for sure. Running text of more than ``whole`` is opened; a table, a list
    item or code only when it does not fit even alone.
    """
    text = section.document.text
    parts = _blocks(section)
    sizes = own_sizes(section, [span for span, _, _ in parts])
    atoms: list[Atom] = []
    for (span, border, kind), size in zip(parts, sizes, strict=True):
        depth = _indent(text, span.start) if kind == "item" else 0
        atom = Atom(span=span, border=border, size=size, kind=kind, is_item=kind == "item", depth=depth)
        limit = whole if kind in _RUNNING else most
        if size <= limit or (kind not in _RUNNING and section.size(span) <= section.hard_tokens):
            atoms.append(atom)
        else:
            atoms.extend(_opened(section, atom, _FINER[kind], most, limit))
    return atoms


def own_sizes(section: Section, spans: Sequence[Span]) -> list[int]:
    """Tokens of each span's text alone, without what the model adds to every passage."""
    text = section.document.text
    counted = section.tokens.count(["", *(span.of(text) for span in spans)])
    return [size - counted[0] for size in counted[1:]]


def _blocks(section: Section) -> list[tuple[Span, str, str]]:
    """Span, border before it and kind of each block; text between two blocks belongs to the first."""
    text, blocks = section.document.text, section.blocks
    if not blocks:
        return [(section.span, "block", "paragraph")]
    starts = [section.span.start, *(block.span.start for block in blocks[1:]), section.span.end]
    found: list[tuple[Span, str, str]] = []
    under_heading = inside_article = False
    for block, (start, end) in zip(blocks, pairwise(starts), strict=True):
        span = trimmed(text, start, end)
        if span is None:
            continue
        kind = _kind(text, block)
        border = _border(text, block, kind)
        inside_article = border == "article" or (inside_article and border != "heading")
        if under_heading:
            border = "under_heading"
        elif border == "block" and inside_article:
            border = "article_part"
        found.append((span, border, kind))
        under_heading = block.kind is BlockKind.HEADING
    return found


def _kind(text: str, block: Block) -> str:
    if block.kind is BlockKind.TABLE:
        return "row"
    if block.kind in (BlockKind.CODE, BlockKind.CAPTION, BlockKind.IMAGE):
        return block.kind.value
    return "item" if is_list_item(text, block) else "paragraph"


def _indent(text: str, start: int) -> int:
    """Columns of white space before an item, on its line."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return len(before.expandtabs(4)) if not before.strip() else 0


def _border(text: str, block: Block, kind: str) -> str:
    if block.kind is BlockKind.HEADING:
        return "heading"
    if ARTICLE_START.match(text, block.span.start):
        return "article"
    return "item" if kind == "item" else "block"


def _opened(section: Section, atom: Atom, levels: Sequence[str], most: int, whole: int) -> list[Atom]:
    """The atoms inside one that is too large, the first with its border.

    Lines are opened into sentences above ``whole``; below a sentence only what does not fit is opened.
    """
    if not levels:
        return _forced(section, atom, most)
    finer = levels[1:]
    spans = cut_at(section.document.text, atom.span, levels[0])
    if len(spans) == 1:
        limit = whole if "sentence" in finer else most
        return [atom] if atom.size <= limit else _opened(section, atom, finer, most, whole)
    found: list[Atom] = []
    limit = whole if "sentence" in finer else most
    for span, size in zip(spans, own_sizes(section, spans), strict=True):
        border = levels[0] if found else atom.border
        is_item = atom.is_item and not found
        part = replace(atom, span=span, border=border, size=size, is_item=is_item)
        found.extend([part] if size <= limit else _opened(section, part, finer, most, whole))
    return found


def _forced(section: Section, atom: Atom, most: int) -> list[Atom]:
    """Windows of at most ``most`` tokens: nothing else is left to cut at."""
    text = section.document.text
    spans = forced_windows(text, atom.span, most, lambda span: own_sizes(section, [span])[0])
    sizes = own_sizes(section, spans)
    return [
        replace(
            atom,
            span=span,
            border="token" if place else atom.border,
            size=size,
            is_item=atom.is_item and not place,
        )
        for place, (span, size) in enumerate(zip(spans, sizes, strict=True))
    ]


def cut_at(text: str, span: Span, level: str) -> list[Span]:
    """``span`` cut at the borders of ``level``; together the parts hold every non-blank character."""
    borders = [at for at in _borders(text, span, level) if span.start < at < span.end]
    parts = (trimmed(text, start, end) for start, end in pairwise([span.start, *borders, span.end]))
    return [part for part in parts if part is not None]


def _borders(text: str, span: Span, level: str) -> list[int]:
    if level == "sentence":
        return [sentence.start for sentence in sentences(text, span.start, span.end)]
    if level == "clause":
        ends = (found.end() for found in _CLAUSE_MARK.finditer(text, span.start, span.end))
        return [end for end in ends if end < span.end and text[end] not in CLOSING_MARKS]
    breaks = _LINE_BREAK.finditer(text, span.start, span.end)
    return [
        found.end() for found in breaks if level == "row" or not wraps_line(text, found.start(), found.end())
    ]
