"""What stands beside an answer."""

from __future__ import annotations

NOTES: dict[str, dict[str, str]] = {
    "note_extractive": {
        "zh": "没有使用对话模型，答案是原文摘录。",
        "en": "No chat model was used; these are the source's own sentences.",
    },
    "note_model_failed": {
        "zh": "对话模型没有给出完整的回答，改为原文摘录。",
        "en": "The chat model gave no complete answer; the source's own sentences are shown instead.",
    },
    "note_not_stored": {
        "zh": "这个回答没有存下来，以后打不开它的链接。",
        "en": "This answer could not be stored; no link will show it again.",
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
    "note_citations_repaired": {
        "zh": "有的引用与原文对不上，已改为真正有依据的段落，或补上了出处。",
        "en": "Some citations did not carry their sentences; they now name the passage that does.",
    },
    "note_sentences_removed": {
        "zh": "有 {removed} 句话在原文中找不到依据，已按设置（YOUJU_ANSWER__STRICT）删去。",
        "en": "Sentences that no source carries were removed, as set by YOUJU_ANSWER__STRICT: {removed}.",
    },
    "note_step_by_step": {
        "zh": "逐段核对：✓ 肯定或条件满足，✗ 否定或条件不满足，? 问题没有给出所需的事实。",
        "en": "Checked passage by passage: ✓ yes or met, ✗ no or not met, ? the question does not tell the fact that "
        "is needed.",
    },
    "note_steps_failed": {
        "zh": "有的段落未能核对。",
        "en": "Some passages could not be checked.",
    },
    "note_no_conclusion": {
        "zh": "对话模型没有给出结论，只列出各步。",
        "en": "The chat model gave no conclusion; only the steps are shown.",
    },
    "step_conclusion": {"zh": "结论", "en": "Conclusion"},
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
    "note_whole_extractive": {
        "zh": "没有使用对话模型：逐节按问题中的词语摘录原文，可能有遗漏，也可能有多余。",
        "en": "No chat model was used: the source's own words were picked section by section by the question's "
        "words; some may be missing, some too many.",
    },
    "note_whole_structure": {
        "zh": "按文档自身的编号清点，没有使用对话模型。",
        "en": "Counted by the document's own numbering, without a chat model.",
    },
    "note_whole_unmerged": {
        "zh": "未能合并各节的结果，按原文顺序逐节列出，可能有重复。",
        "en": "The findings of the sections could not be merged; they stand in the order of the source, "
        "perhaps some of them twice.",
    },
    "note_whole_budget": {
        "zh": "文档超出通读的上限（YOUJU_RETRIEVAL__WHOLE_TOKENS），只读了一部分。",
        "en": "The document is larger than what is read at once (YOUJU_RETRIEVAL__WHOLE_TOKENS); "
        "a part of it was read.",
    },
    "note_whole_failed": {
        "zh": "有些部分对话模型没有读成。",
        "en": "The chat model failed to read some parts.",
    },
    "note_whole_no_section": {
        "zh": "文档中没有找到所问的章节，读的是全文。",
        "en": "The section asked for was not found; the whole document was read.",
    },
    "whole_count": {"zh": "共找到 {count} 项：", "en": "Found: {count}"},
    "whole_count_at_least": {"zh": "至少有 {count} 项：", "en": "At least {count}:"},
    "whole_count_by_words": {
        "zh": "含有问题中词语的条目至少有 {count} 项：",
        "en": "Entries that hold the question's words: at least {count}",
    },
    "whole_count_more": {"zh": "……以及另外 {more} 项。", "en": "... and {more} more."},
    "read_whole": {
        "zh": "已通读全文 {percent}%（{parts} 节）",
        "en": "Read {percent} % of the document (sections: {parts})",
    },
    "read_part": {
        "zh": "已读全文的 {percent}%（{parts} 节中的 {read} 节）",
        "en": "Read {percent} % of the document ({read} of {parts} sections)",
    },
    "read_whole_section": {
        "zh": "已通读“{section}” {percent}%（{parts} 节）",
        "en": 'Read {percent} % of "{section}" (sections: {parts})',
    },
    "read_part_section": {
        "zh": "已读“{section}”的 {percent}%（{parts} 节中的 {read} 节）",
        "en": 'Read {percent} % of "{section}" ({read} of {parts} sections)',
    },
    "read_nothing": {"zh": "文档中没有可读的文字", "en": "The document holds no text to read"},
    "read_missing": {"zh": "；未读完：{names}", "en": "; not wholly read: {names}"},
    "read_joint": {"zh": "、", "en": ", "},
    "read_more": {"zh": " 等另外 {more} 节", "en": " and {more} more"},
    "note_rewritten": {
        "zh": "依据不够明确，换一种问法又检索了一次。",
        "en": "The evidence was not clear, so the question was searched once more in other words.",
    },
    "why_returned": {
        "zh": "分块 {chunk} 就在第 {reason} 段依据里。",
        "en": "Chunk {chunk} is in passage {reason}.",
    },
    "why_unknown": {"zh": "没有可查看的分块 {chunk}。", "en": "There is no chunk {chunk} to be seen."},
    "why_not_found": {
        "zh": "分块 {chunk} 没有被检索到（{stage} 的候选里都没有它）。",
        "en": "Chunk {chunk} was not found: it is not among the candidates of {stage}.",
    },
    "why_passed_over": {
        "zh": "分块 {chunk} 在“{stage}”之后没有再用到：排在它前面的已经够了。",
        "en": "Chunk {chunk} was not used after {stage}: those before it were enough.",
    },
    "why_dropped": {
        "zh": "分块 {chunk} 在“{stage}”这一步被略过：{reason}。",
        "en": "Chunk {chunk} was passed over at {stage}: {reason}.",
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
    "refusal_searched": {
        "zh": "检索的问题：「{searched}」，检索的文档：{documents} 份；最接近的段落列在下面。",
        "en": "Searched for “{searched}” (documents: {documents}); the nearest passages are listed below.",
    },
}
