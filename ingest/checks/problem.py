"""A broken invariant, in words of both languages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "original_missing": {
        "zh": "原文件 {digest} 不在了。请重新添加这个文件",
        "en": "the original file {digest} is missing; add the file again",
    },
    "original_changed": {
        "zh": "原文件 {digest} 被改动过。请运行 rebuild，再重新添加这个文件",
        "en": "the original file {digest} was changed; run rebuild, then add the file again",
    },
    "unreadable": {"zh": "{reason}", "en": "{reason}"},
    "no_chunk": {"zh": "没有块", "en": "no chunk"},
    "outside_text": {
        "zh": "{kind} {id} 到 {end} 结束，而文字只到 {length}",
        "en": "{kind} {id} ends at {end}, the text at {length}",
    },
    "out_of_order": {"zh": "{kind} {id} 不在它的位置上", "en": "{kind} {id} is out of order"},
    "outside_parent": {"zh": "块 {id} 不在它的父块里", "en": "chunk {id} is outside its parent"},
    "uncovered": {"zh": "有 {count} 个字符不在任何块里", "en": "{count} characters are in no chunk"},
    "wrong_link": {"zh": "块 {id} 的前后关系有误", "en": "chunk {id} names a wrong neighbour"},
    "wrong_current": {
        "zh": "当前版本不是最新的一版",
        "en": "the current version is not the newest one",
    },
    "same_number": {"zh": "两个版本的编号相同：{number}", "en": "two versions have the number {number}"},
    "orphans": {
        "zh": "表 {table} 中有 {count} 行不属于任何文档",
        "en": "{count} rows of the table {table} belong to nothing",
    },
    "no_model": {"zh": "有块，但没有记下向量模型", "en": "chunks without an embedding model"},
    "no_vector": {
        "zh": "有 {count} 个块没有 {model} 的向量",
        "en": "{count} chunks have no vector of {model}",
    },
    "vector_damaged": {"zh": "有 {count} 个向量已损坏", "en": "{count} vectors are damaged"},
    "stray_files": {
        "zh": "有 {count} 个原文件不属于任何版本",
        "en": "{count} originals belong to no version",
    },
    "index_rows": {
        "zh": "索引有 {rows} 行，而块有 {chunks} 个",
        "en": "the index has {rows} rows for {chunks} chunks",
    },
    "index_stale": {
        "zh": "索引显示的是第 {found} 代，而知识库是第 {expected} 代",
        "en": "the index shows generation {found}, the store is at {expected}",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """``code`` names a text; ``where`` is "collection/document", empty when it is about the whole store."""

    code: str
    where: str = ""
    details: dict[str, object] = field(default_factory=dict)

    def text(self, language: str) -> str:
        """In words, with the document in front."""
        said = _TEXTS[self.code][language].format(**self.details)
        return f"{self.where}: {said}" if self.where else said

    def __str__(self) -> str:
        return self.text("en")


def problem(code: str, where: str = "", **details: object) -> Problem:
    """A ``Problem`` with its details by name."""
    return Problem(code=code, where=where, details=details)
