"""Further changes and rewordings with words of their own, kept apart from the other rules.

They were chosen without the verifier's lists, and none of their cases was looked at while it was written:
they show how far it reaches beyond the words it was made with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evaluation.verification.case import Claim
from evaluation.verification.wording import all_applied, each_applied, rules

_PAIRS_ZH: Final = (
    "东部 西部|南部 北部|东北 西南|上方 下方|内部 外部|室内 室外|国内 国外|进口 出口|购买 出售|胜利 惨败|出生 逝世|年轻 年老"
    "|古代 现代|城市 乡村|开始 结束|简单 复杂|稀有 常见|快速 缓慢|大型 小型|长期 短期|主动 被动|故意 过失|温暖 寒冷"
    "|富裕 贫穷|夏季 冬季|公立 私立|男性 女性|陆地 海洋|左侧 右侧|最初 最终|最多 最少|最长 最短|上游 下游|白天 夜间|拥有 缺乏"
)
_PAIRS_EN: Final = (
    "import export|buy sell|day night|large small|urban rural|domestic foreign"
    "|internal external|short-term long-term|male female|summer winter|morning evening|inside outside|few many"
    "|fast slow|heavy light|wet dry|encourage discourage|allow forbid|true false|rich poor"
    "|bought sold|opened closed|strong weak|young old|ancient modern|ground air"
)
_OPPOSITES: Final = rules(
    (rf"(?<!& )\b{old}\b" if old.isascii() else rf"{old}(?![地权])", new)
    for row in (_PAIRS_ZH, _PAIRS_EN)
    for pair in row.split("|")
    for old, new in (tuple(pair.split()), tuple(pair.split()[::-1]))
)
_DENIED: Final = rules(
    [
        (r"(?<![不没未])使用(?=[^，。者权人]{3})", "从不使用"),
        (r"(?<![不没未续复])存在(?!的)", "并不存在"),
        (r"(?<![不没未])允许", "严禁"),
        (r"(?<![不没未能机社协议大工商])会(?=[在被对使导造产出影])", "绝不会"),
        (r"\bis able to\b", "is unable to"),
        (r"\b(has|have|had) a\b", r"\1 no"),
        (r"\bprovides\b", "fails to provide"),
        (r"\bincludes\b", "excludes"),
        (r"\balways\b", "never"),
        (r"\b(is|was|are|were) (?=[a-z]+ed\b)", r"\1 never "),
        (r"\ballows\b", "prevents"),
        (r"\bmust\b(?! not)", "need not"),
        (r"\bAll\b", "None of the"),
    ]
)
_ALIKE: Final = rules(
    [
        (r"城市", "都市"),
        (r"之后", "以后"),
        (r"成立", "创办"),
        (r"许多", "很多"),
        (r"帮助", "协助"),
        (r"如果", "若"),
        (r"因此", "所以"),
        (r"同时", "与此同时"),
        (r"以便", "好让"),
        (r"立即", "马上"),
        (r"告知", "通知"),
        (r"不能", "无法"),
        (r"没有", "未有"),
        (r"\bchildren\b", "kids"),
        (r"\bused\b(?! to\b)", "employed"),
        (r"\bbuy\b", "purchase"),
        (r"\boften\b", "frequently"),
        (r"\bbecause\b", "since"),
        (r"\bimportant\b", "crucial"),
        (r"\blocated\b", "situated"),
        (r"\bcannot\b", "can't"),
        (r"\bdo not\b", "don't"),
        (r"\bis not\b", "isn't"),
        (r"\bshows\b", "indicates"),
        (r"\babout\b", "around"),
        (r"\bover\b(?= \d)", "more than"),
        (r"\bcompany\b", "firm"),
    ]
)
_DENIES: Final = re.compile(r"\b(?:no|not|none|never|nor|neither|without)\b|n['’]t\b", re.IGNORECASE)
_LEADS: Final = {"zh": "根据上述资料，", "en": "According to the source, "}


def opposite(claim: Claim) -> Iterator[str]:
    """South for north, sold for bought."""
    yield from each_applied(claim.sentence, _OPPOSITES)


def denied(claim: Claim) -> Iterator[str]:
    """Denied without a plain "not": never, fails to, refuses."""
    if not _DENIES.search(claim.sentence):
        yield from each_applied(claim.sentence, _DENIED)


def reworded(claim: Claim) -> Iterator[str]:
    """All words for which another is known, and who says so."""
    sentence = all_applied(claim.sentence, _ALIKE)
    if sentence != claim.sentence:
        small = sentence[0].lower() if claim.lang == "en" and sentence[1:2].islower() else sentence[0]
        yield _LEADS[claim.lang] + small + sentence[1:]
