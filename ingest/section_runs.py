"""Which blocks make a section: what stands under one heading; mere fragments under one parent together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from core.document import Block, BlockKind, Document
from core.protocols import Tokens
from core.settings import ChunkingSettings

Run = list[Block]
# Of the minimum: a section under this is a fragment, unless it says a whole sentence.
_FRAGMENT_SHARE: Final = 4
_SENTENCE_ENDS: Final = tuple("。！？.!?；;…”\"'）)")


def runs_of(
    document: Document, settings: ChunkingSettings, tokens: Tokens
) -> list[tuple[Run, tuple[str, ...]]]:
    """The blocks of each section in order, and its path.

    A heading without a body belongs to the next section. Neighbours such as "Weight: 5 kg" under headings
    of their own, which answer nothing alone, are one section under their parent's path.
    """
    runs = _under_one_heading(document.blocks)
    paths = [run[-1].section_path for run in runs]
    fragments = _fragments(document.text, runs, settings, tokens)
    joined: list[tuple[Run, tuple[str, ...]]] = []
    room = 0
    for place, (run, path, size) in enumerate(zip(runs, paths, fragments, strict=True)):
        if 0 <= size <= room and _siblings(paths[place - 1], path):
            joined[-1] = (joined[-1][0] + run, path[:-1])
            room -= size
        else:
            joined.append((run, path))
            room = settings.soft_tokens - size if size >= 0 else -1
    return joined


def _siblings(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return bool(first) and len(first) == len(second) and first[:-1] == second[:-1]


def _fragments(text: str, runs: Sequence[Run], settings: ChunkingSettings, tokens: Tokens) -> list[int]:
    """The tokens of each section that is a fragment, -1 for the others."""
    limit = settings.min_tokens // _FRAGMENT_SHARE
    bounds = [run[0].span.start for run in runs] + [len(text)]
    bodies = [text[start:end].strip() for start, end in pairwise(bounds)]
    short = [
        place
        for place, run in enumerate(runs)
        if run[0].kind is BlockKind.HEADING
        and run[-1].kind is not BlockKind.HEADING
        and len(bodies[place]) <= limit * 4
        and not bodies[place].endswith(_SENTENCE_ENDS)
    ]
    sizes = [-1] * len(runs)
    for place, size in zip(short, tokens.count([bodies[place] for place in short]), strict=True):
        sizes[place] = size if size <= limit else -1
    return sizes


def _under_one_heading(blocks: Sequence[Block]) -> list[Run]:
    runs: list[Run] = []
    has_body = False
    for block in blocks:
        is_heading = block.kind is BlockKind.HEADING
        if not runs or (is_heading and has_body):
            runs.append([block])
            has_body = not is_heading
        else:
            runs[-1].append(block)
            has_body = has_body or not is_heading
    return runs
