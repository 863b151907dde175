"""Whether the parts of one version lie where they say: blocks, lines, parents and chunks over its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.chunk import Parent
from core.document import Block, Line
from core.span import Span, is_blank
from core.store import ChunkRow, Reader
from ingest.checks.problem import Problem, problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """A version's text and everything that stands over it, each in the stored order."""

    text: str
    blocks: tuple[Block, ...]
    lines: tuple[Line, ...]
    parents: tuple[Parent, ...]
    chunks: tuple[ChunkRow, ...]


def stored_structure(reader: Reader, version_id: str) -> Structure:
    """That of a stored version. Raises ``StoreDamagedError`` for rows that cannot be read."""
    return Structure(
        text=reader.version(version_id).text,
        blocks=reader.blocks(version_id),
        lines=reader.lines(version_id),
        parents=reader.parents(version_id),
        chunks=reader.chunks_of(version_id),
    )


def structure_problems(structure: Structure) -> Iterator[Problem]:
    """What does not fit, of a current version; ``Problem.where`` stays empty."""
    yield from spans_outside(structure)
    yield from _chunk_problems(structure)
    yield from _link_problems(structure.chunks)
    uncovered = uncovered_characters(structure.text, [chunk.span for chunk in structure.chunks])
    if uncovered:
        yield problem("uncovered", count=uncovered)


def spans_outside(structure: Structure) -> Iterator[Problem]:
    """Spans that leave the text or do not ascend."""
    length = len(structure.text)
    for kind, spans in (
        ("block", [block.span for block in structure.blocks]),
        ("line", [line.span for line in structure.lines]),
        ("parent", [parent.span for parent in structure.parents]),
        ("chunk", [chunk.span for chunk in structure.chunks]),
    ):
        for number, span in enumerate(spans):
            if span.end > length:
                yield problem("outside_text", kind=kind, id=number, end=span.end, length=length)
        for number, (before, after) in enumerate(pairwise(spans), start=1):
            if after.start < before.start or (kind == "block" and after.start < before.end):
                yield problem("out_of_order", kind=kind, id=number)


def _chunk_problems(structure: Structure) -> Iterator[Problem]:
    parents = {parent.id: parent for parent in structure.parents}
    if not structure.chunks:
        yield problem("no_chunk")
    for number, chunk in enumerate(structure.chunks):
        if chunk.ordinal != number:
            yield problem("out_of_order", kind="chunk", id=chunk.id)
        parent = parents.get(chunk.parent_id)
        if parent is None or not parent.span.contains(chunk.span):
            yield problem("outside_parent", id=chunk.id)


def _link_problems(chunks: Sequence[ChunkRow]) -> Iterator[Problem]:
    """Neighbours of one section name each other, and nobody else is named."""
    for number, chunk in enumerate(chunks):
        before = chunks[number - 1] if number else None
        after = chunks[number + 1] if number + 1 < len(chunks) else None
        expected = (
            before.id if before and before.section_id == chunk.section_id else None,
            after.id if after and after.section_id == chunk.section_id else None,
        )
        if (chunk.previous_id, chunk.next_id) != expected:
            yield problem("wrong_link", id=chunk.id)


def uncovered_characters(text: str, spans: Sequence[Span]) -> int:
    """How many visible characters of ``text`` lie in none of the spans (ascending by start)."""
    covered_to, missing = 0, 0
    for span in spans:
        missing += sum(not is_blank(char) for char in text[covered_to : span.start])
        covered_to = max(covered_to, span.end)
    return missing + sum(not is_blank(char) for char in text[covered_to:])
