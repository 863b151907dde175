"""What a comparison of chunkings tells while it works, in Chinese and English."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.terminal import tell

_TEXTS: Final = {
    "zh": {
        "set": "{name}：{documents} 份文档，{questions} 个问题",
        "run": "{set}：{name}",
        "done": "{set}：{name} 完成，完整 {complete:.3f}，截断 {truncated:.3f}，1600 token 内证据召回 {recall:.3f}",
        "kept": "已写入 {out}",
        "parse": "解析",
        "cut": "切分",
        "embed": "嵌入",
        "judge": "模型评判",
        "judged": "{set}：{name} 的 {chunks} 块由模型评判，完整性平均 {mean:.3f}，{enough:.3f} 达标；{unread} 个回复无法读取",
        "skipped": "{name}：跳过 {unplaced} 个没有字符位置的问题（PDF 只有页码）",
        "misread": "{name}：{misread} 个问题的证据不在解析结果的原位置上，记为解析失误",
    },
    "en": {
        "set": "{name}: {documents} documents, {questions} questions",
        "run": "{set}: {name}",
        "done": "{set}: {name} done: complete {complete:.3f}, truncated {truncated:.3f}, evidence recall in "
        "1600 tokens {recall:.3f}",
        "kept": "Written to {out}",
        "parse": "parsing",
        "cut": "cutting",
        "embed": "embedding",
        "judge": "judging",
        "judged": "{set}: {name}: {chunks} chunks judged by the model, completeness {mean:.3f} at mean, {enough:.3f} of them enough; "
        "{unread} replies could not be read",
        "skipped": "{name}: {unplaced} questions without character offsets are skipped (PDFs have pages)",
        "misread": "{name}: the evidence of {misread} questions is not where the gold has it: the parser's",
    },
}


class Progress:
    """Sentences, and every tenth of a stage that has ``least`` steps or more."""

    def __init__(self, language: str) -> None:
        self._words = _TEXTS[language]

    def tell(self, code: str, **details: object) -> None:
        tell(self._words[code].format(**details))

    def of(self, stage: str, least: int = 10) -> Callable[[int, int], None]:
        """What hears the steps done and all steps of ``stage``."""
        last = -1

        def tick(done: int, total: int) -> None:
            nonlocal last
            tenth = done * 10 // total
            if tenth != last and total >= least:
                tell(f"  {self._words[stage]} {done}/{total}")
            last = tenth

        return tick
