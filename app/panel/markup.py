"""Which characters of a block a reader does not need to see, and how the others are to look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.document import Block, BlockKind
from core.span import Span
from ingest.viewer.rows import cell_words

# Formats whose text is the source file with its marks.
_MARKED: Final = frozenset({"text/markdown"})
# Longer blocks are no prose of people: their marks stay, so that no text can keep the server busy.
_MOST_CHARS: Final = 20_000
_BULLET: Final = re.compile(r"[ \t]*(?:[-*+•◦▪·–][ \t]+)(?=\S)")
_HEADING: Final = re.compile(r"[ \t]*#{1,6}[ \t]+(?=\S)")
_HEADING_END: Final = re.compile(r"[ \t]+#+[ \t]*\Z|\n[ \t]*(?:=+|-+)[ \t]*\Z|\s*\{[#.:][^}\n]*\}\Z")
_QUOTE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_RULE: Final = frozenset("|-: ")
_FENCE: Final = re.compile(r"\A[ \t]*(?:```|~~~)[^\n]*(?:\n|\Z)|(?:\A|\n)[ \t]*(?:```|~~~)[ \t]*\Z")
# Stars and lines between letters and digits of ASCII are signs of their own: 2*3*4, snake_case_name.
_INLINE: Final = re.compile(
    r"(?P<escape>\\)[!-/:-@\[-`{-~]"
    r"|(?P<code>`+)(?!`)(?P<codeof>[^`](?:.*?[^`])?)(?P=code)(?!`)"
    r"|!?\[(?P<words>[^\[\]\n]*)\](?P<to>\([^()\s]*(?:[ \t]+\"[^\"\n]*\")?\))"
    r"|(?<![A-Za-z0-9_*])(?P<strong>\*\*|__)(?=\S)(?P<strongof>[^\n]+?)(?<=\S)(?P=strong)(?![A-Za-z0-9_*])"
    r"|(?<![A-Za-z0-9_*])(?P<emphasis>[*_])(?=[^\s*_])(?P<emphasisof>[^*_\n]*?[^\s*_])(?P=emphasis)(?![A-Za-z0-9_*])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """``hidden`` are marks; ``styled`` has the words that look otherwise: strong, emphasis, code, dim."""

    hidden: tuple[Span, ...] = ()
    styled: tuple[tuple[Span, str], ...] = ()


def bullet_of(text: str, block: Block) -> Span | None:
    """The bullet that an entry of a list begins with, blanks around it included; numbers are words."""
    found = _BULLET.match(text, block.span.start, block.span.end)
    return Span(found.start(), found.end()) if found and block.kind is BlockKind.LIST_ITEM else None


def markup_of(text: str, block: Block, media_type: str) -> Markup:
    """The marks of a block. Every character is either hidden, whole, or shown as it is in the source."""
    bullet = bullet_of(text, block)
    hidden = [bullet] if bullet else []
    if media_type not in _MARKED or len(block.span) > _MOST_CHARS:
        return Markup(hidden=tuple(hidden))
    source, start = block.span.of(text), block.span.start
    if block.kind is BlockKind.CODE:
        hidden += _found(_FENCE, source, start)
        return Markup(hidden=tuple(hidden))
    if block.kind is BlockKind.HEADING:
        lead = _HEADING.match(source)
        hidden += [Span(start, start + lead.end())] if lead else []
        hidden += _found(_HEADING_END, source, start)
    elif block.kind is BlockKind.TABLE:
        # The marks between cells are not words of any of them.
        hidden += [Span(start + at.start(), start + at.end()) for at in re.finditer(r"\\(?=\|)", source)]
    else:
        hidden += _found(_QUOTE, source, start)
    pieces = list(_inline(source, 0, len(source)))
    hidden += [_moved(span, start) for span, style in pieces if not style]
    styled = tuple((_moved(span, start), style) for span, style in pieces if style)
    return Markup(hidden=tuple(sorted(set(hidden))), styled=styled)


def _found(pattern: re.Pattern[str], source: str, start: int) -> list[Span]:
    return [
        Span(start + at.start(), start + at.end()) for at in pattern.finditer(source) if at.start() < at.end()
    ]


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _inline(source: str, start: int, end: int) -> Iterator[tuple[Span, str]]:
    """Marks (without a style) and the words between them (with theirs), from left to right and from outside in."""
    for found in _INLINE.finditer(source, start, end):
        if found["escape"]:
            yield Span(found.start(), found.start() + 1), ""
            continue
        if found["to"]:
            inside, style = found.span("words"), "dim"
            yield Span(*found.span("to")), style
            yield Span(found.start(), inside[0]), ""
            yield Span(inside[1], inside[1] + 1), ""
            if inside[0] < inside[1]:
                yield from _inline(source, *inside)
            continue
        style = next(name for name in ("code", "strong", "emphasis") if found[name])
        inside = found.span(f"{style}of")
        yield Span(found.start(), inside[0]), ""
        yield Span(inside[1], found.end()), ""
        yield Span(*inside), style
        if style != "code":
            yield from _inline(source, *inside)


def plain(source: str, media_type: str) -> str:
    """Any words of a source without marks, for a line that only hints at them; cells part at a dot."""
    lines: list[str] = []
    for line in source.splitlines():
        bare = line.strip()
        if len(bare) > 1 and bare[0] == bare[-1] == "|":
            row = Span(0, len(bare))
            if set(bare) <= _RULE:
                continue
            bare = " · ".join(words for start, end in cell_words(bare, row) if (words := bare[start:end]))
        lines.append(_unmarked(bare) if media_type in _MARKED else bare)
    return "\n".join(lines)


def _unmarked(line: str) -> str:
    kind = BlockKind.HEADING if _HEADING.match(line) else BlockKind.PARAGRAPH
    block = Block(kind=BlockKind.LIST_ITEM if _BULLET.match(line) else kind, span=Span(0, max(len(line), 1)))
    hidden = markup_of(line, block, "text/markdown").hidden if line else ()
    return "".join(char for at, char in enumerate(line) if not any(s.start <= at < s.end for s in hidden))
