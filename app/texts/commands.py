"""The names of the composer's commands, each with one line about it."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "verify": {"zh": "核对文字", "en": "Check a text"},
    "verify_help": {
        "zh": "粘贴一段文字，逐句核对知识库里有没有依据，不生成任何内容。",
        "en": "Paste a text: every sentence is held against the knowledge base; nothing is generated.",
    },
}
