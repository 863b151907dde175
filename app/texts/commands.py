"""The names of the composer's commands, each with one line about it."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, dict[str, str]]] = {
    "verify": {"zh": "核对文字", "en": "Check a text"},
    "verify_help": {
        "zh": "粘贴一段文字，逐句核对知识库里有没有依据，不生成任何内容。",
        "en": "Paste a text: every sentence is held against the knowledge base; nothing is generated.",
    },
    "verify_how": {
        "zh": "输入 `/核对文字`，后面贴上要核对的文字。",
        "en": "Type `/verify` and paste the text that is to be checked behind it.",
    },
    "docs": {"zh": "文档", "en": "Documents"},
    "docs_help": {
        "zh": "列出文档：查看分块、版本、原文件，重新分块，删除。",
        "en": "The documents: their chunks, versions and files; chunk again, delete.",
    },
    "scope_to": {"zh": "范围", "en": "Scope"},
    "scope_to_help": {
        "zh": "后面写文档名，之后只问这些文档；不写就显示当前范围。",
        "en": "Name documents to ask only these; without a name it says what is searched.",
    },
    "compare": {"zh": "对比", "en": "Compare"},
    "compare_help": {
        "zh": "后面写两份文档，或一份文档，看它们或它的两个版本哪里不同。",
        "en": "Name two documents, or one to see how its last two versions differ.",
    },
    "help": {"zh": "帮助", "en": "Help"},
    "help_help": {"zh": "列出全部命令。", "en": "Lists all commands."},
}
