"""Which kind of answer a question asks for, by its wording. Precise rather than complete: in doubt a fact."""

from __future__ import annotations

import re
from typing import Final

from retrieval.query.understood import Shape

_COMPARE: Final = re.compile(
    r"(?:^|[，。；、,;]|请|並|并|来|进行|作|做个?|试)\s?(?:比较|比較|对比|對比)"
    r"|(?:比较|比較|对比|對比)(?:一下|起来|.{1,60}?(?:和|与|與|跟|同|、))"
    r"|区别|區別|差异|差異|差别|差別|异同|異同|不同之处|不同之處|不同点|不同點|相同点|共同点|共同點"
    r"|(?:有什么|有什麼|有何|有哪些|有无|有哪里)(?:明显|主要|本质)?的?(?:不同|差距|相同)"
    r"|与.{1,40}相比|和.{1,40}相比|哪(?:个|個|一|家|位|方|者).{0,20}(?:更|较|較)|谁.{0,20}(?:更|较早|较晚|较高|较低|较多|较少)"
    r"|(?:和|与|與|跟|及|、).{1,60}(?:分别|分別|各自|各有|各是)"
    r"|\bcompar(?:e|es|ed|ing|ison)\b|\bdifferences?\b.{0,60}\b(?:between|in|from|among)\b|\bdiffer(?:s|ed)?\b|\bversus\b|\bvs\b"
    r"|\bsimilarit(?:y|ies)\b|\b(?:in common|respectively)\b"
    r"|\b(?:which|whose|who)\b.{1,120}\b(?:er|earlier|later|higher|lower|more|less|fewer|greater|larger|longer|shorter|better|older"
    r"|newer|first)\b.{0,60}\bor\b",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    r"(?:总结|總結|概括)(?![了出过過])|归纳|歸納|概述|综述|綜述|概要|摘要|梳理|主要(?:内容|內容|讲|講|说了|說了)(?!有哪些人)"
    r"|(?:讲|講|说|說|写|寫)(?:了|的是|的)(?:什么|什麼|啥|哪些内容)(?:[？?]|$|内容|事情)|大意|中心思想"
    r"|\bsummar(?:y|ise|ize|ised|ized|ies|izing|ising)\b|\boverview of\b|\b(?:an|brief|general|short|quick) overview\b"
    r"|\boutline (?:of|the)\b|\bmain (?:points?|ideas?|content)\b"
    r"|\bkey (?:points|takeaways)\b|\btl;?dr\b|\bwhat (?:is|was) .{0,60}\b(?:document|report|article|paper|contract|book) about\b",
    re.IGNORECASE,
)
# Things one counts; years, yuan and metres are measured, and how many people stands in a sentence.
_COUNTED: Final = (
    r"(?:个(?!月|小时|工作日|星期|学期|百分点|多月|半月)|個(?!月|小時|工作日|星期|百分點)|条|條|项|項|种|種|名|家|人|位|起|份|款|章|节|節|篇|部|所|座|类|類|步|点要求"
    r"|处|處|件|本|张|張|枚|支|只|隻|艘|辆|輛|架|套|队|隊|幅|首|场|場|次|方面|阶段|階段|部分|步骤|分部|版本|品种|成员|国家|國家)"
)
_COUNT: Final = re.compile(
    rf"(?:多少(?![人名])|(?<![第十百好上前后后近零逾数年月超每隔])[几幾]){_COUNTED}(?!月)|多少(?:不同的?)?(?:种|類|类)|[几幾]大(?:类|种|部分|方面)"
    r"|(?:共有|共计|一共|总共|總共)(?:有)?(?:多少|[几幾])(?![元年天米斤岁歲])|(?:数量|數量|总数|總數|个数|個數)(?:是|为|為|有)?(?:多少|[几幾])"
    r"|\bhow many\b(?!\s+(?:years?|months?|days?|hours?|minutes?|weeks?|seconds?|miles?|meters?|percent|dollars?|times)\b)"
    r"|\b(?:number|count) of\b.{1,60}\b(?:are|is|were|was)\b.{0,20}\bthere\b|\bwhat (?:is|was|were|are) the (?:total )?number of\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(
    r"哪些|哪[几幾二两三四五](?:个|個|种|種|项|項|类|類|点|點|方面|家|位|条|條|部|大)|列出|列举|列舉|罗列|列一下|逐一|逐条|所有的.{1,20}(?:是|有)什么"
    r"|都有(?:什么|什麼|谁|誰|啥)|分别(?:是|有)(?:什么|谁|哪)|包括(?:什么|什麼)(?:[？?]|$|内容|方面|部分)"
    r"|\b(?:list|enumerate)\b(?=.{0,20}\b(?:all|the|every|each|any|some|of|out)\b)|\bname (?:all|the|some|two|three|four|five|each|every)\b"
    r"|\bwhich\b(?:\s+[\w'-]+){0,4}\s+[\w'-]+(?<!s)s (?:are|were|have|do|did|can|must|should|will)\b"
    r"|\bwhat (?:are|were)\s+(?:all |some )?(?:of )?(?:the )?(?:[\w'-]+ ){0,4}?[\w'-]{2,}(?<!s)(?<!thi)(?<!hi)s\b"
    r"|\bwhat\b(?:\s+[\w'-]+){0,3}\s+[\w'-]{2,}(?<!s)(?<!thi)(?<!hi)s (?:are|were) (?!the\b)"
    r"|\bgive (?:me )?(?:a |the )?(?:full |complete )?list\b",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    r"全文|全书|全書|整篇|整本|整份|通篇|整个(?:文档|文件|报告|合同)|(?:这|该|本|那|這|該)(?:个|份|篇|本|部|份)?(?:文档|文件|报告|報告|合同|手册|手冊|文章|论文|論文|制度"
    r"|规定|規定|协议|协议书|法律|条例|判决书|病历)|\b(?:this|the (?:whole|entire|full)) (?:document|file|report|contract|agreement|"
    r"manual|article|paper|book|policy|handbook)\b",
    re.IGNORECASE,
)
# Earlier ones win: "the difference of A and B, summed up" compares.
_ORDER: Final = (
    (Shape.COMPARE, _COMPARE), (Shape.SUMMARY, _SUMMARY), (Shape.LIST, _LIST), (Shape.COUNT, _COUNT),
)  # fmt: skip


def shape_of(question: str) -> Shape:
    """The shape that the wording tells; ``FACT`` when it tells none."""
    return next((shape for shape, pattern in _ORDER if pattern.search(question)), Shape.FACT)


def means_whole(question: str) -> bool:
    """Whether the question speaks of one document as a whole: 这份合同, the whole report."""
    return _WHOLE.search(question) is not None
