"""What a comparison of searches tells while it works, in Chinese and English."""

from __future__ import annotations

from typing import Final

from evaluation.chunk_progress import Progress as Told

_TEXTS: Final = {
    "zh": {
        "base": "{set}：{documents} 份文档，{chunks} 个块，入库用时 {build_s:.0f} 秒",
        "run": "{set}：{name}",
        "done": "{set}：{name} 完成，证据召回 {recall:.3f}，首条命中 {hit:.3f}，p95 {p95:.0f} 毫秒",
        "kept": "已写入 {out}",
        "ingest": "入库",
        "embed": "嵌入",
        "ask": "提问",
    },
    "en": {
        "base": "{set}: {documents} documents, {chunks} chunks, added in {build_s:.0f} s",
        "run": "{set}: {name}",
        "done": "{set}: {name} done: evidence recall {recall:.3f}, hit@1 {hit:.3f}, p95 {p95:.0f} ms",
        "kept": "Written to {out}",
        "ingest": "adding",
        "embed": "embedding",
        "ask": "asking",
    },
}


class Progress(Told):
    """Sentences, and every tenth of a stage that has many steps."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self._words = _TEXTS[language]
