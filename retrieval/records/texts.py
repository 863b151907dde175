"""What is said about stored answers, in Chinese and English."""

from __future__ import annotations

from typing import Final

_WORDS: Final[dict[str, dict[str, str]]] = {
    "brand": {"zh": "有据 · 有出处的回答", "en": "Youju · an answer with its sources"},
    "asked": {"zh": "提问时间", "en": "Asked"},
    "searched": {"zh": "实际检索的问题", "en": "Searched for"},
    "method": {"zh": "回答方式", "en": "Answered by"},
    "extractive": {"zh": "原文摘录", "en": "the source's own sentences"},
    "llm": {"zh": "对话模型", "en": "chat model"},
    "step-by-step": {"zh": "对话模型，逐步", "en": "chat model, step by step"},
    "verify": {"zh": "逐句核对已有的文字", "en": "a given text, checked sentence by sentence"},
    "prompt": {"zh": "提示词版本", "en": "Prompt"},
    "took": {"zh": "用时", "en": "Took"},
    "link": {"zh": "编号", "en": "Id"},
    "seconds": {"zh": "{seconds:.1f} 秒", "en": "{seconds:.1f} s"},
    "question": {"zh": "问题", "en": "Question"},
    "answer": {"zh": "回答", "en": "Answer"},
    "refused": {"zh": "没有作答", "en": "Not answered"},
    "incomplete": {
        "zh": "模型中断了，以下内容不完整。",
        "en": "The model broke off; what follows is not complete.",
    },
    "doubtful": {
        "zh": "依据可能不够充分，请核对原文。",
        "en": "The evidence may not be enough; please check the source.",
    },
    "checks": {"zh": "逐句核对", "en": "Sentence by sentence"},
    "all_supported": {
        "zh": "{count} 句话都有原文支持。",
        "en": "Sentences carried by their source: all {count}.",
    },
    "some_supported": {
        "zh": "{count} 句话中有 {good} 句有原文支持，其余如下。",
        "en": "Sentences carried by their source: {good} of {count}. The others:",
    },
    "sum": {
        "zh": "{count} 句话中有 {good} 句有原文支持。",
        "en": "Sentences carried by their source: {good} of {count}.",
    },
    "supported": {"zh": "有依据", "en": "supported"},
    "partly": {"zh": "部分有依据", "en": "partly supported"},
    "unsupported": {"zh": "无依据", "en": "not supported"},
    "repaired": {"zh": "引用已改正", "en": "citation corrected"},
    "counter": {"zh": "另有原文说法不同", "en": "Another passage says otherwise"},
    "sources": {"zh": "引用的原文", "en": "Cited sources"},
    "uncited": {"zh": "读过但未引用（{count}）", "en": "Read but not cited ({count})"},
    "nearest": {"zh": "最接近的段落（{count}）", "en": "Nearest passages ({count})"},
    "bibliography": {"zh": "文献目录", "en": "Bibliography"},
    "file": {"zh": "文件", "en": "File"},
    "version": {"zh": "第 {number} 版", "en": "version {number}"},
    "version_full": {
        "zh": "第 {number} 版 · {added} 添加 · {hash}",
        "en": "version {number} · added {added} · {hash}",
    },
    "page": {"zh": "第 {pages} 页", "en": "p. {pages}"},
    "quote": {"zh": "“{quote}”", "en": "“{quote}”"},
    "unchanged": {"zh": "原文未变", "en": "unchanged"},
    "moved": {"zh": "原文已移动", "en": "moved"},
    "changed": {"zh": "原文已改", "en": "changed"},
    "unavailable": {"zh": "不可查看", "en": "not available"},
    "moved_to": {
        "zh": "同样的文字现在位于第 {number} 版：{place}",
        "en": "The same words now stand in version {number}: {place}",
    },
    "changed_in": {"zh": "第 {number} 版中此处已改动：", "en": "Changed in version {number}:"},
    "taken_out": {
        "zh": "第 {number} 版中已没有这段文字。",
        "en": "Version {number} does not hold these words any more.",
    },
    "gone": {
        "zh": "这份文档已被删除，或者你无权查看。回答中来自它的文字也不再显示。",
        "en": "This document was removed or is not yours to see. Words of it in the answer are not shown either.",
    },
    "some_gone": {
        "zh": "涂黑之处是已被删除或无权查看的文档中的文字。",
        "en": "Bars stand for words of documents that were removed or are not yours to see.",
    },
    "as_of": {"zh": "出处状态查于 {moment}", "en": "State of the sources as of {moment}"},
    "legend_pale": {"zh": "给出的段落", "en": "passage"},
    "legend_strong": {"zh": "依据所在的文字", "en": "words that carry the sentence"},
    "was": {"zh": "当时", "en": "then"},
    "is": {"zh": "现在", "en": "now"},
    "start": {"zh": "（开头）", "en": "(before the first heading)"},
    "none": {"zh": "没有存下来的回答。", "en": "No answers are stored."},
    "deleted": {"zh": "已删除 {count} 条。", "en": "Deleted: {count}"},
    "no_limit": {
        "zh": "没有设置保留天数（YOUJU_ANSWER__KEEP_DAYS）；请用 --days N 指明。",
        "en": "No number of days is set (YOUJU_ANSWER__KEEP_DAYS); say --days N.",
    },
    "kept_as": {"zh": "已存为 {id}", "en": "Kept as {id}"},
    "written": {"zh": "已写入 {path}", "en": "Written: {path}"},
}


def word(key: str, language: str, **values: object) -> str:
    """One of this module's texts."""
    return _WORDS[key][language].format(**values)


def method_word(method: str, language: str) -> str:
    """How an answer was made; the registry's name where there is no better word."""
    return word(method, language) if method in _WORDS else method
