"""Small repairs of recognised text: only what the engine is known to confuse, never a guess at a word."""

from __future__ import annotations

import re
from typing import Final

_HAN: Final = "\u3007\u3400-\u9fff"
_WIDE: Final = _HAN + "，。；：、！？（）《》〈〉“”‘’【】「」『』—…"
_REPAIRS: Final = (
    # No space stands beside a Chinese character or mark, unless Latin letters or digits follow.
    (re.compile(rf"(?<=[{_WIDE}]) +(?=[{_WIDE}])"), ""),
    (re.compile(r"(?<=[，。；：、！？（《“‘【]) +| +(?=[，。；：、！？）》”’】])"), ""),
    # Typefaces of one width part the digits of a number: "4, 755, 785. 11".
    (re.compile(r"(?<=\d)(?:, |，)(?=\d{3}(?!\d))"), ","),
    (re.compile(r"(?<=\d)\. (?=\d)"), "."),
    # Narrow marks between Chinese characters are the wide ones.
    (re.compile(rf"(?<=[{_HAN}])\((?=[^()]*[)）])|（(?=[^（）()]*\))|\((?=[^（）()]*）)"), "（"),
    (re.compile(r"(?<=（)([^（）()]*)\)"), r"\1）"),
    (re.compile(rf"(?<=[{_HAN}]),(?=[{_HAN}])"), "，"),
    (re.compile(rf"(?<=[{_HAN}]);(?=[{_HAN}])"), "；"),
    (re.compile(rf"(?<=[{_HAN}]):(?=[{_HAN}])"), "："),
    # The character for one is a dash to the engine where only a number can stand.
    (re.compile(r"(?<=第)[-—–](?=[编章节条款项篇部卷回页])"), "一"),
    (re.compile(r"(?<=[\u3400-\u9fff])一一(?=[\u3400-\u9fff])(?=[^，。]*)(?<!一一一)"), "——"),
    # An empty tick box before its word.
    (re.compile(r"口(?=不?适用)"), "□"),
)


def repaired(text: str) -> str:
    """``text`` of one line without the engine's habitual mistakes, trimmed."""
    for pattern, replacement in _REPAIRS:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())
