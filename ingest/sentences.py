"""Where sentences end, in any script that marks it, with exact offsets.

One compiled scan stops at every mark that may end a sentence; what stands around it decides. Each decision
looks at a bounded number of characters, so the time is linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from typing import Final

from core.span import Span, trimmed
from ingest.abbreviations import abbreviates

# Unicode's sentence terminals of living scripts, less those that are also used inside words.
_STRONG: Final = "。！？｡؟۔।॥։።፧၊။។៕‼⁇⁈⁉‽"
_ELLIPSIS: Final = "…⋯"
_STOPS: Final = _STRONG + _ELLIPSIS + "!?.．"
_BREAKS: Final = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
_BLANK: Final = r"\s\u200b\u200c\u200d\u2060\ufeff\u00ad"
_QUOTES: Final = "”’」』\"'»›＂"
_BRACKETS: Final = "）)】〕］]"
_TITLES: Final = "》〉"
_CLOSERS: Final = _QUOTES + _BRACKETS + _TITLES
# Closers that open nothing: they close even behind a space.
_ALWAYS_CLOSE: Final = "”」』）)】〕》〉］"
_OPENING: Final = "“‘「『《〈（【"
_STRONG_MARKS: Final = frozenset(_STRONG)
_ROUND_CLOSERS: Final = frozenset("）)")
# Behind a space, a straight quote closes only where another space follows it.
_CLOSES_LATE: Final = rf"(?:[{_STRONG}{_ELLIPSIS}{re.escape(_ALWAYS_CLOSE)}]++|[\"'](?!\S))"
# A mark, then either (a line break) all white space, or the run of marks and closers that belongs to it and
# the references "[1]" and "¹" behind it (group 1; the references alone are group 2), then all white space.
_MARK = re.compile(
    rf"[{_STOPS}{_BREAKS}](?:(?<=[{_BREAKS}])[{_BLANK}]*+"
    rf"|([{_STOPS}{re.escape(_CLOSERS)}]*+(?:[{_BLANK}]*+{_CLOSES_LATE})*+"
    rf"((?:\[\d{{1,3}}(?:[-–,，、] ?\d{{1,3}})*\]|[¹²³⁰⁴-⁹])*+))[{_BLANK}]*+)"
)
# Marks that no sentence starts with: an end before them is none. ".NET" and ":param" do start one.
_GOING_ON: Final = frozenset(f"，、；：％.,;:!?%]}}{_STRONG}{_ELLIPSIS}{_ALWAYS_CLOSE}")
_STARTS_SO = re.compile(r"[.,;:!?%\]][\w:\[]")
# Behind a closing quote: particles, "and so on", and who said it.
_AFTER_QUOTE = re.compile(
    r"[的地得了着就才便等]|然后|[とのはがをに]|って"
    r"|[^，。！？；：“”\s没不]{0,6}(?:[说问答喊叫]|(?<!知)道|表示|认为|指出)[道着]?[，。；！]"
    r"|[^、。！？\s]{0,8}(?:言っ|話し|尋ね|答え|叫ん)"
    r"|(?:[A-Z][\w.]{0,20}\s){1,3}(?:said|says|asked|asks|replied|cried|shouted|added|wrote)\b"
)
_OPENS_ANEW = re.compile(
    r"[ \t\u3000]*(?:[-*+•·]\s|(?:\d{1,3}|[A-Za-z])[.)、．]|[(（]|第|#|\||[一二三四五六七八九十]{1,3}、|[①-⑳]|\r?\n)"
)
_LINE_BREAK = re.compile(rf"\r\n?|[{_BREAKS}]")
_FIRST_LETTER = re.compile(r"[ \t\u3000]*+(\w)")
_EAST_ASIAN: Final = "\u2e80"
_LOOK_BACK: Final = 200
_LOOK_AHEAD: Final = 80
_WRAP_COLUMNS: Final = 60


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Sentences of ``text[start:end]`` in order, without white space at their ends, none blank.

    Closing quotes and brackets stay with the sentence they close. Abbreviations, list numbers and
    decimals do not end one. A line break ends one unless it only wraps a line of prose.
    """
    stop = len(text) if end is None else end
    found: list[Span] = []
    begin = start
    for mark in _MARK.finditer(text, start, stop):
        if mark.end() == stop:
            break
        border = _border(text, begin, mark)
        if border > begin:
            if (span := trimmed(text, begin, border)) is not None:
                found.append(span)
            begin = border
    if (span := trimmed(text, begin, stop)) is not None:
        found.append(span)
    return found


