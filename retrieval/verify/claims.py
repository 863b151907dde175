"""Which sentences of an answer state nothing that a source could carry."""

from __future__ import annotations

import re
from typing import Final

from retrieval.verify.tokens import line

_HEADING = re.compile(r"\s*#{1,6}\s|\s*\*\*[^*]{1,60}\*\*[:：]?\s*\Z")
_LEADER_END = re.compile(r"[:：]\s*[*_]*\s*\Z")
# A courtesy that a statement may follow, and one that fills its sentence.
_OPENING = re.compile(
    r"\A\W*(?:您好|你好|好的|当然(?:可以)?|很?抱歉|对不起|hello|hi|sure|certainly|of course|sorry)\s*(?:[，,。.!！:：~～—-]+|\Z)\s*",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\A\W*(?:感谢|谢谢|希望.{0,20}(?:帮助|帮到)"
    r"|如(?:果|有).{0,12}(?:问题|疑问|需要).{0,30}(?:请|可以|欢迎|告诉|随时)|请问"
    r"|thank|i hope|hope this|let me know|feel free"
    r"|if you have (?:any )?(?:further |more |other )?questions)",
    re.IGNORECASE,
)
# What follows these is said all the same.
_YET = re.compile(r"但是?|不过|然而|却|\b(?:but|however|although|yet|though)\b", re.IGNORECASE)
# What the sources do not tell cannot be cited.
_NOT_TOLD: Final = re.compile(
    r"(?:资料|段落|文档|文件|原文|材料|上下文|文本|来源|提供的\S{0,6})\S{0,8}(?:中|里|内)?\S{0,6}"
    r"(?:没有|未|并未|并没有|均未|不曾|无法)\S{0,6}"
    r"(?:提到|提及|说明|给出|涉及|包含|提供|指出|找到|记载|规定|确定|回答)"
    r"|(?:没有|未|无法)(?:在|从)?\S{0,12}(?:资料|段落|文档|原文|材料)\S{0,10}(?:找到|看到|得知|确定)"
    r"|\b(?:passages?|documents?|sources?|texts?|context|material|information|excerpts?)\b[^.]{0,40}"
    r"\b(?:do(?:es)? not|did not|don't|doesn't)\b[^.]{0,20}"
    r"\b(?:say|mention|tell|state|specify|contain|provide|give|cover|answer|include|address|indicate)\b"
    r"|\b(?:is|are|was|were) not (?:mentioned|stated|specified|given|provided|covered|told)"
    r" (?:in|by) the (?:passages?|documents?|sources?|texts?|context)",
    re.IGNORECASE,
)


def is_claim(sentence: str, *, cited: bool = False) -> bool:
    """Whether ``sentence`` states something; a leader of a list does only where it is ``cited``."""
    if opening := _OPENING.match(sentence):
        return is_claim(sentence[opening.end() :], cited=cited)
    said = line(sentence)
    if not any(token.weight for token in said.tokens):
        return False
    if _HEADING.match(sentence) or _COURTESY.match(sentence):
        return False
    if _NOT_TOLD.search(sentence) and not _YET.search(sentence):
        return False
    if sentence.rstrip().endswith(("?", "？")):
        return False
    return cited or not _LEADER_END.search(sentence)
