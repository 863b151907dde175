"""Which paragraphs are headings: those whose style says so, and those that only look like one."""

from __future__ import annotations

import re
from typing import Final

from core.span import is_blank
from ingest.parsers.outline import chinese_heading_level

# Columns on the page; a Chinese character takes two. Longer ones are clauses that carry a heading's style.
_MOST_COLUMNS: Final = 200
_MOST_SENTENCE_COLUMNS: Final = 80
_MOST_GUESSED_COLUMNS: Final = 70
_SENTENCE_END: Final = re.compile(r"[。；;！!]$|[a-z]\.$")
_OPEN_END: Final = re.compile(r"[。；;，,、：:！!]$|[^.]\.$")
_HAN_ONE: Final = re.compile(r"[一二三四五六七八九十]{1,3}[、．.]\s*\S")
_HAN_TWO: Final = re.compile(r"[（(][一二三四五六七八九十]{1,3}[）)]\s*\S")
_DECIMAL: Final = re.compile(r"(\d{1,2}(?:[.．]\d{1,2}){0,4})(?:[.．、]\s*|\s+)[^\d\s.．,，、年月日%％]")
_CAPTION: Final = re.compile(r"(?:图|圖|表)\s*\d+(?:[-–.．]\d+)*[\s：:　.．]\s*\S")
# 编章节目 are levels 1 to 4 (``outline``); documents without them go 一、（一） 1. (1).
_HAN_LEVELS: Final = (3, 4)


def is_heading_sized(text: str) -> bool:
    """Whether words with a heading's style are short enough to name a section."""
    columns = _columns(text)
    return columns <= (_MOST_SENTENCE_COLUMNS if _SENTENCE_END.search(text) else _MOST_COLUMNS)


def is_caption(text: str) -> bool:
    """Whether a line names a figure or table by its number: 图 1-2 流程."""
    return (
        bool(_CAPTION.match(text)) and _columns(text) <= _MOST_SENTENCE_COLUMNS and not _OPEN_END.search(text)
    )


class HeadingGuess:
    """Levels for lines that look like headings; remembers which kinds of number a file has used."""

    def __init__(self) -> None:
        self._below_han = 0

    def level(self, text: str, *, bold: bool) -> int | None:
        """1..6 for 第二章 总则, and for whole bold lines such as 一、背景 or 1.2 Scope; else ``None``."""
        if "\n" in text or len(text) > _MOST_GUESSED_COLUMNS or _columns(text) > _MOST_GUESSED_COLUMNS:
            return None
        chapter = chinese_heading_level(text)
        if chapter is not None:
            self._below_han = 0
            return chapter
        if not bold or _OPEN_END.search(text):
            return None
        for level, pattern in zip(_HAN_LEVELS, (_HAN_ONE, _HAN_TWO), strict=True):
            if pattern.match(text):
                self._below_han = level
                return level
        decimal = _DECIMAL.match(text)
        if decimal is None:
            return None
        return min(self._below_han + len(re.split(r"[.．]", decimal.group(1))), 6)


def _columns(text: str) -> int:
    return sum(0 if is_blank(char) else 2 if ord(char) >= 0x2E80 else 1 for char in text)
