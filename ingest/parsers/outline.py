"""What numbering and wording say about one line: headings, articles, list items; and section paths.

Every function judges a line alone. Where a line alone does not decide ("1. Scope" may be a list item), its
neighbours must: see ``text_headings``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from core.document import Block, BlockKind

_DIGITS = "一二三四五六七八九"
_NUMERAL = r"[0-9０-９〇零一二三四五六七八九十百千两]+"
# The levels that Chinese regulations and books use above the article.
_CHINESE_LEVELS = (
    dict.fromkeys(("编", "編", "篇", "卷", "部分"), 1)
    | dict.fromkeys(("分编", "分編", "章", "回", "讲", "講", "课", "課"), 2)
    | dict.fromkeys(("节", "節"), 3)
    | {"目": 4}
)
_CHINESE_HEADING = re.compile(
    rf"(?:第{_NUMERAL}[编編章讲講课課]\s?)?第{_NUMERAL}({'|'.join(_CHINESE_LEVELS)})(?=[\s　:：︰]|$)[^。；;，,]{{0,60}}$"
)
_BARE_HEADING = re.compile(r"[总分附][\s　]*则$")
# Without a space only what no sentence goes on with: 第一章总则, but not 第一章规定的.
_TIGHT_CHINESE_HEADING = re.compile(
    rf"第{_NUMERAL}([编編章节節])(?![的中里内所规規之至和与與及或以是在为為对對到将將有课課点點假日、第])[^。；;，,：:！？!?]{{1,20}}$"
)
# An article opens a unit but is no heading: its text stands on the same line.
ARTICLE_START = re.compile(rf"(?:\*\*)?第{_NUMERAL}[条條](之{_NUMERAL})?(?:[\s　:：︰]|(?=\*\*|【))")
LIST_ITEM = re.compile(
    r"\s*(?:[-*+•·●○▪◦‣►■□◆◇※]\s|\d{1,3}[.．](?!\d)\s*\S|\d{1,3}[)）、]\s*\S"
    r"|\d{1,2}(?:\.\d{1,2}){1,4}[.．]?(?:\s+(?![a-z%])\S|(?=[\u4e00-\u9fff])(?![万亿千百元倍个年月日度米公]))"
    r"|[(（](?:[0-9０-９]{1,3}|[一二三四五六七八九十]{1,3}|[a-zA-Z]|[ivxIVX]{2,4})[)）]"
    r"|[a-z]\)\s|[一二三四五六七八九十]{1,3}、|[①-⑳])"
)
_DECIMAL = re.compile(r"(\d{1,2}(?:[.．]\d{1,2}){0,4})(?:[.．、]\s*|[\s　]+|(?=[\u4e00-\u9fff]))(?=\D)")
_COUNTED = re.compile(r"([一二三四五六七八九十]{1,3})、\s*")
_BRACKETED = re.compile(r"[(（]([一二三四五六七八九十]{1,3})[)）]\s*")
_WORDED = re.compile(
    r"(BOOK|PART|TITLE|CHAPTER|ARTICLE|SECTION|APPENDIX|ANNEX|SCHEDULE|EXHIBIT"
    r"|Book|Part|Title|Chapter|Article|Section|Appendix|Annex|Schedule|Exhibit)"
    r"\s+(\d{1,3}(?:\.\d{1,3})*[A-Z]?|[IVXLC]{1,7}|[A-Z])(?:[.:—–-]?\s+([A-Z\"“(].*)|[.:]?)$"
)
_CONTENTS_ENTRY = re.compile(r"(?:\.{3,}|(?:\. ){3,}|…{2,}|·{3,}|\t|\s{4,})\s*[0-9ivx]{1,4}$")
_TITLE_WIDTH = 80


def chinese_heading_level(line: str) -> int | None:
    """1..4 for a whole line such as "第二章 考勤与休假" or "附则" (1), else ``None``."""
    stripped = line.strip()
    if _BARE_HEADING.match(stripped):
        return 1
    if is_contents_entry(stripped):
        return None
    found = _CHINESE_HEADING.match(stripped) or _TIGHT_CHINESE_HEADING.match(stripped)
    return _CHINESE_LEVELS[found.group(1)] if found else None


def decimal_number(line: str) -> tuple[int, ...]:
    """(1, 2) for "1.2 Scope", (3,) for "3、范围"; nothing for another line."""
    found = _DECIMAL.match(line)
    return tuple(int(part) for part in re.split("[.．]", found.group(1))) if found else ()


def numbered_heading_level(line: str) -> int | None:
    """How many numbers lead a line that reads like a title (2 for "1.2 Scope"), else ``None``.

    A single number (level 1) leads list items as well: only its neighbours tell.
    """
    stripped = line.strip()
    numbers = decimal_number(stripped)
    return len(numbers) if numbers and is_title_like(after_number(stripped)) else None


def chinese_number(line: str) -> tuple[str, int] | None:
    """("、", 3) for "三、附则" and ("（）", 3) for "（三）附则", else ``None``."""
    for style, pattern in (("、", _COUNTED), ("（）", _BRACKETED)):
        if found := pattern.match(line):
            return style, _value(found.group(1))
    return None


def after_number(line: str) -> str:
    """The words behind the number that leads a line."""
    for pattern in (_DECIMAL, _COUNTED, _BRACKETED):
        if found := pattern.match(line):
            return line[found.end() :]
    return line


def worded_heading(line: str) -> str:
    """The word that makes a line such as "CHAPTER IV" or "Section 4.2 Payment" a heading, or nothing.

    The number's depth is part of it: "section", "section.", "section.." for 4, 4.2, 4.2.1.
    """
    found = _WORDED.match(line.strip())
    if not found or (found.group(3) and not is_title_like(found.group(3))):
        return ""
    return found.group(1).lower() + "." * found.group(2).count(".")


def is_upper_heading(line: str) -> bool:
    """Whether a line is a few words in capitals: "RISK FACTORS". One short word alone is an acronym."""
    words = line.split()
    capitals = sum(char.isupper() for char in line)
    return (
        not re.search(r"[|_/<>@\\]", line)
        and capitals * 5 > len(line.replace(" ", "")) * 4
        and (2 <= len(words) <= 9 or (len(words) == 1 and len(line) >= 10))
        and line.upper() == line != line.lower()
        and any(len(word) >= 5 for word in words)
        and is_title_like(line)
    )


def is_title_like(line: str) -> bool:
    """Whether the words read like a title: short, no sentence, a capital or a Chinese character first."""
    words = line.strip().strip("*_")
    return (
        bool(words)
        and (words[0].isalnum() or words[0] in '(（《“"「【')
        and not words[0].islower()
        and not words[0].isdigit()
        and width(words) <= _TITLE_WIDTH
        and words[-1] not in ".。；;,，、:：︰!！…"
        and not re.search(r"[。；！，]|[.;!]\s+\S", words)
        and len(re.findall("[,、]", words)) <= 2
        and not is_contents_entry(words)
    )


def is_contents_entry(line: str) -> bool:
    """Whether a line of a table of contents: it ends with leaders or a gap and a page number."""
    return bool(_CONTENTS_ENTRY.search(line[-40:]))


def width(text: str) -> int:
    """Columns on a terminal; a Chinese character takes two."""
    return sum(2 if char >= "\u2e80" else 1 for char in text)


def with_section_paths(
    blocks: Iterable[Block], text: str, title_of: Callable[[str], str] | None = None
) -> tuple[Block, ...]:
    """The blocks with ``section_path`` set from the headings before them.

    ``title_of`` makes a heading's words from its source; by default ``heading_title``.
    """
    named = title_of or heading_title
    stack: list[tuple[int, str]] = []
    result: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            stack.append((block.level, named(block.span.of(text))))
        result.append(replace(block, section_path=tuple(title for _, title in stack)))
    return tuple(result)


def heading_title(source: str) -> str:
    """The words of a heading without its marks, underline and line breaks."""
    lines = [line for line in source.strip().splitlines() if not is_rule(line)] or [""]
    words = re.sub(r"^(?:#{1,6}|={1,6})\s+|\s+(?:#+|=+)\s*$", "", " ".join(lines))
    return " ".join(re.sub(r"^([*_]{1,3})(?=\S)(.+)(?<=\S)\1$", r"\2", words.strip()).split())


def is_rule(line: str) -> bool:
    """Whether a line is drawn: one mark again and again."""
    marks = line.strip()
    return len(marks) >= 2 and marks[0] in "=-~^*_#+\"'`" and len(set(marks)) == 1


def _value(numeral: str) -> int:
    """The number of a Chinese numeral up to 99; 0 for a malformed one."""
    tens, ten, ones = numeral.rpartition("十")
    if not ten:
        return _DIGITS.find(ones) + 1 if len(ones) == 1 else 0
    return 10 * (_DIGITS.find(tens) + 1 if tens else 1) + (_DIGITS.find(ones) + 1 if ones else 0)
