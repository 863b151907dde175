"""Section paths: which headings stand above each block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from core.document import Block, BlockKind

_NUMERAL = r"[0-9０-９〇零一二三四五六七八九十百千两]+"
# The four levels Chinese regulations use above the article.
_CHINESE_LEVELS = ("编", "章", "节", "目")
_CHINESE_HEADING = re.compile(rf"第{_NUMERAL}([编章节目])(?=[\s　:：]|$)[^。；;，,]{{0,60}}$")
# An article opens a unit but is no heading: its text stands on the same line.
ARTICLE_START = re.compile(rf"第{_NUMERAL}条(之{_NUMERAL})?[\s　:：]")


def chinese_heading_level(line: str) -> int | None:
    """1..4 for a whole line such as "第二章 考勤与休假", else ``None``."""
    found = _CHINESE_HEADING.match(line.strip())
    return _CHINESE_LEVELS.index(found.group(1)) + 1 if found else None


def with_section_paths(blocks: Iterable[Block], text: str) -> tuple[Block, ...]:
    """The blocks with ``section_path`` set from the headings before them."""
    stack: list[tuple[int, str]] = []
    result: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            stack.append((block.level, heading_title(block.span.of(text))))
        result.append(replace(block, section_path=tuple(title for _, title in stack)))
    return tuple(result)


def heading_title(source: str) -> str:
    """The words of a heading without its markup and line breaks."""
    first, *rest = source.strip().splitlines() or [""]
    if rest and set(rest[-1].strip()) <= {"=", "-"}:
        rest.pop()
    title = " ".join([first, *rest])
    return " ".join(re.sub(r"^#{1,6}\s+|\s+#+\s*$", "", title).split())
