"""What a reviewer reads, in Chinese and English: pure functions of a draft."""

from __future__ import annotations

from typing import Final

from core.span import Span, union
from evaluation.drafting.draft import Context, Draft
from evaluation.gold import GoldCase

_OPEN, _CLOSE = "⟦", "⟧"
_LONGEST: Final = 1200

_TEXTS: Final = {
    "zh": {
        "question": "问题",
        "answer": "答案",
        "nothing": "（无）",
        "remark": "反馈",
        "keys": "[a]接受 [e]改问题和答案 [v]改证据 [n]改为无答案 [r]拒绝 [s]跳过 [b]返回 [q]退出 > ",
        "new_question": "问题（回车：不变）> ",
        "new_answer": "答案（回车：不变）> ",
        "quote": "证据原文，逐字（回车：结束）> ",
        "not_found": "上面的原文里没有这些字。",
        "no_evidence": "没有证据，不能接受：请先用 v 指出证据，或用 n 改为无答案。",
        "no_answer": "没有答案，不能接受：请先用 e 写出答案。",
        "unknown": "请输入其中一个字母。",
        "done": "已接受 {accepted}，已拒绝 {rejected}，未审核 {open}。接受的已写入 {out}。",
    },
    "en": {
        "question": "Question",
        "answer": "Answer",
        "nothing": "(none)",
        "remark": "Feedback",
        "keys": "[a]ccept [e]dit [v] evidence [n]o answer there [r]eject [s]kip [b]ack [q]uit > ",
        "new_question": "Question (Enter: as it is) > ",
        "new_answer": "Answer (Enter: as it is) > ",
        "quote": "Exact words of the evidence (Enter: done) > ",
        "not_found": "These words are not in the text above.",
        "no_evidence": "There is no evidence: name it with v first, or say with n that there is no answer.",
        "no_answer": "There is no answer: write it with e first.",
        "unknown": "One of these letters, please.",
        "done": "{accepted} accepted, {rejected} rejected, {open} not reviewed. The accepted ones are in {out}.",
    },
}


def line(code: str, language: str, **details: object) -> str:
    """One of the sentences above."""
    return _TEXTS[language][code].format(**details)


def card(draft: Draft, case: GoldCase, number: int, total: int, language: str) -> str:
    """The case as it now is, with its evidence marked in the text around it."""
    nothing = line("nothing", language)
    answer = case.answer if isinstance(case.answer, str) else str(case.answer)
    lines = [
        "",
        f"[{number}/{total}] {draft.source} · {case.type} · {case.id}",
        f"{line('question', language)}: {case.question}",
        f"{line('answer', language)}: {answer.strip() or nothing}",
    ]
    if draft.remark:
        lines.append(f"{line('remark', language)}: {draft.remark}")
    for context in draft.contexts:
        lines += [f"--- {context.doc} @{context.start}", _marked(context, case)]
    return "\n".join(lines)


def _marked(context: Context, case: GoldCase) -> str:
    """The text of a context with marks around the evidence in it; a long one without its end."""
    end = context.start + len(context.text)
    spans = union(
        Span(max(piece.start, context.start) - context.start, min(piece.end, end) - context.start)
        for piece in case.evidence
        if piece.doc == context.doc and piece.start is not None and piece.end is not None
        if piece.start < end and context.start < piece.end
    )
    text = context.text
    for span in reversed(spans):
        text = f"{text[: span.start]}{_OPEN}{span.of(text)}{_CLOSE}{text[span.end :]}"
    return text if len(text) <= _LONGEST or spans else f"{text[:_LONGEST]}…"
