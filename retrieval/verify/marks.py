"""Small words that turn a statement: negation and duty, bounds, order in time, all and some, and and or."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Mark(StrEnum):
    """What a small word does. Words of one group exclude each other where they stand at the same place."""

    DENY = "deny"
    EXEMPT = "exempt"
    MUST = "must"
    MAY = "may"
    UP = "up"
    DOWN = "down"
    BEFORE = "before"
    AFTER = "after"
    ALL = "all"
    SOME = "some"
    AND = "and"
    OR = "or"


STANCES: Final = frozenset((Mark.DENY, Mark.EXEMPT, Mark.MUST, Mark.MAY))
LIMITS: Final = frozenset((Mark.UP, Mark.DOWN, Mark.BEFORE, Mark.AFTER))
EXTENTS: Final = frozenset((Mark.ALL, Mark.SOME))
JOINTS: Final = frozenset((Mark.AND, Mark.OR))
GROUPS: Final = (LIMITS, EXTENTS, JOINTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMark:
    """A mark at ``[start, end)`` of the folded text."""

    mark: Mark
    start: int
    end: int


# Words that hold such a sign and turn nothing, tried first.
_NEUTRAL: Final = (
    r"不仅|不但|不过|不同|不断|不管|不论|无论|非常|非洲|[东西南北]非|未来|除非|不久|不锈|不动产|不可抗力|无线|无人机|无机|无锡|无产|没收|没落"
    r"|[淹沉出埋]没|非典|莫非|[是能可与]否|否则|无不|无非|不免|不禁|不愧|不料|不妨|不幸|不丹|不列颠|不朽|无限|无数|无穷|无名|不少(?!于)"
    r"|不得不|不能不|不可不|相应|反应|供应|响应|适应|效应|对应|应用|应急|应聘|应对|应届|应收|应付|应税|应邀|应纳|可能|可见|可靠|可持续|可行|可观"
    r"|可是|可乐|可惜|可谓|可爱|功能|性能|职能|智能|节能|能力|能源|能量|能耗|全能|才能|技能|潜能|核能|动能|须知|和平|和谐|和解|和睦|和尚|共和|与会"
    r"|参与|及时|及格|涉及|以及其|普及|埃及|并购|并列|并发|合并|吞并|未婚|无缘|无故|不锈钢|不等|不一"
)
_ENGLISH_NEUTRAL: Final = r"not only|whether or not|no doubt|nothing but|no\.(?=\s?\d)|and/or|as well as"
_HAN: Final = (
    (
        Mark.DOWN,
        r"不得?(?:超过|高于|多于|大于)|未超过|不满|不足|未满|少于|低于|小于|以下|以内|之内|至多|不到|(?:最多|最高)(?=\D{0,3}\d)",
    ),
    (Mark.BEFORE, r"不得?[晚迟]于|早于|之前|以前"),
    (Mark.AFTER, r"不得?早于|晚于|之后|以后"),
    (
        Mark.UP,
        r"不得?(?:少于|低于|小于|下于)|超过|多于|高于|大于|以上|至少|起码|逾|[已年]?满(?=[\d一二三四五六七八九十百两])|(?:最少|最低)(?=\D{0,3}\d)",
    ),
    (Mark.EXEMPT, r"无需|无须|毋须|毋需|不必|不需要?|不须|不用|可以?不(?!得)|免于"),
    (
        Mark.DENY,
        r"不得|不能够?|不可以?|不许|不准|不应当?该?|不再|不会|不予|不曾|不是|禁止|严禁|[切请]?勿|未曾|没有|没|未|无|缺乏|缺少|并非|非|不|毋",
    ),
    (Mark.MUST, r"必须|应当|应该|务必|应|须|需要|需(?!求)"),
    (Mark.MAY, r"可以|能够|有权|允许|准许|准予|可|能"),
    (Mark.ALL, r"全部|所有|一切|任何|全体|一律|均|都(?![市城])"),
    (Mark.SOME, r"大部分|大多数|(?<!第.)部分|某些|有些|一些|个别|少数|多数"),
    (Mark.OR, r"或者|或是|或"),
    (Mark.AND, r"以及|并且|和|与|及|并|且"),
)
_BEFORE_NUMBER: Final = (
    r"(?=\s(?:the age of\s|age\s)?(?:\D{0,6}\d|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))"
)
_ENGLISH: Final = (
    (
        Mark.DOWN,
        r"(?:(?:may|must|shall|should|can|do|does|is|are) ?)?(?:no|not|n't)(?: be)?"
        r" (?:more|greater|higher|longer|larger) than"
        r"|(?:must |may |shall |should |do |does |did |can)?not (?:to )?exceed(?:ing)?|at most|up to"
        rf"|(?:less|fewer|lower|smaller|shorter) than|within|or (?:less|fewer|under|below)|(?:under|below){_BEFORE_NUMBER}|a? ?maximum of",
    ),
    (Mark.BEFORE, r"(?:no|not) later than|before|prior to|until"),
    (Mark.AFTER, r"(?:no|not) (?:earlier|sooner) than|after|since"),
    (
        Mark.UP,
        r"(?:(?:may|must|shall|should|can|do|does|is|are) ?)?(?:no|not|n't)(?: be)? (?:less|fewer|lower|shorter) than|at least"
        r"|(?:more|greater|higher|larger|longer) than|or (?:more|over|above)|exceed(?:s|ed|ing)?"
        rf"|in excess of|(?:over|above){_BEFORE_NUMBER}|a? ?minimum of",
    ),
    (
        Mark.EXEMPT,
        r"need(?: not|n't)|(?:is|are|was|were|be)?(?: not|n't) (?:required|obliged|obligated|necessary)(?: to)?"
        r"|(?:do|does|did)(?: not|n't) (?:need|have) to|no need to|exempt(?:ed)? from",
    ),
    (
        Mark.DENY,
        r"(?:must|may|shall|should|can|could|will|would|do|does|did|is|are|was|were|has|have|had)(?: not|n't)(?! only)(?: be)?"
        r"|can ?not|can't|won't|not(?! only)|never|neither|nor|none|no|without"
        r"|prohibited|prohibits?|forbidden|forbids?|nobody|nothing|unable to|lack(?:s|ed|ing)?"
        r"|fail(?:s|ed)? to",
    ),
    (
        Mark.MUST,
        r"must|shall|should|(?:is |are )?required to|needs? to|ha(?:s|ve) to|(?:is |are )?obliged to",
    ),
    (Mark.MAY, r"may|can|(?:is |are )?(?:allowed|permitted|entitled|able) to"),
    (Mark.ALL, r"all|every|entire"),
    (Mark.SOME, r"some|most|several|part of"),
    (Mark.OR, r"or"),
    (Mark.AND, r"and"),
)


def _joined(rows: tuple[tuple[Mark, str], ...]) -> str:
    return "|".join(f"(?P<{mark.value}>{pattern})" for mark, pattern in rows)


_HAN_MARK = re.compile(rf"(?P<neutral>{_NEUTRAL})|{_joined(_HAN)}")
_ENGLISH_MARK = re.compile(
    rf"(?<![a-z0-9-])(?:(?P<neutral>{_ENGLISH_NEUTRAL})|{_joined(_ENGLISH)})(?![a-z0-9])"
)
# Behind a number or a date a single sign is enough: 3日内, 5月1日前, 满三年后, 2024年起.
_BEHIND: Final = {"内": Mark.DOWN, "前": Mark.BEFORE, "后": Mark.AFTER}


def marks(text: str) -> Iterator[FoundMark]:
    """The marks of a folded text; those of one language in order, without overlaps."""
    for pattern in (_HAN_MARK, _ENGLISH_MARK):
        for match in pattern.finditer(text):
            name = match.lastgroup or ""
            if name != "neutral":
                yield FoundMark(mark=Mark(name), start=match.start(), end=match.end())


def mark_behind(text: str, at: int) -> FoundMark | None:
    """The bound that a single sign right behind a number or date at ``at`` sets."""
    mark = _BEHIND.get(text[at : at + 1])
    return FoundMark(mark=mark, start=at, end=at + 1) if mark else None


def opposed(left: Mark, right: Mark) -> bool:
    """Whether two marks of one group cannot both be true of the same thing."""
    if left is right or {left, right} == {Mark.DOWN, Mark.BEFORE}:
        return False
    return any(left in group and right in group for group in GROUPS)
