"""Blocks of a Markdown source: markdown-it-py finds them, every list item becomes one of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.tree import SyntaxTreeNode

from core.document import BODY_LEVEL, Block, BlockKind
from core.span import trimmed
from ingest.parsers.outline import ARTICLE_START

_LINE_END = re.compile(r"\r\n?|\n")
# Deeper than any list a person writes, shallow enough for Python's stack.
_MAX_NESTING = 100
_WHOLE = {
    "table": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "math_block": BlockKind.PARAGRAPH,
}
_NESTED = frozenset((*_WHOLE, "bullet_list", "ordered_list", "blockquote"))
_HTML_HEADING = re.compile(r"<h([1-6])\b[^>]*>.*</h\1>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
# What a reader never sees: rules, empty items, link targets.
_UNSEEN = re.compile(r"[\s>*+_=#|-]*|\s*\d{1,9}[.)]\s*|\s*\[[^\]^][^\]]*\]:\s.*|\s*<[^>]*>\s*")
# Lines; without a bound, many openings that nothing closes would each be followed to the end.
_LONGEST_FORMULA = 200
# A paragraph over a line of === is no heading, whatever Markdown says.
_LONGEST_HEADING = 200
_MATH = {"$$": "$$", r"\[": r"\]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Lines ``[first, last)``."""

    kind: BlockKind
    first: int
    last: int
    level: int = BODY_LEVEL


def markdown_blocks(text: str, start: int = 0) -> Iterator[Block]:
    """The blocks of ``text`` from ``start`` on, in order.

    Comments, rules and link targets belong to none. A paragraph is parted where an article of a statute or
    a footnote begins.
    """
    offsets = [start, *(end.end() for end in _LINE_END.finditer(text, start)), len(text)]
    tree = SyntaxTreeNode(_block_parser().parse(text[start:]))
    covered = 0
    for found in _with_rest(text, offsets, list(_of_children(tree.children, inside=False))):
        first = max(found.first, covered)
        last = min(found.last, len(offsets) - 1)
        if first >= last:
            continue
        covered = last
        for begin, end in _parts(text, offsets, found, first, last):
            if (span := trimmed(text, begin, end)) is not None:
                yield Block(kind=found.kind, span=span, level=found.level)


def inline_text(source: str) -> str:
    """The words of inline Markdown without its markup."""
    tokens = _inline_parser().parseInline(source)[0].children or []
    kept = ("text", "code_inline", "image", "text_special")
    return "".join(
        token.content if token.type in kept else " " * (token.type == "softbreak") for token in tokens
    )


@cache
def _block_parser() -> MarkdownIt:
    """Finds blocks alone: what stands inside a line is never needed, and costs most of the time."""
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.before("fence", "math_block", _math_rule, {"alt": ["paragraph", "blockquote", "list"]})
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


def _math_rule(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A formula between lines of ``$$`` or of ``\\[`` and ``\\]``: marks inside it are no Markdown."""
    closing = _MATH.get(state.getLines(first, first + 1, state.blkIndent, False).strip())
    if closing is None:
        return False
    for last in range(first + 1, min(end, first + _LONGEST_FORMULA)):
        if state.getLines(last, last + 1, 0, False).strip() == closing:
            if not silent:
                state.line = last + 1
                state.push("math_block", "", 0).map = [first, state.line]
            return True
    return False


def _of_children(nodes: Sequence[SyntaxTreeNode], *, inside: bool) -> Iterator[_Found]:
    """Blocks of sibling nodes; ``inside`` a quotation or list item, headings are plain paragraphs."""
    for node in nodes:
        if node.map is None or node.type == "hr":
            continue
        first, last = node.map
        if node.type in _WHOLE:
            yield _Found(kind=_WHOLE[node.type], first=first, last=last)
        elif node.type in ("bullet_list", "ordered_list"):
            for item in node.children:
                yield from _of_item(item)
        elif node.type == "blockquote" and any(
            child.type in _NESTED for child in node.walk(include_self=False)
        ):
            yield from _of_children(node.children, inside=True)
        elif node.type == "heading" and not inside and len(node.children[0].content) <= _LONGEST_HEADING:
            yield _Found(kind=BlockKind.HEADING, first=first, last=last, level=int(node.tag[1]))
        elif node.type == "html_block":
            yield from _of_html(node.content, first, last)
        else:
            yield _Found(kind=BlockKind.PARAGRAPH, first=first, last=last)


def _of_item(item: SyntaxTreeNode) -> Iterator[_Found]:
    """The item up to its first nested block, then what is nested in it or follows that."""
    own = 0
    while own < len(item.children) and item.children[own].type not in _NESTED:
        own += 1
    if own and item.map is not None:
        last = (item.children[own - 1].map or item.map)[1]
        yield _Found(kind=BlockKind.LIST_ITEM, first=item.map[0], last=last)
    yield from _of_children(item.children[own:], inside=True)


def _of_html(content: str, first: int, last: int) -> Iterator[_Found]:
    shown = _COMMENT.sub("", content).strip()
    if not shown:
        return
    heading = _HTML_HEADING.fullmatch(shown)
    level = int(heading.group(1)) if heading else BODY_LEVEL
    kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
    yield _Found(kind=kind, first=first, last=last, level=level)


def _with_rest(text: str, offsets: Sequence[int], found: Sequence[_Found]) -> Iterator[_Found]:
    """``found`` and, as paragraphs, the lines that no block holds though a reader sees them."""
    covered = 0
    lines = len(offsets) - 1
    for entry in [*found, _Found(kind=BlockKind.PARAGRAPH, first=lines, last=lines)]:
        rest = text[offsets[min(covered, lines)] : offsets[min(max(entry.first, covered), lines)]]
        visible = _COMMENT.sub(lambda comment: "\n" * len(_LINE_END.findall(comment.group())), rest)
        seen = [at for at, line in enumerate(_LINE_END.split(visible)) if not _UNSEEN.fullmatch(line)]
        if seen:
            yield _Found(kind=BlockKind.PARAGRAPH, first=covered + seen[0], last=covered + seen[-1] + 1)
        if entry.first < lines:
            yield entry
        covered = max(covered, entry.last)


def _parts(
    text: str, offsets: Sequence[int], found: _Found, first: int, last: int
) -> Iterator[tuple[int, int]]:
    """Where ``found`` is cut: a paragraph at its articles and footnotes, everything else not at all."""
    starts = [first]
    if found.kind is BlockKind.PARAGRAPH:
        for line in range(first + 1, last):
            source = text[offsets[line] : offsets[line + 1]].lstrip()
            if ARTICLE_START.match(source) or _FOOTNOTE.match(source):
                starts.append(line)
    for begin, end in zip(starts, [*starts[1:], last], strict=True):
        yield offsets[begin], offsets[end]
