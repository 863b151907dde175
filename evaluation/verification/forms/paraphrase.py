"""The same in a few other words: words that mean the same, and what can be left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evaluation.verification.case import Claim
from evaluation.verification.wording import all_applied, each_applied, rules

_ALIKE_ZH: Final = rules(
    [
        (r"(?<!相对)应当", "应该"),
        (r"必须", "应当"),
        (r"(?<!不)可以", "能够"),
        (r"但是", "不过"),
        (r"因为", "由于"),
        (r"以及", "和"),
        (r"(?<=[\u4e00-\u9fff])或者(?=[\u4e00-\u9fff])", "或"),
        (r"不得", "不可以"),
        (r"获得", "取得"),
        (r"位于", "坐落于"),
        (r"成立于", "创立于"),
        (r"共同", "一起"),
        (r"目前", "现在"),
        (r"大约", "约"),
        (r"无效", "没有效力"),
        (r"包括", "包含"),
        (r"提高", "提升"),
        (r"帮助", "协助"),
        (r"超过", "多于"),
        (r"导致", "造成"),
        (r"以确保", "来保证"),
        (r"有权", "有权利"),
    ]
)
_ALIKE_EN: Final = rules(
    [
        (r"\bshall\b", "must"),
        (r"\bhowever\b", "but"),
        (r"\bin order to\b", "to"),
        (r"\bsignificant\b", "considerable"),
        (r"\bsignificantly\b", "considerably"),
        (r"\blarge\b", "big"),
        (r"\bbegan\b", "started"),
        (r"\bpurchased\b", "bought"),
        (r"\bacquired\b", "bought"),
        (r"\bassist\b", "help"),
        (r"\brequire\b", "need"),
        (r"\brequired\b", "needed"),
        (r"\badditional\b", "further"),
        (r"\bapproximately\b", "about"),
        (r"\butilize\b", "use"),
        (r"\bdemonstrated\b", "showed"),
        (r"\bprior to\b", "before"),
        (r"\bsubsequently\b", "later"),
        (r"\bobtain\b", "get"),
        (r"\bmay\b(?! \d)", "might"),
        (r"\benhance\b", "improve"),
        (r"\benhanced\b", "improved"),
        (r"\benhancing\b", "improving"),
        (r"\bensure\b", "make sure"),
        (r"\bdue to\b", "because of"),
        (r"\bseveral\b", "a number of"),
        (r"\bhelp\b", "assist"),
        (r"\bmany\b", "numerous"),
        (r"\bsuch as\b", "like"),
    ]
)
_SPARE_ZH: Final = rules(
    [
        (r"（[^（）除不仅]{2,40}）", ""),
        (r"\([^()除不仅]{2,40}\)", ""),
        (r"^(?:其中|此外|另外|同时|因此|最后|首先|其次|总之|随后|而且|并且|于是|据悉|后来)，", ""),
        (r"^(?:在|于)?\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?，", ""),
        (r"(?<=，)(?:例如|比如|尤其是|特别是)[^，。；]{2,40}(?=。)", ""),
        (r"^据[^，。]{2,20}，", ""),
    ]
)
_SPARE_EN: Final = rules(
    [
        (r" \((?!not|except|unless)[^()]{2,60}\)", ""),
        (
            r"^(?:However|Additionally|Furthermore|Moreover|In addition|Also|Therefore|As a result|Finally"
            r"|Meanwhile|Thus|Consequently|Overall|Subsequently|Similarly|For example), (\w)",
            r"\1",
        ),
        (r"^(?:In|On|By|During) (?:[A-Z][a-z]+ )?(?:\d{1,2}, )?\d{4}, (\w)", r"\1"),
        (r",? such as [^.;]{3,80}(?=\.$)", ""),
        (r", including [^.;]{3,80}(?=\.$)", ""),
        (
            r"^In (?:January|February|March|April|May|June|July|August|September|October|November|December), (\w)",
            r"\1",
        ),
    ]
)


def synonyms(claim: Claim) -> Iterator[str]:
    """All words for which another is known."""
    yield all_applied(claim.sentence, _ALIKE_ZH if claim.lang == "zh" else _ALIKE_EN)


def shortened(claim: Claim) -> Iterator[str]:
    """Without a bracket, a linking word, an example, or the date that leads it."""
    for changed in each_applied(claim.sentence, _SPARE_ZH if claim.lang == "zh" else _SPARE_EN):
        mended = (
            changed.strip("，, ").replace("，。", "。").replace(" .", ".")
            if changed.endswith("，。")
            else changed.strip("，, ")
        )
        yield mended[0].upper() + mended[1:]
