"""What evaluation prints, in Chinese and English: pure functions of the data."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from evaluation.finetune import Outcome

_FINETUNE: Final = {
    "zh": """\
用 {learned} 组主题训练了 {steps} 步；在留出的 {judged} 组（{chunks} 个块）上：
  最近的块属于同一主题   {before.recall_at_1:.3f} -> {after.recall_at_1:.3f}
  前五个里有同一主题的   {before.recall_at_5:.3f} -> {after.recall_at_5:.3f}
  MRR                    {before.mrr:.3f} -> {after.mrr:.3f}
  同主题的平均相似度     {before.same:.3f} -> {after.same:.3f}
  相邻主题的平均相似度   {before.near:.3f} -> {after.near:.3f}
模型已保存到 {out}。{advice}""",
    "en": """\
Trained {steps} steps on {learned} topics; on the {judged} held-back topics ({chunks} chunks):
  nearest chunk is of the same topic   {before.recall_at_1:.3f} -> {after.recall_at_1:.3f}
  one of the nearest five is           {before.recall_at_5:.3f} -> {after.recall_at_5:.3f}
  MRR                                  {before.mrr:.3f} -> {after.mrr:.3f}
  mean similarity inside topics        {before.same:.3f} -> {after.same:.3f}
  mean similarity to the next topics   {before.near:.3f} -> {after.near:.3f}
The model was saved as {out}. {advice}""",
}
_USE: Final = {
    "zh": "要使用它：设置 YOUJU_EMBEDDING__NAME=sentence-transformers 和 YOUJU_EMBEDDING__MODEL={out}，"
    "然后运行 python -m ingest rebuild --embed 和 python -m ingest calibrate。",
    "en": "To use it: set YOUJU_EMBEDDING__NAME=sentence-transformers and YOUJU_EMBEDDING__MODEL={out}, "
    "then run python -m ingest rebuild --embed and python -m ingest calibrate.",
}
_WORSE: Final = {
    "zh": "它在留出的主题上没有变好，不建议使用；可以换更多的文档、更少的轮数或更小的学习率再试。",
    "en": "It is no better on the held-back topics and should not be used; try more documents, fewer epochs "
    "or a lower learning rate.",
}


def finetune_text(outcome: Outcome, out: Path, language: str) -> str:
    """The figures, and what to do with the model: advice against one that did not get better."""
    better = outcome.after.mrr > outcome.before.mrr
    return _FINETUNE[language].format(
        learned=outcome.learned_groups,
        judged=outcome.judged_groups,
        chunks=outcome.after.chunks,
        steps=outcome.steps,
        before=outcome.before,
        after=outcome.after,
        out=out,
        advice=_USE[language].format(out=out.resolve()) if better else _WORSE[language],
    )
