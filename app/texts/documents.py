"""What the chat says about the documents that are stored."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "doc_title": {"zh": "文档", "en": "Documents"},
    "doc_search": {"zh": "按名称、知识库或类型查找", "en": "Find by name, collection or kind"},
    "doc_count": {"zh": "{count} 份", "en": "{count}"},
    "doc_none": {"zh": "这里还没有文档。", "en": "There are no documents here."},
    "doc_no_match": {"zh": "没有符合的文档。", "en": "No document fits."},
    "doc_unreachable": {"zh": "列表暂时读不到。", "en": "The list cannot be read just now."},
    "doc_retry": {"zh": "再试一次", "en": "Try again"},
    "doc_name": {"zh": "名称", "en": "Name"},
    "doc_kind": {"zh": "类型", "en": "Kind"},
    "doc_place": {"zh": "知识库", "en": "Collection"},
    "doc_pages": {"zh": "页", "en": "Pages"},
    "doc_chunks": {"zh": "知识块", "en": "Chunks"},
    "doc_added": {"zh": "更新于", "en": "Updated"},
    "doc_version": {"zh": "第 {number} 版", "en": "version {number}"},
    "doc_warnings": {"zh": "读取时的说明", "en": "What to know about the reading"},
    "doc_more": {"zh": "操作：{name}", "en": "Actions: {name}"},
    "doc_inspect": {"zh": "查看分块", "en": "See its chunks"},
    "doc_original": {"zh": "原文件", "en": "The original file"},
    "doc_download": {"zh": "下载", "en": "Download"},
    "doc_only": {"zh": "只问这份", "en": "Ask only this"},
    "doc_versions": {"zh": "历史版本", "en": "Versions"},
    "doc_current": {"zh": "当前", "en": "current"},
    "doc_changes": {"zh": "与上一版对比", "en": "Compare with the one before"},
    "doc_cancel": {"zh": "取消", "en": "Cancel"},
    "doc_again": {"zh": "重新分块", "en": "Chunk again"},
    "doc_again_ask": {"zh": "用哪种分块方式？", "en": "Which way of chunking?"},
    "doc_again_run": {"zh": "开始", "en": "Start"},
    "doc_delete": {"zh": "删除", "en": "Delete"},
    "doc_delete_ask": {
        "zh": "删除后连同历史版本都无法恢复。确定删除吗？",
        "en": "It will be gone for good, with all its versions. Delete it?",
    },
    "doc_delete_run": {"zh": "删除这份文档", "en": "Delete this document"},
    "doc_deleted": {"zh": "已删除：{name}", "en": "Deleted: {name}"},
    "doc_previous": {"zh": "上一页", "en": "Previous"},
    "doc_next": {"zh": "下一页", "en": "Next"},
    "doc_range": {"zh": "{first}–{last}，共 {count}", "en": "{first}–{last} of {count}"},
    "doc_pages_before": {"zh": "← 第 {first}–{last} 页", "en": "← Pages {first}–{last}"},
    "doc_pages_after": {"zh": "第 {first}–{last} 页 →", "en": "Pages {first}–{last} →"},
    "scope_now": {"zh": "当前范围：{line}", "en": "Scope: {line}"},
    "scope_all": {"zh": "现在检索全部文档。", "en": "All documents are searched."},
    "scope_how": {
        "zh": "输入 `/范围 文档名` 只问这些文档（写名称的一部分即可，可以写几个）；点“清除”恢复。",
        "en": "Type `/scope NAME` to ask these documents only (part of a name will do, several may be named); "
        "“Clear” undoes it.",
    },
    "compare_how": {
        "zh": "输入 `/对比 文档甲 文档乙`，或只写一份文档，对比它的两个版本。名称里有空格就加引号。",
        "en": "Type `/compare ONE ANOTHER`, or a single document to compare two versions of it. "
        "Quote names that hold blanks.",
    },
    "doc_unknown": {"zh": "没有名称含“{typed}”的文档。", "en": "No document is called “{typed}”."},
    "compare_which": {"zh": "“{typed}”指哪一份？", "en": "Which document is “{typed}”?"},
    "compare_others": {
        "zh": "另有 {count} 份名称相近，请写得更完整些。",
        "en": "Not listed: {count} more. Type more of the name.",
    },
    "compare_one": {
        "zh": "{name} 只有一个版本，没有可对比的。",
        "en": "{name} has one version only; there is nothing to compare it with.",
    },
    "compare_title": {"zh": "对比", "en": "Comparison"},
    "compare_open": {"zh": "打开完整对比", "en": "Open the whole comparison"},
    "compare_same": {"zh": "文字完全相同。", "en": "The text is the same."},
    "compare_places": {"zh": "{count} 处变化", "en": "{count} changed places"},
    "compare_gone": {"zh": "删去 {count} 字", "en": "{count} characters gone"},
    "compare_come": {"zh": "新增 {count} 字", "en": "{count} new"},
    "compare_more": {"zh": "另有 {count} 处，见完整对比。", "en": "{count} more in the whole comparison."},
    "compare_top": {"zh": "（开头）", "en": "(before the first heading)"},
    "profile_all": {"zh": "全部知识库", "en": "Everything"},
    "profile_all_about": {
        "zh": "检索所有知识库：{documents} 份文档，{chunks} 个知识块。",
        "en": "Searches all collections: {documents} documents, {chunks} chunks.",
    },
    "profile_about": {
        "zh": "只检索“{name}”：{documents} 份文档，{chunks} 个知识块。",
        "en": "Searches {name} only: {documents} documents, {chunks} chunks.",
    },
    "help_title": {"zh": "**可用的命令**", "en": "**What you can type**"},
    "help_question": {
        "zh": "其他输入都当作问题。",
        "en": "Whatever else you type is a question.",
    },
}
