"""What each figure is called and means, in Chinese and English, and whether more of it is better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """``better`` is 1 when more is better, -1 when less is, 0 for what is neither. ``is_share``: shown in per cent.
    ``zh`` and ``en`` are (name, explanation); "{n}" is what stands behind the @ of a figure's name."""

    zh: tuple[str, str]
    en: tuple[str, str]
    better: int = 1
    is_share: bool = True

    def name(self, language: str, n: str = "") -> str:
        return (self.zh if language == "zh" else self.en)[0].format(n=n)

    def text(self, language: str, n: str = "") -> str:
        return (self.zh if language == "zh" else self.en)[1].format(n=n)


def _m(zh: str, zh_text: str, en: str, en_text: str, better: int = 1, *, is_share: bool = True) -> Meaning:
    return Meaning(zh=(zh, zh_text), en=(en, en_text), better=better, is_share=is_share)


# fmt: off
_ANY: Final = {
    "recall@": _m("召回 @{n}", "前 {n} 个（或 {n} token 以内）里，证据完整出现的比例",
                  "recall @{n}", "share of the evidence that is whole in the first {n} passages, or tokens"),
    "whole@": _m("整题 @{n}", "{n} token 以内，全部证据都在的问题比例",
                 "whole @{n}", "share of questions with all of their evidence within {n} tokens"),
    "precision@": _m("精度 @{n}", "前 {n} 个（或 {n} token）里，属于证据的比例",
                     "precision @{n}", "share of the first {n} passages, or tokens, that is evidence"),
    "char_recall@": _m("字符召回 @{n}", "证据字符里有多少被返回", "character recall @{n}",
                       "share of the evidence's characters that came back"),
    "iou@": _m("IoU @{n}", "返回的字符与证据字符的交并比", "IoU @{n}",
               "characters both returned and wanted, over all that are either"),
    "f1@": _m("F1 @{n}", "精度与召回的调和平均", "F1 @{n}", "harmonic mean of precision and recall"),
    "ndcg@": _m("nDCG @{n}", "证据出现得有多靠前，1 为最好", "nDCG @{n}", "how early the evidence comes; 1 is best"),
    "complete": _m("完整", "证据整个落在一个块里的比例", "complete", "share of evidence that one chunk holds whole"),
    "adjacent": _m("邻接", "要把相邻两块合起来才完整的比例", "adjacent", "share that only two neighbours hold together", 0),
    "truncated": _m("截断", "相邻两块合起来也不完整的比例", "truncated", "share that not even two neighbours hold", -1),
    "case_complete": _m("整题完整", "一份文档对这一题的全部证据在一个块里", "case complete",
                        "all that a document says to the question is in one chunk"),
    "case_adjacent": _m("整题邻接", "相邻两块合起来才有整题的证据", "case adjacent", "the same, in two neighbours", 0),
    "case_truncated": _m("整题截断", "相邻两块也没有整题的证据", "case truncated", "the same, not even in two", -1),
    "chroma_recall": _m("Chroma 召回", "Chroma 基准的召回（前 5 块）", "Chroma recall", "recall by Chroma's definition, 5 chunks"),
    "chroma_precision": _m("Chroma 精度", "Chroma 基准的精度", "Chroma precision", "precision by Chroma's definition"),
    "chroma_omega": _m("Chroma 精度Ω", "召回完美时的精度", "Chroma precision Ω", "precision at perfect recall"),
    "chroma_iou": _m("Chroma IoU", "Chroma 基准的 IoU", "Chroma IoU", "IoU by Chroma's definition"),
    "hit@1": _m("首条命中", "第一条就完整含有一条证据的问题比例",
                "hit @1", "share of questions whose first passage holds evidence whole"),
    "touch@1": _m("首条触及", "第一条触及证据的问题比例", "touch @1", "share of questions whose first passage touches evidence"),
    "mrr": _m("MRR", "第一条触及证据的排名的倒数", "MRR", "1 / rank of the first passage that touches evidence"),
    "empty": _m("空召回", "一点证据也没找到的问题比例", "missed", "share of questions for which no evidence came at all", -1),
    "recall": _m("证据召回", "在给定字符以内完整返回的证据比例", "recall", "share of the evidence returned whole within the budget"),
    "whole": _m("整题", "全部证据都返回了的问题比例", "whole", "share of questions for which all evidence came back"),
    "iou": _m("IoU", "返回的字符与证据字符的交并比", "IoU", "characters both returned and wanted, over all that are either"),
    "chars@": _m("字符数 @{n}", "预算的 {n} 以内返回的字符数", "characters @{n}", "characters within {n} of the budget", 0,
                 is_share=False),
    "chars": _m("字符数", "返回（或引用）的字符数", "characters", "characters returned, or cited", 0, is_share=False),
    "refused": _m("应拒已拒", "文档没有答案、确实拒答的比例", "refused", "share of questions without an answer that are refused"),
    "answered": _m("应答已答", "文档有答案、确实作答的比例", "answered", "share of questions with an answer that are not refused"),
    "citation_precision": _m("引用精度", "引用里触及证据的比例", "citation precision", "share of citations that touch the evidence"),
    "citation_recall": _m("引用召回", "被引用触及的证据比例", "citation recall", "share of the evidence that a citation touches"),
}
_OF_KIND: Final = {
    "answers/recall": _m("引用召回", "被引用触及的证据比例", "citation recall", "share of the evidence that a citation touches"),
    "answers/precision": _m("引用精度", "引用里触及证据的比例", "citation precision", "share of citations that touch the evidence"),
    "answers/held": _m("含半条证据", "引用里至少含有一条证据一半的比例",
                       "half held", "share of citations that hold half of a piece of evidence"),
    "answers/answer": _m("答案原文", "标准答案整个出现在引用的原文里的比例",
                         "answer held", "share of questions whose answer stands whole in the cited words"),
    "answers/points": _m("要点覆盖", "答案各部分被引用原文含有的比例",
                         "key points", "share of the answer's parts that the cited words hold"),
    "answers/words": _m("关键词", "书面答案里的词在引用原文中出现的比例",
                        "answer's words", "share of a written answer's words found in the cited words"),
    "answers/rouge": _m("ROUGE-L", "引用原文与书面答案的最长公共子序列 F1",
                        "ROUGE-L", "longest common subsequence of cited words and written answer"),
    "answers/page": _m("页码", "第一条引用在证据所在页的比例", "page", "share of answers whose first citation is on the evidence's page"),
    "answers/unsupported": _m("无依据句", "答案句子里核对为“不支持”的比例",
                              "unsupported", "share of an answer's sentences that the check calls unsupported", -1),
    "answers/refusal_precision": _m("拒答精度", "拒答里确实该拒的比例", "refusal precision", "share of refusals that are right"),
    "answers/refusal_recall": _m("拒答召回", "该拒的问题里拒了的比例",
                                 "refusal recall", "share of unanswerable questions that are refused"),
    "answers/refusal_f1": _m("拒答 F1", "拒答精度与召回的调和平均", "refusal F1", "harmonic mean of the two"),
    "ragas/faithfulness": _m("忠实度", "裁判模型认为回答的说法有多少由所给文字支持", "faithfulness",
                             "share of the answer's claims that the text it was given carries, by the judge"),
    "ragas/answer_relevancy": _m("切题", "裁判模型认为回答有多贴近问题", "relevancy",
                               "how near the answer is to the question, by the judge"),
    "ragas/context_recall": _m("上下文召回", "标准答案的说法有多少能从所给文字得出", "context recall",
                               "share of the right answer's claims that the text carries, by the judge"),
    "verify/right": _m("判对", "判定与预期一致的句子比例", "right", "share of sentences with the verdict that was expected"),
    "verify/caught": _m("查出", "假句被判为“不支持”的比例", "caught", "share of false sentences called unsupported"),
    "verify/alarm": _m("误报", "真句被判为“不支持”的比例", "false alarms", "share of true sentences called unsupported", -1),
    "verify/as_supported": _m("判“支持”的可信度", "判为“支持”的句子里确实有依据的比例", "called supported, rightly",
                              "of the sentences called supported, the share that are"),
    "verify/as_partly": _m("判“部分”的可信度", "判为“部分支持”的句子里确实如此的比例", "called partly, rightly",
                           "of the sentences called partly supported, the share that are"),
    "verify/as_unsupported": _m("判“不支持”的可信度", "判为“不支持”的句子里确实没有依据的比例", "called unsupported, rightly",
                                "of the sentences called unsupported, the share that are"),
    "verify/goal_precision": _m("精度（数字与否定）", "数字、单位、日期、否定的改动：判“不支持”的精度", "precision, numbers and negation",
                                "of changed numbers, units, dates and negations"),
    "verify/goal_recall": _m("召回（数字与否定）", "数字、单位、日期、否定的改动被查出的比例", "recall, numbers and negation",
                             "share of changed numbers, units, dates and negations that is caught"),
}
# fmt: on
HEADED: Final = "headed_"
_UNKNOWN: Final = 0

