"""Every sentence of the chat's own interface, in Chinese and English."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "welcome_empty": {
        "zh": "知识库还是空的。把文件拖到输入框里（PDF、Markdown、TXT），就可以直接提问。",
        "en": "The knowledge base is empty. Drop a file (PDF, Markdown, TXT) into the chat and ask about it.",
    },
    "no_model": {
        "zh": "没有设置对话模型：答案是原文摘录，检索、引用和核对照常可用。",
        "en": "No chat model is set: answers are the source's own sentences. "
        "Search, citations and checks work as usual.",
    },
    "step_search": {"zh": "证据检索", "en": "evidence search"},
    "step_condense": {"zh": "检索的问题：{note}", "en": "Searched for: {note}"},
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
    "uncited": {"zh": "读过但未引用（{count}）", "en": "Read but not cited ({count})"},
    "nearest": {"zh": "最接近的段落", "en": "Nearest passages"},
    "page": {"zh": "第 {pages} 页", "en": "p. {pages}"},
    "open": {"zh": "查看原文", "en": "Open the source"},
    "panel": {"zh": "出处", "en": "Source"},
    "panel_page": {"zh": "原页面", "en": "The page"},
    "panel_text": {"zh": "原文", "en": "The words"},
    "gone": {
        "zh": "这条引用的内容已不在当前会话中，请重新提问。",
        "en": "This citation is no longer part of the session; please ask again.",
    },
    "supported": {"zh": "原文支持", "en": "supported"},
    "partly": {"zh": "部分支持", "en": "partly supported"},
    "unsupported": {"zh": "原文未支持", "en": "not supported"},
    "upload_working": {"zh": "正在处理…", "en": "Working…"},
    "upload_done": {"zh": "处理完成", "en": "Done"},
    "upload_cancelled": {"zh": "已取消", "en": "Cancelled"},
    "upload_title": {"zh": "上传结果（仅用于本次对话）", "en": "Upload (for this chat only)"},
    "upload_ask": {"zh": "现在可以就这些文件提问了。", "en": "You can ask about these files now."},
    "task_wait": {"zh": "{name}：排队", "en": "{name}: queued"},
    "task_parse": {"zh": "{name}：解析", "en": "{name}: reading"},
    "task_chunk": {"zh": "{name}：分块", "en": "{name}: chunking"},
    "task_embed": {"zh": "{name}：生成向量 {done}/{total}", "en": "{name}: embedding {done}/{total}"},
    "task_save": {"zh": "{name}：保存", "en": "{name}: saving"},
    "column_file": {"zh": "文件", "en": "File"},
    "column_outcome": {"zh": "结果", "en": "Outcome"},
    "column_pages": {"zh": "页", "en": "Pages"},
    "column_chunks": {"zh": "知识块", "en": "Chunks"},
    "stopped": {"zh": "（已停止）", "en": "(stopped)"},
    "nothing_typed": {"zh": "请输入问题。", "en": "Please type a question."},
}


def text(key: str, language: str, **values: object) -> str:
    """The interface's text ``key`` in ``language`` ("zh" or "en")."""
    return TEXTS[key][language].format(**values)
