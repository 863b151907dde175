"""What went wrong with a chat model's reply, as it stands beside an answer. One a fault of ``core.chat.faults``."""

from __future__ import annotations

MODEL_NOTES: dict[str, dict[str, str]] = {
    "note_model_broke_off": {
        "zh": "对话模型没有写完：这里只有中断前写出的部分。",
        "en": "The chat model broke off: this is only what it had written until then.",
    },
    "note_model_unread": {
        "zh": "找到的段落与问题相差较远，对话模型也没有读成。",
        "en": "What was found is far from the question, and the chat model could not read it.",
    },
    "own_words_by_command": {
        "zh": "加上 --method extractive，可改看原文摘录。",
        "en": "With --method extractive the source's own words are shown instead.",
    },
    "note_other_language": {
        "zh": "回答所用的语言与问题不同。",
        "en": "The answer is in another language than the question.",
    },
    "note_model_key": {
        "zh": "原因：对话模型的服务不接受密钥（API key）。",
        "en": "Reason: the chat model's server refused the key.",
    },
    "note_model_model": {
        "zh": "原因：服务上没有设置的这个对话模型。",
        "en": "Reason: its server has no chat model of that name.",
    },
    "note_model_unreachable": {
        "zh": "原因：连不上对话模型的服务。",
        "en": "Reason: the chat model's server cannot be reached.",
    },
    "note_model_quota": {
        "zh": "原因：请求过于频繁，或额度已用完。",
        "en": "Reason: too many requests, or the quota is used up.",
    },
    "note_model_timeout": {
        "zh": "原因：对话模型太久没有回复（YOUJU_CHAT__TIMEOUT_S）。",
        "en": "Reason: the chat model said nothing for too long (YOUJU_CHAT__TIMEOUT_S).",
    },
    "note_model_refused": {
        "zh": "原因：对话模型的服务不接受这个请求。",
        "en": "Reason: the chat model's server refused the request.",
    },
    "note_model_server": {
        "zh": "原因：对话模型的服务出错了。",
        "en": "Reason: an error of the chat model's server.",
    },
    "note_model_context": {
        "zh": "原因：问题和原文超出了对话模型的上下文窗口。",
        "en": "Reason: question and passages do not fit into the chat model's window.",
    },
    "note_model_cut": {
        "zh": "原因：回复在传输中断开了。",
        "en": "Reason: the reply was cut on its way.",
    },
    "note_model_length": {
        "zh": "原因：写到了回答长度的上限（YOUJU_CHAT__MAX_ANSWER_TOKENS）。",
        "en": "Reason: the answer reached its length limit (YOUJU_CHAT__MAX_ANSWER_TOKENS).",
    },
    "note_model_filtered": {
        "zh": "原因：服务方的内容审查拦下了回复。",
        "en": "Reason: the provider's content filter withheld the reply.",
    },
    "note_model_empty": {
        "zh": "原因：对话模型什么也没有写。",
        "en": "Reason: the chat model wrote nothing.",
    },
    "note_model_thoughts": {
        "zh": "原因：对话模型只写了思考过程，没有写出回答。",
        "en": "Reason: the chat model wrote down thoughts but no answer.",
    },
    "note_model_other": {
        "zh": "原因：对话模型的回复无法读取。",
        "en": "Reason: the chat model's reply could not be read.",
    },
}
