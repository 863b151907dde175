"""The words of the panel beside the chat."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "panel": {"zh": "出处", "en": "Source"},
    "panel_region": {"zh": "引用的出处", "en": "Source of the citation"},
    "panel_page": {"zh": "原页面", "en": "The page"},
    "panel_text": {"zh": "原文", "en": "The words"},
    "panel_previous": {"zh": "上一条引用", "en": "Previous citation"},
    "panel_next": {"zh": "下一条引用", "en": "Next citation"},
    "panel_position": {"zh": "{at} / {count}", "en": "{at} of {count}"},
    "panel_before": {"zh": "更多上文", "en": "More before"},
    "panel_after": {"zh": "更多下文", "en": "More after"},
    "panel_original": {"zh": "打开原文件", "en": "Open the original"},
    "panel_chunks": {"zh": "查看分块", "en": "See its chunks"},
    "panel_copy": {"zh": "复制引文与出处", "en": "Copy with reference"},
    "panel_copied": {"zh": "已复制", "en": "Copied"},
    "panel_zoom": {"zh": "放大或缩小这一页", "en": "Enlarge or shrink this page"},
    "panel_mark": {"zh": "这条引用对吗？", "en": "Is this citation right?"},
    "panel_right": {"zh": "对", "en": "Right"},
    "panel_wrong": {"zh": "不对", "en": "Wrong"},
    "version_added": {"zh": "第 {number} 版 · {added}", "en": "version {number} · {added}"},
    "version_newest": {"zh": "最新版", "en": "newest"},
    "version_older": {"zh": "旧版，最新为第 {newest} 版", "en": "older, newest is version {newest}"},
    "reference": {"zh": "“{quote}”——{where}", "en": "“{quote}” — {where}"},
    "reference_title": {"zh": "《{title}》", "en": "{title}"},
    "reference_file": {"zh": "（{file}）", "en": " ({file})"},
    "reference_comma": {"zh": "，", "en": ", "},
    "reference_version": {"zh": "第 {number} 版（{added}）", "en": "version {number} ({added})"},
    "card_more": {"zh": "展开全部 {count} 条引用", "en": "Show all {count} sources"},
    "card_fewer": {"zh": "收起", "en": "Show fewer"},
    "mark_repaired": {"zh": "引用已改正", "en": "citation corrected"},
    "trace_brief": {
        "zh": "选出 {count} 段原文，来自 {documents} 份文档，用时 {seconds:.1f} 秒。",
        "en": "{count} passages kept from {documents} documents in {seconds:.1f} s.",
    },
    "trace_more": {"zh": "其余 {count} 块", "en": "{count} more"},
    "trace_dropped": {"zh": "略去 {count} 块：{reason}", "en": "{count} left out: {reason}"},
    "trace_same words as another document": {
        "zh": "另一份文档里有同样的文字",
        "en": "another document has the same words",
    },
    "trace_document cap": {"zh": "同一文档已够", "en": "its document had enough"},
    "trace_token budget": {"zh": "超出长度", "en": "too long for what was left"},
    "trace_enough passages": {"zh": "已选够", "en": "enough passages were chosen"},
}
