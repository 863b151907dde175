"""What is said about versions, in Chinese and English."""

from __future__ import annotations

from typing import Final

_WORDS: Final[dict[str, dict[str, str]]] = {
    "brand": {"zh": "有据 · 两个版本的对比", "en": "Youju · two versions compared"},
    "brand_of_two": {"zh": "有据 · 两份文档的对比", "en": "Youju · two documents compared"},
    "version": {"zh": "第 {number} 版", "en": "version {number}"},
    "current": {"zh": "当前", "en": "current"},
    "characters": {"zh": "{count:,} 个字符", "en": "{count:,} characters"},
    "bytes": {"zh": "{count:,} 字节", "en": "{count:,} bytes"},
    "first": {"zh": "首次添加", "en": "first added"},
    "new_bytes": {"zh": "文件内容有变化", "en": "the file changed"},
    "new_settings": {"zh": "文件相同，处理设置有变化", "en": "the same file, read with other settings"},
    "restored": {"zh": "与第 {number} 版相同", "en": "as in version {number}"},
    "changed": {
        "zh": "删去 {removed:,} 字，新增 {added:,} 字",
        "en": "{removed:,} characters gone, {added:,} new",
    },
    "same_text": {"zh": "文字没有变化", "en": "the text is the same"},
    "summary": {
        "zh": "{places} 处变化：删去 {removed:,} 字，新增 {added:,} 字。",
        "en": "{places} changed places: {removed:,} characters gone, {added:,} new.",
    },
    "nothing": {
        "zh": "第 {old} 版与第 {new} 版的文字相同，没有变化。",
        "en": "Versions {old} and {new} have the same text; nothing changed.",
    },
    "alike": {
        "zh": "{old} 与 {new} 的文字完全相同。",
        "en": "{old} and {new} have the same text.",
    },
    "only_one": {"zh": "{name} 只有一个版本。", "en": "{name} has only one version."},
    "top": {"zh": "（开头）", "en": "(before the first heading)"},
    "unchanged": {"zh": "{count:,} 行没有变化", "en": "{count:,} unchanged lines"},
    "changes": {"zh": "变化", "en": "Changes"},
    "file": {"zh": "文件", "en": "File"},
    "collection": {"zh": "知识库", "en": "Collection"},
    "from": {"zh": "旧版", "en": "From"},
    "to": {"zh": "新版", "en": "To"},
    "gone": {"zh": "删去", "en": "Gone"},
    "come": {"zh": "新增", "en": "New"},
    "written": {"zh": "已写入 {path}", "en": "Written: {path}"},
}


def word(key: str, language: str, **values: object) -> str:
    """One of this module's texts."""
    return _WORDS[key][language].format(**values)
