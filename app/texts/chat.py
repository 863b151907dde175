"""What the chat says about questions and answers."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "step_search": {"zh": "证据检索", "en": "evidence search"},
    "step_read": {"zh": "通读文档", "en": "reading the document"},
    "read_so_far": {"zh": "已读 {done} / {total} 部分", "en": "Read {done} of {total} parts"},
    "step_condense": {"zh": "检索的问题：{note}", "en": "Searched for: {note}"},
    "step_understand": {"zh": "问的是：{note}", "en": "Asks for: {note}"},
    "step_in_documents": {"zh": "（限于 {documents} 份文档）", "en": " (within {documents} documents)"},
    "understand_fact": {"zh": "一件事", "en": "a fact"},
    "understand_list": {"zh": "一个清单", "en": "a list"},
    "understand_count": {"zh": "一个数量", "en": "a number"},
    "understand_summary": {"zh": "概括", "en": "a summary"},
    "understand_compare": {"zh": "比较", "en": "a comparison"},
    "step_other_wordings": {"zh": "同时检索：{note}", "en": "Also searched: {note}"},
    "step_rewrite": {"zh": "换一种问法再检索：{note}", "en": "Searched once more: {note}"},
    "step_named_parts": {
        "zh": "问题点名的部分 {chunks} 块",
        "en": "Parts the question names: {chunks} chunks",
    },
    "step_signals": {"zh": "逐块比对 {chunks} 块", "en": "Looked at closely: {chunks} chunks"},
    "step_blend": {"zh": "综合排序 {chunks} 块", "en": "Ordered by all signs: {chunks} chunks"},
    "step_evidence": {"zh": "读取原文", "en": "Read the source"},
    "step_rerank_note": {"zh": "重新排序失败：{note}", "en": "Reranking failed: {note}"},
    "step_dense": {"zh": "按意思找到 {chunks} 块", "en": "By meaning: {chunks} chunks"},
    "step_lexical": {"zh": "按词语找到 {chunks} 块", "en": "By words: {chunks} chunks"},
    "step_fuse": {"zh": "合并后 {chunks} 块", "en": "Merged: {chunks} chunks"},
    "step_rerank": {"zh": "重新排序 {chunks} 块", "en": "Reranked: {chunks} chunks"},
    "step_expand": {
        "zh": "在章节内补全上下文：{passages} 段，{tokens} 个词元"
        "（同一文档已够而略去 {capped} 块，超出长度而略去 {over_budget} 块）",
        "en": "Completed inside the section: {passages} passages, {tokens} tokens "
        "({capped} chunks left out as their document had enough, {over_budget} for length)",
    },
    "step_route": {"zh": "依据是否充分：{note}", "en": "Is the evidence enough: {note}"},
    "step_kept": {"zh": "选出 {count} 段原文：", "en": "{count} passages kept:"},
    "route_confident": {"zh": "充分", "en": "yes"},
    "route_doubtful": {"zh": "可能不够", "en": "perhaps not"},
    "route_weak": {"zh": "不足", "en": "no"},
    "doubtful": {
        "zh": "依据可能不够充分，请核对原文。",
        "en": "The evidence may not be enough; please check the source.",
    },
    "sources": {"zh": "引用的原文", "en": "Cited sources"},
    "permalink": {"zh": "永久链接与导出", "en": "Link and export"},
    "uncited": {"zh": "读过但未引用（{count}）", "en": "Read but not cited ({count})"},
    "nearest": {"zh": "最接近的段落", "en": "Nearest passages"},
    "page": {"zh": "第 {pages} 页", "en": "p. {pages}"},
    "open": {"zh": "查看原文", "en": "Open the source"},
    "gone": {
        "zh": "这条引用的内容已不在当前会话中，请重新提问。",
        "en": "This citation is no longer part of the session; please ask again.",
    },
    "supported": {"zh": "原文支持", "en": "supported"},
    "partly": {"zh": "部分支持", "en": "partly supported"},
    "unsupported": {"zh": "原文未支持", "en": "not supported"},
    "stopped": {"zh": "（已停止）", "en": "(stopped)"},
    "still_answering": {
        "zh": "上一个回答还没有结束，请等它完成或先停止。",
        "en": "The last answer is still being written. Wait for it, or stop it first.",
    },
    "way_llm": {"zh": "由对话模型作答", "en": "Let the chat model write"},
    "way_steps": {"zh": "逐段核对作答", "en": "Answer step by step"},
    "way_strict": {"zh": "只留有原文支持的内容", "en": "Only what the sources carry"},
    "step_verify": {"zh": "逐句核对", "en": "Checking sentence by sentence"},
    "verified_so_far": {"zh": "已核对 {done} / {total} 句", "en": "Checked {done} of {total} sentences"},
    "own_words": {"zh": "改看原文摘录", "en": "Show the source's own words"},
    "searched": {"zh": "检索的问题：", "en": "Searched for: "},
    "searched_edit": {"zh": "改一改", "en": "Edit"},
    "searched_run": {"zh": "按此检索", "en": "Search exactly this"},
    "cancel": {"zh": "取消", "en": "Cancel"},
    "exact": {"zh": "按原话检索", "en": "Searched as typed"},
    "nothing_typed": {"zh": "请输入问题。", "en": "Please type a question."},
}
