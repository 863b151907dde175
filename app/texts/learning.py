"""What the chat says about praise and complaints."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "mark_thanks": {"zh": "记下了，谢谢。", "en": "Noted, thank you."},
    "mark_taken_back": {"zh": "标记已取消。", "en": "The mark was taken back."},
    "feedback_lost": {
        "zh": "反馈没有写入审核文件（磁盘可能已满）；这里仍会显示。",
        "en": "This could not be kept for the review (the disk may be full); it still shows here.",
    },
}
