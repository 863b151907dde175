"""What the chat says about files that are added to it."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
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
}
