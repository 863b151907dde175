"""What stands beside an answer."""

from __future__ import annotations

NOTES: dict[str, dict[str, str]] = {
    "note_extractive": {
        "zh": "没有使用对话模型，以下是原文摘录。",
        "en": "No chat model was used; these are the source's own sentences.",
    },
    "note_model_failed": {
        "zh": "对话模型没有给出完整的回答，改为原文摘录。",
        "en": "The chat model gave no complete answer; the source's own sentences are shown instead.",
    },
    "note_reranker_failed": {
        "zh": "重排模型出错，使用了未重排的顺序。",
        "en": "The reranker failed; the order before reranking was used.",
    },
    "note_condense_failed": {
        "zh": "未能改写追问，直接按原问题检索。",
        "en": "The follow-up could not be rewritten; it was searched as typed.",
    },
    "note_rewrite_failed": {
        "zh": "对话模型未能改写问题，只按原问题检索。",
        "en": "The chat model could not reword the question; it was searched as it stands.",
    },
    "note_unknown_citations": {
        "zh": "去掉了不存在的引用编号。",
        "en": "Citation numbers that do not exist were removed.",
    },
    "note_nothing_stored": {
        "zh": "知识库里还没有文档。请先添加文档。",
        "en": "The knowledge base holds no documents yet. Add some first.",
    },
    "store_waiting": {
        "zh": "另一个程序正在写入知识库，正在等待……",
        "en": "Another program is writing to the knowledge base; waiting for it ...",
    },
    "store_waiting_for": {
        "zh": "另一个程序（{host} 上的进程 {pid}）自 {since} 起正在写入知识库，正在等待……",
        "en": "Another program (process {pid} on {host}) has been writing to the knowledge base since {since}; "
        "waiting for it ...",
    },
    "note_passages_left_out": {
        "zh": "对话模型的上下文窗口放不下全部段落：最后 {left_out} 段没有交给它。",
        "en": "Not all passages fit into the chat model's window: "
        "the last of them ({left_out}) were not given to it.",
    },
    "usage": {
        "zh": "用量：{prompt} + {completion} 词元{price} · {calls} 次调用",
        "en": "Usage: {prompt} + {completion} tokens{price} · calls: {calls}",
    },
    "usage_estimated": {
        "zh": "用量（估算）：{prompt} + {completion} 词元{price} · {calls} 次调用",
        "en": "Usage (estimated): {prompt} + {completion} tokens{price} · calls: {calls}",
    },
    "usage_cached": {"zh": "（其中缓存 {tokens}）", "en": " ({tokens} of them cached)"},
    "usage_price": {"zh": "，约 {price}", "en": ", about {price}"},
    "refusal": {
        "zh": "在已有资料中没有找到能回答这个问题的依据，所以不作回答。可以换一种问法，或添加相关文档。",
        "en": "The documents hold no evidence that answers this question, so no answer is given. "
        "Try other words, or add a document about it.",
    },
}
