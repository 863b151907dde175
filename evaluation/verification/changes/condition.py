"""A bound turned round, a condition left out, "and" for "or"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evaluation.verification.case import Claim
from evaluation.verification.wording import each_applied, rules

_NUMBER: Final = r"(?<=[\d零一二三四五六七八九十百千万亿元年月日天人倍岁%％条])"
_BOUNDS_ZH: Final = rules(
    [
        (_NUMBER + r"以上(?![^，。；]{0,6}以下)(?!所述|规定)", "以下"),
        (r"(?<!以上..)(?<!以上...)(?<!以上....)" + _NUMBER + r"以下(?!列|简称|规定)", "以上"),
        (r"(?<=[日月年时])以?内(?=[，,向提作起书申予给通])", "之后"),
        (r"不超过|不得超过", "不低于"),
        (r"至少", "至多"),
        (r"最多(?=[\d一二三四五六七八九十可])", "最少"),
        (r"不少于", "不超过"),
        (r"不低于", "不高于"),
        (r"不高于", "不低于"),
        (r"(?<![不得])超过(?=[\d一二三四五六七八九十百千约])", "不足"),
        (r"(?<![不未])满(?=[\d一二三四五六七八九十])", "未满"),
        (r"(?:不满|未满)(?=[\d一二三四五六七八九十])", "已满"),
        (r"之前(?=[，的，])", "之后"),
        (r"以前(?=[，的])", "以后"),
        (r"(?<=[日月年时])前(?=[，向提作书申通])", "后"),
        (r"(?<=[日月年时生束成立])后(?=，)", "前"),
        (r"(?<!不)高于(?=[\d同其])", "低于"),
        (r"(?<!不)低于(?=[\d同其])", "高于"),
    ]
)
_BOUNDS_EN: Final = rules(
    [
        (r"\bat least\b", "at most"),
        (r"\bAt least\b", "At most"),
        (r"\bat most\b", "at least"),
        (r"\b(?<!no )more than\b(?= ?[\d$]| (?:one|two|three|ten|half))", "less than"),
        (r"\b(?<!no )less than\b(?= ?[\d$]| (?:one|two|three|ten|half))", "more than"),
        (r"\bfewer than\b", "more than"),
        (r"\bup to\b(?= ?[\d$])", "at least"),
        (r"\bover\b(?= ?[\d$])", "under"),
        (r"\bunder\b(?= ?\$?\d)", "over"),
        (r"\bbefore\b(?! ?[.,])", "after"),
        (
            r"(?<!soon )(?<!named )(?<!patterned )(?<!look )(?<!looking )(?<!sought )(?<!year )(?<!day )\bafter\b(?! all)",
            "before",
        ),
        (r"\bAfter\b(?! all)", "Before"),
        (r"\bBefore\b", "After"),
        (r"\bmaximum\b", "minimum"),
        (r"\bminimum\b", "maximum"),
        (r"\bno later than\b", "no earlier than"),
        (r"\bwithin\b(?= (?:\d|one|two|three|ten))", "not within"),
        (r"\bexceeding\b(?= ?[\d$])", "below"),
        (r"\babove\b(?= ?[\d$])", "below"),
        (r"\bbelow\b(?= ?[\d$])", "above"),
    ]
)
_DROPPED_ZH: Final = rules(
    [
        (r"(?<=，)但(?:是)?，?[^，。；]{2,40}除外(?=[。；])", ""),
        (r"^除[^，。；]{2,40}(?:以外|外)，(?![^，。；]{0,6}[还也亦并均都]|依法)", ""),
        (r"(?<=，)除[^，。；]{2,40}(?:以外|外)，(?![^，。；]{0,6}[还也亦并均都]|依法)", ""),
        (r"^(?:如果|如|若|倘若)[^，。；]{3,40}，", ""),
        (r"(?<=，)(?:经|未经)[^，。；]{2,20}(?:同意|批准|许可|书面同意)的?，", ""),
        (r"(?<=[\u4e00-\u9fff])(?<!不)(?:仅|只)(?=[限能可得])", ""),
        (
            r"^(?!前款|本|有下列)[^，。；、]{4,30}的，(?=[^。]{6,}。$)(?=[^。]*(?:应当|可以|不得|处|有权|承担|免除|解除))",
            "",
        ),
        (r"(?<=，)在[^，。；]{3,24}(?:情况下|情形下|条件下|前提下)，", ""),
        (r"^在[^，。；]{3,24}(?:情况下|情形下|条件下|前提下)，", ""),
    ]
)
_DROPPED_EN: Final = rules(
    [
        (
            r",? (?:unless|except|provided that|as long as|only if|except that|subject to|until) [^.;]{4,120}(?=\s?\.$)",
            "",
        ),
        (
            # Not what is asked or seen: "to see if".
            r"(?<!sure)(?<!see)(?<!know)(?<!wonder)(?<!ask)(?<!check)(?<!determine)(?<!decide)(?<!tell)(?<!as)"
            r"(?<!even)(?<!only)(?<!message)(?<!or),? if (?!not|any\b|applicable)[^.;]{8,120}(?=\s?\.$)",
            "",
        ),
        (r"^(?:If|Unless|When|Where|Once|Provided that|Except) [^,.;]{6,120}, (\w)", r"\1"),
        (r"\b(can|may|will|shall|must) only\b", r"\1"),
        (
            r" (?:within|for) (?:\d+|one|two|three|six|ten) (?:business |working )?(?:days?|weeks?|months?|years?)(?=\s?\.$)",
            "",
        ),
    ]
)
_AND_OR_ZH: Final = rules(
    [
        (r"(?<=[\u4e00-\u9fff])或者(?=[\u4e00-\u9fff]{2,}[^，。]*的，)", "并且"),
        (r"，并处(?!或者)", "，或者处"),
        (r"(?<=[\u4e00-\u9fff])并且(?=[\u4e00-\u9fff])", "或者"),
        (r"(?<=[\u4e00-\u9fff])并处(?!或者)", "或者处"),
    ]
)
_AND_OR_EN: Final = rules([(r"\beither (\w+(?: \w+)?) or\b", r"both \1 and")])
# Under a "not", and where something may be chosen, "and" and "or" come to the same.
_SAME_EITHER_WAY = re.compile(
    r"不|未|没|無|无|非|沒|可以|\b(?:no|not|without|any|can|may|could|might|cannot|never)\b|n['’]t\b",
    re.IGNORECASE,
)
_SHORTEST: Final = {"zh": 8, "en": 25}


def turned_round(claim: Claim) -> Iterator[str]:
    """At most for at least, after for before."""
    yield from each_applied(claim.sentence, _BOUNDS_ZH if claim.lang == "zh" else _BOUNDS_EN)


def dropped(claim: Claim) -> Iterator[str]:
    """Without its condition or its exception, as if it always held."""
    for changed in each_applied(claim.sentence, _DROPPED_ZH if claim.lang == "zh" else _DROPPED_EN):
        mended = re.sub(r"，+(?=[。，；])", "", changed)
        if len(mended) >= _SHORTEST[claim.lang]:
            yield mended[0].upper() + mended[1:]


def and_for_or(claim: Claim) -> Iterator[str]:
    """Both for one of two, or one of two for both, where that makes a difference."""
    if _SAME_EITHER_WAY.search(claim.sentence):
        return
    yield from each_applied(claim.sentence, _AND_OR_ZH if claim.lang == "zh" else _AND_OR_EN)
