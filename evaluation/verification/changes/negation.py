"""A statement denied, a denial taken away, and words for their opposites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evaluation.verification.case import Claim
from evaluation.verification.wording import each_applied, rules

_ADDED_ZH: Final = rules(
    [
        (r"(?<!不)可以(?!不)", "不可以"),
        (r"(?<![不相对])应当(?!不)", "不应当"),
        (r"(?<!不)必须(?!不)", "不必"),
        (r"(?<![不很])能够", "不能"),
        (r"(?<!没)有权", "无权"),
        (r"(?<![不从附隶])属于", "不属于"),
        (r"(?<!不)包括", "不包括"),
        (r"(?<![不没])具有(?!的)", "不具有"),
        (r"(?<![不没])位于", "不位于"),
        (r"(?:^|(?<=[，；]))([^，。；由不]{1,14})承担(?=[^，。]{0,12}责任)", r"\1不承担"),
        (r"(?<!不)予以", "不予"),
        (r"(?<=[，。])适用", "不适用"),
        (
            r"(?<![不但于还就总正凡若要可只既或都也便算而却倒硬虽说即更才均皆])是(?=一[个位种座名家条项部支]|[指由])",
            "不是",
        ),
        (r"(?<![没未不])获得了?", "没有获得"),
        (r"(?<![没未不])达到了?", "没有达到"),
        (r"(?<![没未不])发现了?", "没有发现"),
        (r"(?<![没未不])成立了", "没有成立"),
        (r"(?<![没未不])实现了", "没有实现"),
        (r"(?<![没未不])采取了", "没有采取"),
        (r"(?<![没未不])增加了", "没有增加"),
        (r"(?<![没未不])出版了", "没有出版"),
        (r"(?<![没未不])完成了", "没有完成"),
        (r"(?<![没未不])提高了", "没有提高"),
        (r"(?<![没未不])推出了", "没有推出"),
        (r"(?<![没未不])进行了", "没有进行"),
    ]
)
_REMOVED_ZH: Final = rules(
    (f"并?{old}" if old.startswith("不") else old, new)
    for old, new in [
        (r"(?<!非)不得(?!不|已|超过)", "可以"),
        (r"不能(?!不|自拔|只|仅|够)", "能"),
        (r"不应当(?!不)", "应当"),
        (r"无权", "有权"),
        (r"不予(?!以)", "予以"),
        (r"没有(?!不)", "有"),
        (r"不属于", "属于"),
        (r"不包括", "包括"),
        (r"不承担", "承担"),
        (r"(?<!认定)无效(?!果)", "有效"),
        (r"禁止", "允许"),
        (r"不存在", "存在"),
        (r"不影响", "影响"),
        (r"并非", "是"),
        (r"(?<!是)不是(?!不)", "是"),
        (r"无法", "能够"),
        (r"无需|无须|不必", "需要"),
        (r"不可以", "可以"),
        (r"不具有", "具有"),
        (r"不具备", "具备"),
        (r"不适用", "适用"),
        (r"不低于", "低于"),
        (r"未能", "能够"),
        (r"未获得|未取得", "取得"),
        (r"不再", "仍"),
        (r"不需要", "需要"),
        (r"不构成", "构成"),
        (r"不受(?!理)", "受"),
    ]
)
_AUXILIARIES: Final = (
    "is|are|was|were|has been|have been|had been|can|could|must|shall|will|would|should|may|might"
)
_NO_NOUN: Final = r"(?<!the )(?<!free )(?<!there )"
_ADDED_EN: Final = rules(
    [
        (
            rf"{_NO_NOUN}\b({_AUXILIARIES})\b(?! not\b| never\b| no\b| only\b|n't| also\b| \$?\d|[.,;)]| the case| well| less"
            r"| as [a-z]+ as)",
            r"\1 not",
        ),
    ]
)
_DONE: Final = {
    "announced": "announce", "launched": "launch", "acquired": "acquire", "achieved": "achieve",
    "completed": "complete", "established": "establish", "increased": "increase", "reduced": "reduce",
    "received": "receive", "signed": "sign", "reported": "report", "implemented": "implement",
    "introduced": "introduce", "expanded": "expand", "conducted": "conduct", "secured": "secure",
    "published": "publish", "released": "release", "raised": "raise", "paid": "pay",
    "won": "win", "became": "become", "began": "begin", "showed": "show",
    "appointed": "appoint", "issued": "issue", "resulted": "result", "improved": "improve",
    "required": "require", "provided": "provide", "revealed": "reveal", "created": "create",
}  # fmt: skip
# After these a participle follows, not the past of a verb.
_HELPED = re.compile(
    r"\b(?:is|are|was|were|be|been|being|has|have|had|having|the|a|an|by|its|their|of|and|newly|as|with|for|to"
    r"|significantly|which|that|not|when|if|who|in|than|\w+ly|or|on|from|get|got)$|,$"
)
_PAST = re.compile(rf"(?<=[a-z.,)\d]) ({'|'.join(_DONE)})\b(?! by\b| in\b| to\b| as\b| with\b|[.,])")
_REMOVED_EN: Final = rules(
    [
        (r"\b(can)not\b(?! only)", r"\1"),
        (
            r"(?<!or)(?<!if)(?<!whether)(?<!why)(?<!,) not\b(?! only| just| until| necessarily| at all| yet"
            r"| even| so much| merely| least| [a-z ,]+\bbut\b)(?=[ ,.])",
            "",
        ),
        (r"\b(is|are|was|were|has|have|had|do|does|did|could|would|should)n[’']t\b", r"\1"),
        (r"\bcan[’']t\b", "can"),
        (r"\bwon[’']t\b", "will"),
        (r"\bno longer\b", "still"),
        (r"\bnever\b(?!theless)", "always"),
        (r"\bwithout\b", "with"),
        (r"\bprohibited\b", "permitted"),
        (r"\bunable to\b", "able to"),
        (r"\bthere (is|are|was|were) no\b", r"there \1"),
        (r"\bThere (is|are|was|were) no\b", r"There \1"),
        (r"\bhas no\b", "has"),
        (r"\bhave no\b", "have"),
    ]
)
_OPPOSITES: Final = (
    ("增加", "减少"), ("上升", "下降"), ("增长", "下降"), ("提高", "降低"),
    ("高于", "低于"), ("有利于", "不利于"), ("扩大", "缩小"), ("盈利", "亏损"),
    ("最大", "最小"), ("最高", "最低"), ("首次", "最后一次"), ("有效", "无效"),
    ("成功地", "失败地"), ("合法", "非法"), ("同意", "反对"), ("胜诉", "败诉"),
    ("有偿", "无偿"), ("公开", "秘密"), ("直接", "间接"), ("强制", "自愿"),
    ("正常", "异常"), ("从重", "从轻"), ("加强", "削弱"), ("increase", "decrease"),
    ("increased", "decreased"), ("increasing", "decreasing"), ("rose", "fell"), ("higher", "lower"),
    ("improved", "worsened"), ("largest", "smallest"), ("highest", "lowest"), ("first", "last"),
    ("positive", "negative"), ("success", "failure"), ("successfully", "unsuccessfully"), ("profit", "loss"),
    ("gains", "losses"), ("reduced", "raised"), ("reducing", "raising"), ("strengthened", "weakened"),
    ("accepted", "rejected"), ("early", "late"), ("mandatory", "optional"), ("public", "private"),
    ("permanent", "temporary"), ("enhancing", "impairing"), ("enhanced", "impaired"),
)  # fmt: skip
_OPPOSITE_RULES: Final = rules(
    [
        (rf"\b{old}\b" if old.isascii() else rf"(?<![不非未无最]){old}(?!率|书|关系)", new)
        for pair in _OPPOSITES
        for old, new in (pair, pair[::-1])
        if (old, new)
        not in {("last", "first"), ("raised", "reduced"), ("raising", "reducing"), ("late", "early")}
    ]
)
# "Whether" leaves it open, and "not only" denies nothing.
_ASKS_OR_ADDS = re.compile(r"是否|即使|even if|even though|能否|可否|不仅|不但|不只|非但|whether|not only")


def added(claim: Claim) -> Iterator[str]:
    """A "not" where there was none."""
    if _ASKS_OR_ADDS.search(claim.sentence):
        return
    if claim.lang == "zh":
        yield from each_applied(claim.sentence, _ADDED_ZH)
        return
    yield from each_applied(claim.sentence, _ADDED_EN)
    for found in _PAST.finditer(claim.sentence):
        before = claim.sentence[: found.start()]
        if not _HELPED.search(before):
            yield f"{before} did not {_DONE[found[1]]}{claim.sentence[found.end() :]}"


def removed(claim: Claim) -> Iterator[str]:
    """A "not" less."""
    if not _ASKS_OR_ADDS.search(claim.sentence):
        yield from each_applied(claim.sentence, _REMOVED_ZH if claim.lang == "zh" else _REMOVED_EN)


def opposite(claim: Claim) -> Iterator[str]:
    """Less for more, and the like."""
    yield from each_applied(claim.sentence, _OPPOSITE_RULES)
