"""The words of the settings form."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "tab_searched": {"zh": "检索范围", "en": "Search"},
    "tab_answers": {"zh": "回答", "en": "Answers"},
    "tab_display": {"zh": "显示", "en": "Display"},
    "tab_uploads": {"zh": "上传", "en": "Uploads"},
    "pref_set": {"zh": "{name}：{value}", "en": "{name}: {value}"},
    "pref_between": {"zh": "；", "en": "; "},
    "pref_same": {"zh": "设置没有变化。", "en": "Nothing has changed."},
    "pref_saved": {"zh": "已设置：{changes}。", "en": "Set: {changes}."},
    "pref_method": {"zh": "回答方式", "en": "Answer"},
    "pref_method_help": {
        "zh": "由谁来写答案。无论哪种方式，每句话都与原文核对。",
        "en": "Who writes the answer. In every way each sentence is held against the source.",
    },
    "pref_method_no_model": {
        "zh": "没有设置对话模型，所以答案都是原文摘录。",
        "en": "No chat model is set, so answers are the source's own sentences.",
    },
    "method_extractive": {"zh": "原文摘录", "en": "The source's own words"},
    "method_llm": {"zh": "对话模型作答", "en": "The chat model writes"},
    "method_step-by-step": {"zh": "逐段核对作答（较慢）", "en": "Step by step (slower)"},
    "pref_strict": {"zh": "严格模式", "en": "Strict"},
    "pref_strict_help": {
        "zh": "删去原文不支持的句子；关闭时保留并标出。",
        "en": "Sentences that no source carries are taken out; otherwise they stay and are marked.",
    },
    "pref_passages": {"zh": "原文段数", "en": "Number of sources"},
    "pref_passages_help": {
        "zh": "每次最多读几段原文。多了更全，少了更快、更专注。",
        "en": "The most passages an answer is made from. More is more complete, fewer is quicker.",
    },
    "pref_expand": {"zh": "连同上下文", "en": "With context"},
    "pref_expand_help": {
        "zh": "把找到的段落在本节之内补全后再读。",
        "en": "What was found is read with what stands around it in its section.",
    },
    "pref_reranker": {"zh": "重新排序", "en": "Reranking"},
    "pref_reranker_help": {
        "zh": "找到之后按什么再排一次先后。",
        "en": "What puts the passages found in their final order.",
    },
    "reranker_builtin": {"zh": "内置（快）", "en": "Built in (fast)"},
    "reranker_none": {"zh": "不重新排序", "en": "None"},
    "reranker_cross-encoder": {"zh": "重排模型（更准，较慢）", "en": "Reranking model (sharper, slower)"},
    "reranker_api": {"zh": "重排服务", "en": "Reranking service"},
    "reranker_llm": {"zh": "由对话模型排序（慢）", "en": "By the chat model (slow)"},
    "pref_language": {"zh": "界面语言", "en": "Language"},
    "pref_language_help": {
        "zh": "回答下方、出处和提示的文字。按钮和菜单随浏览器。",
        "en": "Of what stands around answers and sources. Buttons and menus follow the browser.",
    },
    "language_auto": {"zh": "随浏览器", "en": "As the browser"},
    "language_zh": {"zh": "中文", "en": "中文"},
    "language_en": {"zh": "English", "en": "English"},
    "pref_depth": {"zh": "检索过程", "en": "Steps of the search"},
    "pref_depth_help": {
        "zh": "回答上方的检索过程写得多细。",
        "en": "How much is told above an answer about its search.",
    },
    "depth_brief": {"zh": "一行", "en": "One line"},
    "depth_normal": {"zh": "每一步", "en": "Each step"},
    "depth_full": {"zh": "每一步和候选", "en": "Each step with its candidates"},
    "pref_strategy": {"zh": "分块方法", "en": "Chunking"},
    "pref_strategy_help": {
        "zh": "怎样把新上传的文件切成知识块。已有的文档不变。",
        "en": "How new files are cut into chunks. Documents that are here stay as they are.",
    },
    "strategy_semantic": {"zh": "按语义（推荐）", "en": "By meaning (recommended)"},
    "strategy_clause": {"zh": "按条款（法规、合同）", "en": "By clause (regulations, contracts)"},
    "strategy_recursive": {"zh": "按段落", "en": "By paragraph"},
    "strategy_boundary": {"zh": "按话题转折", "en": "Where the subject turns"},
    "strategy_sentence-similarity": {"zh": "按相邻句子的相似度", "en": "By likeness of sentences"},
    "strategy_fixed": {"zh": "固定长度", "en": "Fixed length"},
    "switch_on": {"zh": "开", "en": "on"},
    "switch_off": {"zh": "关", "en": "off"},
}