# What a run of a kind is judged by, most telling first: its table, its radar, and what may not get worse.
KEY: Final[dict[str, tuple[str, ...]]] = {
    "chunks": ("recall@1600", "whole@1600", "complete", "case_complete", "truncated", "iou@1600", "chroma_recall"),
    "retrieval": ("whole", "recall", "hit@1", "recall@5", "ndcg@5", "mrr", "iou", "empty"),
    "answers": ("answer", "points", "words", "precision", "recall", "unsupported", "answered", "refused"),
    "ragas": ("faithfulness", "answer_relevancy", "context_recall"),
    "verify": ("right", "caught", "alarm", "goal_precision", "goal_recall", "as_supported", "as_unsupported"),
    "gate": (
        "truncated", "complete", "recall@3", "whole", "citation_precision", "citation_recall", "refused",
    ),
}  # fmt: skip


def meaning_of(kind: str, figure: str) -> Meaning:
    """Of a figure of a run of ``kind``; one that nobody has described is called what it is called."""
    plain = figure.removeprefix(HEADED)
    base = plain.partition("@")[0] + "@" if "@" in plain else plain
    found = _OF_KIND.get(f"{kind}/{plain}") or _ANY.get(plain) or _ANY.get(base)
    return found or Meaning(zh=(plain, ""), en=(plain, ""), better=_UNKNOWN, is_share=False)


def name_of(kind: str, figure: str, language: str) -> str:
    """As a reader sees it."""
    name = meaning_of(kind, figure).name(language, figure.partition("@")[2])
    return f"{name} +" if figure.startswith(HEADED) else name


def text_of(kind: str, figure: str, language: str) -> str:
    """The explanation, empty for a figure that nobody has described."""
    return meaning_of(kind, figure).text(language, figure.partition("@")[2])


def keys_of(kind: str, present: set[str]) -> list[str]:
    """Those of the kind's key figures that are there; of an unknown kind all."""
    wanted = KEY.get(kind, tuple(sorted(present)))
    return [name for name in wanted if name in present]


def shown(kind: str, figure: str, value: float) -> str:
    """A value as a reader sees it."""
    return f"{value * 100:.1f}\u00a0%" if meaning_of(kind, figure).is_share else plain(value)


def plain(value: float) -> str:
    """A number with three digits, or all of those before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
