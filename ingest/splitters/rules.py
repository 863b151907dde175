"""Words at a border that say: what follows is not understood without what stands before.

Each rule has a name, which becomes the reason of a merge, and a weight: what it costs to cut there
(``partition`` holds the scale). Chinese in both scripts and English; texts in other languages have only
the marks. Sources: 000 (leaders, transitions, coreference), 002 (conditions), each widened.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

STRONG: Final = 20.0
FIRM: Final = 8.0
MILD: Final = 1.0

# How much of each side is looked at, in characters.
TAIL: Final = 160
HEAD: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Bond:
    """Why two neighbours belong together, and what it costs to part them."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What a rule sees of one side of a border: ``text`` is its end (left) or its beginning (right).

    ``depth`` is how many levels a list item stands under the outermost ones of its section.
    """

    text: str
    is_item: bool
    depth: int = 0


def bond_of(left: Side, right: Side, off: frozenset[str] = frozenset()) -> Bond | None:
    """The heaviest bond between two neighbours, or ``None``; rules named in ``off`` are not asked."""
    head = _bare(right.text)
    found: Bond | None = None
    for name, rule in _RULES:
        weight = rule(left, right, head) if name not in off else 0.0
        if weight and (found is None or weight > found.weight):
            found = Bond(name=name, weight=weight)
    return found


_NUMBER = re.compile(
    r"\s*(?:\*\*)?(?:第[0-9０-９〇零一二三四五六七八九十百千两]+[条條款项項]|[(（][\w]{1,3}[)）]|\d{1,3}[.)、．]|[-*+•·]\s)[\s　:：]*"
)


def _bare(head: str) -> str:
    """The words behind an article's or an item's number."""
    found = _NUMBER.match(head)
    return head[found.end() :] if found else head.lstrip()


_HAN_LEADER = re.compile(
    r"(?:如下|下列[^。；，,]{0,12}|以下[^。；，,]{0,8}|包括|分别为|分別為|步骤|步驟)[，,]?\Z"
)
_LATIN_LEADER = re.compile(r"\b(?:as follows|the following(?: \w+){0,3}|including|such as|namely)\Z")
_LATIN_LEADERS: Final = ("as follows", "including", "such as", "namely")
# How far before its end a leader's words may begin: the rest of the side is not searched.
_HAN_REACH: Final = 16
_LATIN_REACH: Final = 80
_LEADER_CLOSERS: Final = '"”』*_'


def _list_leader(left: Side, right: Side, head: str) -> float:
    """A line that announces what follows (如下：, "the following:"), or the first item of a list."""
    tail = _bare_end(left.text)
    if tail.endswith((":", "：")) or _HAN_LEADER.search(tail, max(len(tail) - _HAN_REACH, 0)):
        return STRONG
    words = tail[-_LATIN_REACH:].lower()
    if (words.endswith(_LATIN_LEADERS) or "the following" in words) and _LATIN_LEADER.search(words):
        return STRONG
    return FIRM if right.is_item and not left.is_item else 0.0


def _bare_end(tail: str) -> str:
    """The words before white space, closing quotes and marks of emphasis."""
    bare = tail.rstrip().rstrip(_LEADER_CLOSERS)
    return bare if bare == tail else _bare_end(bare)


def _list(left: Side, right: Side, head: str) -> float:
    """Items of one list: the deeper the more, and the first one under another as much as a list and its lead."""
    if not (left.is_item and right.is_item):
        return 0.0
    return FIRM if right.depth > left.depth else min(MILD + right.depth, FIRM - 1)


_TURN = re.compile(
    r"(?:但(?!丁|书|書|凡)|然而|不过|不過|可是|反之|相反|因此|因而|所以|于是|於是|其中|例如|比如|譬如|也就是说|也就是說|换言之|換言之"
    r"|即使如此|尽管如此|儘管如此|需要注意|值得注意|除此之外)(?!人|物|家)"
    r"|(?:however|but|nevertheless|nonetheless|therefore|thus|hence|consequently|as a result|accordingly"
    r"|for example|for instance|in other words|that is|in contrast|by contrast|on the other hand|instead"
    r"|yet|still|conversely|specifically|in particular)\b",
    re.IGNORECASE,
)
_ADDITION = re.compile(
    r"(?:另外|此外|同时|同時|与此同时|與此同時|并且|並且|而且|随后|隨後|接着|接著|综上|綜上|总之|總之|另一方面)"
    r"|(?:moreover|furthermore|also|in addition|additionally|similarly|likewise|meanwhile|then|overall)\b",
    re.IGNORECASE,
)


def _transition(left: Side, right: Side, head: str) -> float:
    """但是, 因此, "however": a turn or a consequence; an addition (另外, "also") holds less."""
    if _TURN.match(head):
        return FIRM
    return MILD if _ADDITION.match(head) else 0.0


_POINTS_BACK = re.compile(
    r"(?:该|該|上述|前述|前者|后者|後者|二者|两者|兩者|此(?!外|后|後|次|前)|这(?!里|边)|這(?!裡|邊)|对此|對此|为此|為此|以上)"
    r"|[^，。；,;]{0,14}(?:前款|前项|前項|前条|前條|前两|前兩|前述|上述|本款|本项|本項|(?<![条條])第[一二三四五六七八九十]+[款项項])"
    r"|(?:this|these|those|such|the (?:above|former|latter|same|said))\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:其(?![他它余餘实實中次])|他(?!国|人)|她|它)|(?:it|they|its|their|he|she|his|her|that|both)\b",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(r"(?:该|該|这|這|此)[^，。；,;]{1,10}(?:是指|指的是)")


def _coreference(left: Side, right: Side, head: str) -> float:
    """A subject that only the text before names: 该, 上述, 前款, "this"; a pronoun holds less."""
    if _POINTS_BACK.match(head) and not _OWN_SUBJECT.match(head):
        return FIRM
    return MILD if _PRONOUN.match(head) else 0.0


_CONSEQUENCE = re.compile(
    r"(?:则|則|那么|那麼|否则|否則|不然|除外|除非|除(?=[^，。]{1,40}外)|如不|如未|若不|若未|有前款|有下列情形之一的除外)"
    r"|(?:then|otherwise|unless|provided(?: that)?|except|if so|if not|in that case|in such (?:a )?case"
    r"|failing (?:this|which|that)|notwithstanding)\b",
    re.IGNORECASE,
)
_OPEN_CONDITION = re.compile(
    r"(?:^|[。；;\n])\s*(?:若|如果|如|倘|假如|只要|只有|凡|当|當|(?:if|when|where|unless|provided)\b)[^。；;\n]{1,120}[，,、]\s*$",
    re.IGNORECASE,
)


def _condition(left: Side, right: Side, head: str) -> float:
    """A condition and what follows from it, a rule and its exception."""
    if left.text.rstrip().endswith(("，", ",", "、")) and _OPEN_CONDITION.search(left.text):
        return STRONG
    return FIRM if _CONSEQUENCE.match(head) else 0.0


_NEXT_ORDINAL = re.compile(
    r"(?:[二三四五六七八九十]是|其[二三四五六]|第[二三四五六七八九][，,、]|其次|再次|最后[，,]?|最後[，,]?)"
    r"|(?:secondly|thirdly|second,|third,|fourth,|next,|finally|lastly)",
    re.IGNORECASE,
)


def _ordinal(left: Side, right: Side, head: str) -> float:
    """一是 … 二是 …, "First … Second, …"."""
    return FIRM if _NEXT_ORDINAL.match(head) else 0.0


_DEFINES = ("指", "简称", "簡稱", "means", "refers to", "defined as")
_DEFINED = re.compile(
    r"(?:所称的?|所稱的?)[“\"「]?([^“”\"「」，,。；]{2,14}?)[”\"」]?[，,]?是?指"
    r"|(?:以下简称|以下簡稱|下称|简称|簡稱)(?:为|為)?[“\"「《]?([^”\"」》）)，。；]{2,14})"
    r"|[“\"]([^“”\"]{2,40})[”\"] (?:means|refers to|is defined as)"
    r"|(?:^|[.;] )(?:An?|The) ([\w -]{2,40}?) (?:means|refers to|is defined as)\b"
)


def _definition(left: Side, right: Side, head: str) -> float:
    """A term and the sentence after it that uses it."""
    for cue in _DEFINES:
        if cue in left.text:
            break
    else:
        return 0.0
    for found in _DEFINED.finditer(left.text):
        term = next(filter(None, found.groups()))
        if term.casefold() in right.text.casefold():
            return FIRM
    return 0.0


_ANSWER = re.compile(r"(?:答|A|Answer)\s*[:：]")


def _question(left: Side, right: Side, head: str) -> float:
    """A question and its answer."""
    if _ANSWER.match(right.text.lstrip()):
        return STRONG
    return FIRM if left.text.rstrip("*_ \n").endswith(("？", "?")) else 0.0


def _continuation(left: Side, right: Side, head: str) -> float:
    """A sentence that goes on: no mark ends the left side, and the right one starts in the middle."""
    begins = right.text.lstrip()[:1]
    if begins in "，、；,;" or (begins.islower() and left.text.rstrip()[-1:].isalpha()):
        return STRONG
    return 0.0


_RULES: Final[tuple[tuple[str, Callable[[Side, Side, str], float]], ...]] = (
    ("list_leader", _list_leader),
    ("list", _list),
    ("transition", _transition),
    ("coreference", _coreference),
    ("condition", _condition),
    ("ordinal", _ordinal),
    ("definition", _definition),
    ("question", _question),
    ("continuation", _continuation),
)
RULE_NAMES: Final = tuple(name for name, _ in _RULES)
