"""What a reader must know about how a document was read."""

from __future__ import annotations

NOTICES: dict[str, dict[str, str]] = {
    "pages_without_text": {
        "zh": "第 {pages} 页没有文字层，未收录。",
        "en": "Pages {pages} have no text layer and were left out.",
    },
    "repaired": {
        "zh": "文件有损坏，已自动修复，可能缺少内容。",
        "en": "The file was damaged and repaired; content may be missing.",
    },
    "decoded_as": {
        "zh": "按 {encoding} 编码读取。",
        "en": "Read as {encoding}.",
    },
}