def _border(text: str, begin: int, mark: re.Match[str]) -> int:
    """Where the sentence after ``mark`` starts, or -1 when it ends none. Something follows the mark."""
    at, after = mark.span()
    following = text[after]
    if following in _GOING_ON and not _STARTS_SO.match(text, after):
        return -1
    if mark[1] is None:
        line_end = at + (2 if text.startswith("\r\n", at) else 1)
        return -1 if wraps_line(text, at, line_end) else after
    run = text[at : mark.start(2)]
    if run in _STRONG:
        return -1 if _in_brackets(text, begin, at) else after
    if run[-1] == '"' and after == mark.end(1) and text.count('"', max(begin, at - _LOOK_BACK), at) % 2 == 0:
        # It opens what follows.
        run, after = run[:-1], after - 1
    if not _ends(text, begin, mark, run, after):
        return -1
    closed = run[-1] not in _CLOSERS and not _ROUND_CLOSERS.isdisjoint(run)
    return after if closed or not _in_brackets(text, begin, at) else -1


def _ends(text: str, begin: int, mark: re.Match[str], run: str, after: int) -> bool:
    """Whether ``run``, marks and closers from ``mark`` on, ends a sentence when the next starts at ``after``."""
    at, following = mark.start(), text[after]
    gap = text[mark.end(1) : after]
    if gap and _breaks_paragraph(text, mark.end(1), after):
        return True
    if run[-1] in _CLOSERS:
        if run[-1] in _TITLES or following.islower() or _AFTER_QUOTE.match(text, after):
            return False
    elif mark[2]:
        return True
    if not _STRONG_MARKS.isdisjoint(run):
        return True
    if "!" in run or "?" in run:
        return bool(gap) or following >= _EAST_ASIAN or following in _OPENING
    if "…" in run or "⋯" in run or "..." in run:
        return not following.islower() if gap else run[-1] in _CLOSERS or not following.isalnum()
    if not gap:
        before = text[at - 1 : at]
        return before >= _EAST_ASIAN and following >= _EAST_ASIAN and not before.isdigit()
    if following.islower() and not text[begin].islower() and not text[after + 1 : after + 2].isupper():
        # Not in a text without capitals, and not before "iPhone".
        return False
    return not abbreviates(text, begin, at, after)


def _in_brackets(text: str, begin: int, at: int) -> bool:
    """Whether ``at`` stands in round brackets inside the sentence that starts at ``begin``."""
    first = max(begin + 1, at - _LOOK_BACK)
    for opener, closer in ("（）", "()"):
        opened = text.rfind(opener, first, at)
        if opened > text.rfind(closer, first, at) and text.find(closer, at, at + _LOOK_AHEAD) >= 0:
            return True
    return False


def _breaks_paragraph(text: str, start: int, after: int) -> bool:
    """Whether the white space at ``[start, after)`` holds a line break that no wrapped line of prose has."""
    found = _LINE_BREAK.search(text, start, after)
    if found is None:
        return False
    return text[after] >= _EAST_ASIAN or _OPENS_ANEW.match(text, found.end()) is not None


def wraps_line(text: str, start: int, end: int) -> bool:
    """Whether the line break at ``[start, end)`` stands inside a sentence of hard-wrapped prose.

    So it does behind a comma, before a small letter, and behind a long line of Latin prose.
    """
    if start == 0 or _OPENS_ANEW.match(text, end) or not (first := _FIRST_LETTER.match(text, end)):
        return False
    line = text[max(start - _WRAP_COLUMNS, 0) : start]
    before, following = line.rstrip(" \t")[-1:], first[1]
    if before in "，、,":
        return True
    if before >= _EAST_ASIAN or following >= _EAST_ASIAN or before in ".!?:;|\n\r":
        return False
    is_long = len(line) == _WRAP_COLUMNS and "\n" not in line
    return "|" not in line and (is_long or following.islower())
