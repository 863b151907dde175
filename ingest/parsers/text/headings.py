"""Headings of a plain text: by numbering, capitals, underlines and marks, told apart from lists by what follows.

A wrong heading misleads every chunk under it, a missed one only loses a name: in doubt there is none.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from ingest.parsers import outline
from ingest.parsers.text.lines import TextLine

_MARKED = re.compile(r"(#{1,6}|={1,6})\s+\S")
_DEEPEST = 6
# Styles of numbers, the outermost first: 一、（一） 1 1.1 and so on.
_DEPTHS = ("、", "（）", ".", "..", "...", "....", ".....")
# Of the members of a numbered run, this share must have a text of their own.
_MIN_BODIES = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """Lines ``first`` to ``last`` (both inclusive) are one heading."""

    first: int
    last: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """``style`` ranks headings alike; ``level`` is given where the style itself says it."""

    first: int
    last: int
    style: str
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbered:
    """A line that a number leads: a heading or a list item. ``style`` counts the numbers as well."""

    at: int
    style: str
    numbers: tuple[int, ...]
    title: bool


def headings(lines: Sequence[TextLine], taken: Set[int]) -> dict[int, Heading]:
    """Headings by their first line; lines ``taken`` by tables and code are none."""
    found = {entry.first: entry for entry in _unmistakable(lines, taken)}
    numbered = [entry for entry in _numbered(lines, taken) if entry.at not in found]
    found |= {
        at: _Found(first=at, last=at, style=style) for at, style in _accepted(lines, numbered, found.keys())
    }
    return {entry.first: entry for entry in _levelled(sorted(found.values(), key=lambda entry: entry.first))}


def _unmistakable(lines: Sequence[TextLine], taken: Set[int]) -> Iterator[_Found]:
    """Headings that need no sequence: marked, underlined, 第X章, Section 4.2, capitals."""
    divided = False
    for at, line in enumerate(lines):
        if at in taken or outline.is_rule(line.source):
            continue
        if underlined := _underlined(lines, at):
            yield underlined
        elif (marked := _MARKED.match(line.source)) and _is_mark(lines, at, marked.group(1)):
            yield _Found(first=at, last=at, style="mark", level=len(marked.group(1)))
        elif (level := outline.chinese_heading_level(line.source)) and _stands_apart(lines, at):
            is_division = any(word in line.source.split()[0] for word in ("分编", "分編"))
            divided = divided or is_division
            # Chapters stand below the divisions (分编) of a book.
            lower = divided and level > 1 and not is_division
            yield _Found(first=at, last=at, style="chinese", level=level + lower)
        elif line.blank_before and (word := outline.worded_heading(line.source)):
            yield _Found(first=at, last=at, style=word)
        elif at and _is_capitals(lines, at):
            yield _Found(first=at, last=at, style="capitals")


def _underlined(lines: Sequence[TextLine], at: int) -> _Found | None:
    line = lines[at]
    if at + 1 == len(lines) or lines[at + 1].blank_before or line.source[0] in "[.|":
        return None
    rule = lines[at + 1].source
    over = at > 0 and not line.blank_before and outline.is_rule(lines[at - 1].source)
    long_enough = len(rule) >= max(3, 0.6 * outline.width(line.source))
    if not (outline.is_rule(rule) and long_enough and (line.blank_before or over)):
        return None
    if rule[0] == "_" or not outline.is_title_like(outline.after_number(line.source)) or "  " in line.source:
        return None
    return _Found(first=at, last=at + 1, style=rule[0] * (2 if over else 1))


def _is_mark(lines: Sequence[TextLine], at: int, mark: str) -> bool:
    """Whether the marks make a heading, not a comment: no line with the same mark stands right beside it."""
    beside = [lines[at - 1]] if at and not lines[at].blank_before else []
    beside += [lines[at + 1]] if at + 1 < len(lines) and not lines[at + 1].blank_before else []
    return not any(line.source.startswith(mark) for line in beside) and len(lines[at].source) <= 120


def _stands_apart(lines: Sequence[TextLine], at: int) -> bool:
    """Whether the line before is complete, so that this one does not merely go on with its sentence."""
    if lines[at].blank_before:
        return True
    before = lines[at - 1]
    return before.ends_sentence or outline.is_rule(before.source) or outline.width(before.source) <= 50


def _is_capitals(lines: Sequence[TextLine], at: int) -> bool:
    if not lines[at].blank_before or not outline.is_upper_heading(lines[at].source):
        return False
    if at + 1 == len(lines) or lines[at - 1].source.isupper():
        return False
    below = lines[at + 1].source
    return not below.isupper() and (len(below) > len(lines[at].source) or lines[at + 1].ends_sentence)


def _numbered(lines: Sequence[TextLine], taken: Set[int]) -> Iterator[_Numbered]:
    for at, line in enumerate(lines):
        if at in taken:
            continue
        numbers = outline.decimal_number(line.source)
        style = "." * len(numbers)
        if not numbers and (counted := outline.chinese_number(line.source)):
            style, numbers = counted[0], (counted[1],)
        if numbers:
            title = outline.is_title_like(outline.after_number(line.source))
            yield _Numbered(at=at, style=style, numbers=numbers, title=title and _stands_apart(lines, at))


def _accepted(
    lines: Sequence[TextLine], numbered: Sequence[_Numbered], others: Set[int]
) -> Iterator[tuple[int, str]]:
    """The numbered lines that are headings, with their style; shallow ones are decided first."""
    ends = _ends(numbered, sorted(others), len(lines))
    titles = {entry.at for entry in numbered if entry.title}
    parents: set[tuple[int, ...]] = set()
    for run in sorted(_runs(numbered), key=lambda run: (len(run[0].numbers), run[0].at)):
        first, deep = run[0].numbers, len(run[0].numbers) > 1
        whole = first[-1] in (0, 1) and (len(run) > 1 or (deep and first[:-1] in parents))
        bodies = sum(any(at not in titles for at in range(e.at + 1, ends[e.at])) for e in run)
        if not whole or not all(entry.title for entry in run) or bodies < _MIN_BODIES * len(run):
            continue
        if deep or all(_heads(lines, entry.at, ends[entry.at]) for entry in run):
            parents |= {entry.numbers for entry in run}
            yield from ((entry.at, entry.style) for entry in run)


def _heads(lines: Sequence[TextLine], at: int, end: int) -> bool:
    """Whether a line that one number leads stands like a title over its text: a list item would go on."""
    line, below = lines[at], lines[at + 1 : end]
    if not below:
        return True
    apart = below[0].blank_before and line.blank_before
    longer = sum(outline.width(body.source) for body in below[:3]) > outline.width(line.source)
    return (
        longer and below[0].indent <= line.indent + 4 and (apart or (line.is_chinese and below[0].is_chinese))
    )


def _runs(numbered: Sequence[_Numbered]) -> list[list[_Numbered]]:
    """Lines of one style under one parent whose last number goes up by one; a run may hold others inside."""
    opened: dict[tuple[str, tuple[int, ...]], list[list[_Numbered]]] = {}
    runs: list[list[_Numbered]] = []
    for entry in numbered:
        stack = opened.setdefault((entry.style, entry.numbers[:-1]), [])
        if entry.numbers[-1] > 1:
            while stack and stack[-1][-1].numbers[-1] + 1 != entry.numbers[-1]:
                stack.pop()
        elif len(stack) > _DEEPEST:
            stack.clear()
        if stack and stack[-1][-1].numbers[-1] + 1 == entry.numbers[-1]:
            stack[-1].append(entry)
        else:
            stack.append([entry])
            runs.append(stack[-1])
    return runs


def _ends(numbered: Sequence[_Numbered], others: Sequence[int], count: int) -> dict[int, int]:
    """Where the text under each numbered line ends: at the next heading, or number that is no deeper."""
    following = [count] * (len(_DEPTHS) + 1)
    ends: dict[int, int] = {}
    for entry in reversed(numbered):
        depth = _DEPTHS.index(entry.style)
        other = bisect_right(others, entry.at)
        ends[entry.at] = min(following[depth], others[other] if other < len(others) else count)
        following[depth:] = [entry.at] * (len(following) - depth)
    return ends


def _levelled(found: Sequence[_Found]) -> Iterator[Heading]:
    """A style without a level of its own stands one below what was open when it first came."""
    levels: dict[str, int] = {}
    current = 0
    for entry in found:
        level = entry.level or levels.get(entry.style) or _below(entry.style, levels, current)
        levels.setdefault(entry.style, level)
        current = min(level, _DEEPEST)
        yield Heading(first=entry.first, last=entry.last, level=current)


def _below(style: str, levels: dict[str, int], current: int) -> int:
    shorter = levels.get(style[:-1], current) if style.endswith(".") else current
    return shorter + 1
