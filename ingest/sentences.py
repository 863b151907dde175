"""Where sentences end, in Chinese and English, with exact offsets."""

from __future__ import annotations

import re

from core.span import Span, trimmed

_CLOSERS = "”’」』）)】〕》〉\"'］]"
_CLOSING = f"[{re.escape(_CLOSERS)}]*"
# Marks that no sentence starts with: an end before them is none.
_GOES_ON = "，,、；;：:％%》〉"
_HARD_END = re.compile(
    rf"[!?]*[。！？…][。！？!?….．]*{_CLOSING}|[!?]+{_CLOSING}(?=\s|$|[\u2e80-\uffef])|[.．]+{_CLOSING}(?=\s|$)|\r\n?|\n"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|vs|etc|e\.g|i\.e|cf|al|Inc|Ltd|Co|Corp|No|Nos|Fig|Figs|Eq|Sec|Art"
    r"|Vol|pp?|approx|dept|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|U\.S|a\.m|p\.m))$"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*[(（]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z])$")
_OPENS_ANEW = re.compile(
    r"[ \t\u3000]*(?:[-*+•·]\s|\d{1,3}[.)、．]|[(（]|第|#|\||[一二三四五六七八九十]{1,3}、|[①-⑳]|\r?\n)"
)


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Sentences of ``text[start:end]`` in order, without white space at their ends, none blank.

    Closing quotes and brackets stay with the sentence they close. Abbreviations, list numbers and
    decimals do not end one. A line break ends one unless it only wraps a line of Latin prose.
    """
    stop = len(text) if end is None else end
    found: list[Span] = []
    begin = start
    for mark in _HARD_END.finditer(text, start, stop):
        if not _ends_sentence(text, begin, mark):
            continue
        if (span := trimmed(text, begin, mark.end())) is not None:
            found.append(span)
        begin = mark.end()
    if (span := trimmed(text, begin, stop)) is not None:
        found.append(span)
    return found


def _ends_sentence(text: str, begin: int, mark: re.Match[str]) -> bool:
    source = mark.group()
    if source[0] in "\r\n":
        return not wraps_line(text, mark.start(), mark.end())
    if source[0] in ".．":
        before = text[begin : mark.start()]
        if len(source.rstrip(_CLOSERS)) > 2:
            return True
        if _ABBREVIATION.search(before[-8:]) or _LIST_NUMBER.search(text[max(begin - 1, 0) : mark.start()]):
            return False
    # A quoted end inside a sentence: 他说：“好。”然后走了。
    following = text[mark.end() : mark.end() + 1]
    if following and following in _GOES_ON:
        return False
    closed = source[-1] in _CLOSERS
    return not (closed and following and (following.islower() or following in "的地得了着就才便然"))


def wraps_line(text: str, start: int, end: int) -> bool:
    """Whether the line break at ``[start, end)`` stands inside a sentence of hard-wrapped Latin prose."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 8]
    if not before or not after or _OPENS_ANEW.match(after):
        return False
    return before < "\u2e80" and before not in ".!?:;|" and after[0].isalnum() and after[0] < "\u2e80"
