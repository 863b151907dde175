"""Errors of versions, of other models and of archives of whole knowledge bases."""

from __future__ import annotations

STORE_ERRORS: dict[str, dict[str, str]] = {
    "document_ambiguous": {
        "zh": "多个知识库里都有 {name}：{collections}。请用 --collection 指明是哪一个。",
        "en": "Several collections hold a {name}: {collections}. Say which one with --collection.",
    },
    "answer_unknown": {
        "zh": "没有可查看的回答 {name}。",
        "en": "There is no answer {name} to be seen.",
    },
    "version_unknown": {
        "zh": "{name} 没有第 {number} 版，现有版本：{known}。",
        "en": "{name} has no version {number}; existing: {known}.",
    },
    "model_switched": {
        "zh": "知识库的向量已改由 {stored} 生成，而本程序启动时用的是 {current}。请用新的设置重新启动本程序。",
        "en": "The vectors were made anew with {stored} while this program was running with {current}. "
        "Restart it with the new settings.",
    },
    "chunks_too_long": {
        "zh": "有 {count} 个块超过新模型一次能读的 {limit} 个词元（例如 {name} 里的）。"
        "请调小 YOUJU_CHUNKING__HARD_TOKENS 后重新添加这些文档，或换一个模型。",
        "en": "{count} chunks are longer than the new model's window of {limit} tokens (one is in {name}). "
        "Lower YOUJU_CHUNKING__HARD_TOKENS and add those documents again, or take another model.",
    },
    "collection_widened": {
        "zh": "没有导入：档案里的知识库 {name} 只对 {archived} 开放，而这里的 {name} 对 {here} 开放，"
        "导入会让更多的人看到其中的文档。请先用 python -m ingest collections members 设置成员。",
        "en": "Nothing was imported: in the archive the collection {name} is open to {archived}, here to {here}; more "
        "people would see its documents. Set the members first: python -m ingest collections members.",
    },
    "bundle_damaged": {
        "zh": "{name} 不是完整的知识库档案：{reason}。没有导入任何内容。",
        "en": "{name} is no sound archive of a knowledge base: {reason}. Nothing was imported.",
    },
    "bundle_version": {
        "zh": "{name} 由另一个版本的程序导出（格式 {found}，本程序能读 {known}）。没有导入任何内容。",
        "en": "{name} was exported by another version of the program (format {found}, this one reads {known}). "
        "Nothing was imported.",
    },
    "bundle_unsafe": {
        "zh": "{name} 不安全，没有导入任何内容：{reason}。",
        "en": "{name} is not safe and nothing was imported: {reason}.",
    },
    "disk_full": {
        "zh": "{folder} 的空间不够：需要 {needed_mb} MB，只剩 {free_mb} MB。",
        "en": "There is not enough space in {folder}: {needed_mb} MB are needed, {free_mb} MB are free.",
    },
}
