"""What the chat says about what is searched."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "scope": {"zh": "范围：", "en": "Scope: "},
    "scope_clear": {"zh": "清除", "en": "Clear"},
    "filter_cleared": {"zh": "没有筛选：检索全部文档。", "en": "No filter: all documents are searched."},
    "filter_collections": {"zh": "知识库", "en": "Collections"},
    "filter_documents": {"zh": "文档", "en": "Documents"},
    "filter_documents_typed": {
        "zh": "输入文档名或其中一部分，按回车。",
        "en": "Type a document's name or part of it and press Enter.",
    },
    "filter_kinds": {"zh": "文件类型", "en": "Kinds of file"},
    "filter_from": {"zh": "日期从", "en": "Dates from"},
    "filter_to": {"zh": "日期到", "en": "Dates until"},
    "filter_placeholder": {"zh": "2024、2024-05 或 2024-05-01", "en": "2024, 2024-05 or 2024-05-01"},
    "filter_dates": {
        "zh": "正文里有日期落在这段时间内的文档；正文没有日期的，按入库日期算。"
        "只检索每份文档的当前版本，不检索旧版本。",
        "en": "Documents whose text names a date in this time; those that name none count as of the day they "
        "were added. Only the current version of each document is searched, never an earlier one.",
    },
    "filter_this_chat": {"zh": "本次对话", "en": "this chat"},
    "filter_comma": {"zh": "、", "en": ", "},
    "filter_names": {"zh": "{first} 及另外 {others} 份", "en": "{first} and {others} more"},
    "filter_since": {"zh": "{since} 起", "en": "from {since}"},
    "filter_until": {"zh": "{until} 止", "en": "until {until}"},
    "filter_between": {"zh": "{since} 至 {until}", "en": "{since} to {until}"},
    "filter_count": {"zh": "{count} 份文档", "en": "documents: {count}"},
    "filter_nothing": {"zh": "没有符合的文档", "en": "no document fits"},
    "filter_no_date": {
        "zh": "看不懂日期“{typed}”，没有按它筛选。请写成 2024、2024-05 或 2024-05-01。",
        "en": "“{typed}” is no date, so it was left out. Write 2024, 2024-05 or 2024-05-01.",
    },
    "filter_no_document": {
        "zh": "没有名称含“{typed}”的文档，没有按它筛选。",
        "en": "No document is called “{typed}”, so it was left out.",
    },
}
