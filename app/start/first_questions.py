"""Questions about any document, from the headings its author gave it: pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.document import Block, BlockKind

# Headings that name no subject, whatever their number; in small letters.
_EMPTY: Final = (
    "目录", "目次", "前言", "附录", "总则", "附则", "一般规定", "contents", "preface", "index", "introduction", "general",
)  # fmt: skip
_SHORTEST, _LONGEST = 2, 24
_BODY: Final = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE)


def telling_section(blocks: Sequence[Block], title: str) -> str:
    """The heading with the most text directly below it; empty when none names a subject of its own."""
    sizes: dict[str, int] = {}
    for block in blocks:
        heading = " ".join(block.section_path[-1].split()) if block.section_path else ""
        if block.kind in _BODY and _names_something(heading, title):
            sizes[heading] = sizes.get(heading, 0) + len(block.span)
    return max(sizes, key=lambda heading: sizes[heading], default="")


def _names_something(heading: str, title: str) -> bool:
    return _SHORTEST <= len(heading) <= _LONGEST and not heading.lower().endswith(_EMPTY) and heading != title
