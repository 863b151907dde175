"""The words of the panel beside the chat."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "panel": {"zh": "出处", "en": "Source"},
    "panel_page": {"zh": "原页面", "en": "The page"},
    "panel_text": {"zh": "原文", "en": "The words"},
}
