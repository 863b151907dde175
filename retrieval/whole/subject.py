"""The words of a question that say what about the document is asked, without those that say which and how."""

from __future__ import annotations

import re
from typing import Final

from core.span import Span
from retrieval.content_words import WordsHeld, content_words
from retrieval.query.understood import Understood
from retrieval.whole.stretch import Stretch

# Words of a question that speak of the document or the answer, not of its subject.
_FRAME: Final = frozenset(
    """全文 全书 整篇 整本 整份 通篇 文档 文件 文章 一共 共有 总共 共计 所有 全部 列举 罗列 分别 逐一 包括 包含 提到 涉及 关于 有关 规定
    条款 条文 内容 方面 事项 地方 概述 概要 归纳 梳理 综述 摘要 大意 要点 重点 关键 情况 讲 讲了 说 写 部分 章 节 一章 一节 章节
    document file whole entire full list all every each there which what are does give name number count mention mentions
    summarize summarise summary overview outline key main points aspects content brief briefly section chapter part""".split()  # noqa: SIM905 - one word a line would hide it
)
_THIS: Final = re.compile(
    r"(?:这|该|本|那|這|該)(?:个|份|篇|本|部)?(?:报告|報告|合同|手册|手冊|论文|論文|制度|规定|規定|协议|法律|法规|条例|办法|判决书"
    r"|病历)|\b(?:this|the (?:whole|entire|full)) (?:report|contract|agreement|manual|article|paper|book|policy|handbook|law"
    r"|act|regulation|statute|standard)\b",
    re.IGNORECASE,
)
# A clause in front that only says where to look.
_SOURCE: Final = re.compile(
    r"^\s*(?:请?(?:根据|结合|依据|按照|基于)[^，,。]{2,80}[，,]|(?:according to|based on)\b.{3,120}?,\s(?=[a-z]))",
    re.IGNORECASE,
)


def subject_words(understood: Understood, stretch: Stretch, *without: Span) -> list[str]:
    """The question's content words that name neither the document nor the section; none for the whole as such.

    ``without`` are further spans of the question that are passed over.
    """
    question = list(understood.question)
    named = [mention.span for mention in understood.mentions]
    for span in (*without, *named, *(reference.span for reference in understood.references)):
        question[span.start : span.end] = " " * len(span)
    asked = _THIS.sub(" ", _SOURCE.sub("", "".join(question)))
    titles = [f"{source.version.title} {source.version.name}" for source in stretch.sources.values()]
    names = WordsHeld(*titles, stretch.section)
    return [word for word in content_words(asked) if word not in _FRAME and names.share(word) < 1]
