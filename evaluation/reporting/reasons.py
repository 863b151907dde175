"""The reasons of the attribution, which are written in English, in Chinese for readers of the report."""

from __future__ import annotations

import re
from typing import Final

_CHINESE: Final = (
    (r"not found", "没有找到"),
    (r"in no chunk", "不在任何块里"),
    (r"found at (\d+)", "排在第 {0} 位"),
    (r"found at (\d+), wanted in (\d+)", "排在第 {0} 位，要在前 {1} 位才会返回"),
    (r"found at (\d+), moved to (\d+) by (\w+)", "检索排在第 {0} 位，被 {2} 移到第 {1} 位"),
    (r"returned in part, or behind others", "只返回了一部分，或排在别的后面"),
    (r"same words as another document", "另一份文档里有同样的文字"),
    (r"document cap", "超出每份文档的上限"),
    (r"token budget", "超出 token 预算"),
    (r"behind the first (\d+) characters", "在前 {0} 个字符之后"),
    (r"cut into (\d+) chunks \((.*)\)", "被切成 {0} 块（{1}）"),
    (r"in (\d+) chunks", "分在 {0} 块里"),
    (r"answered \((\w+)\), though the documents do not tell", "文档里没有答案，却作了回答（{0}）"),
    (r"refused \((\w+)\), though the evidence was given", "给了证据，却拒答（{0}）"),
    (r"says it, and cites other words", "说到了，却引用了别的文字"),
    (r"leaves it out", "回答里没有提到"),
    (r"(\d+) of (\d+) citations point elsewhere", "{1} 条引用里有 {0} 条指向别处"),
)  # fmt: skip


def reason_text(reason: str, language: str) -> str:
    """The reason in the reader's language; one that is not known as it is."""
    if language != "zh":
        return reason
    for pattern, words in _CHINESE:
        found = re.fullmatch(pattern, reason)
        if found:
            return words.format(*found.groups())
    return reason
