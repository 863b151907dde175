"""Answers made by hand over texts of a few lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.answer import Answer, Citation, Passage, Route, SearchResult, TraceStep, Usage
from core.read_share import ReadShare
from core.span import Span
from core.verdict import Aspect, CounterEvidence, Reason, SentenceCheck, Verdict
from retrieval.records.codec import SourceVersion

LEAVE = "# 休假\n\n员工工作满一年的，每年享受5天年休假；满十年的，每年享受10天年休假。\n\n年休假不得折算为工资。\n"
PUMP = "# Pump\n\nReplace the filter every 500 hours. Never run the pump dry.\n"


def passage(version: str, text: str, words: str, *, score: float = 0.5) -> Passage:
    """The passage of ``text`` that is ``words``."""
    start = text.index(words)
    return Passage(
        document_id=f"doc-{version}",
        version_id=version,
        doc=f"{version}.md",
        title=version.upper(),
        section_path=(f"heading of {version}",),
        span=Span(start, start + len(words)),
        text=words,
        pages=(1,),
        score=score,
        chunk_ids=(f"{version}-c",),
        token_count=len(words),
    )


def cited(source: Passage, at: int, n: int, words: str, **more: object) -> Citation:
    """A citation of ``words`` of the passage with index ``at``."""
    start = source.span.start + source.text.index(words)
    values: dict[str, object] = {
        "sentence": words,
        "verdict": Verdict.SUPPORTED,
        "pages": source.pages,
    } | more
    return Citation(n=n, passage=at, span=Span(start, start + len(words)), text=words, **values)  # type: ignore[arg-type]


def check(text: str, sentence: str, **more: object) -> SentenceCheck:
    """The check of a sentence of ``text``."""
    start = text.index(sentence)
    values: dict[str, object] = {"verdict": Verdict.SUPPORTED} | more
    return SentenceCheck(span=Span(start, start + len(sentence)), sentence=sentence, **values)  # type: ignore[arg-type]


def answer(
    text: str, passages: Sequence[Passage], citations: Sequence[Citation] = (), **more: object
) -> Answer:
    """An answer of the chat model."""
    search = SearchResult(
        question="年休假有几天？",
        searched="年休假 天数",
        passages=tuple(passages),
        route=Route.CONFIDENT,
        trace=(TraceStep(name="dense", latency_ms=1.5, counts=(("chunks", 3),), note="n"),),
        latency_ms=12.25,
        probability=0.75,
    )
    values: dict[str, object] = {
        "answered": True,
        "method": "llm",
        "notes": ("note_rewritten",),
        "latency_ms": 1234.5,
        "model": "scripted",
        "prompt_version": "3",
        "usage": Usage(prompt_tokens=10, completion_tokens=5, price=0.25, currency="USD"),
    } | more
    return Answer(text=text, citations=tuple(citations), search=search, **values)  # type: ignore[arg-type]


def full_answer() -> Answer:
    """One that has everything that an answer can have."""
    leave = passage("leave", LEAVE, LEAVE[6:-1])
    pump = passage("pump", PUMP, "Replace the filter every 500 hours.")
    words = "满十年的，每年享受10天年休假"
    text = f"{words}[1]。\n\n滤芯每600小时更换一次 [2]。"
    reason = Reason(aspect=Aspect.NUMBER, said="600", found="500")
    return answer(
        text,
        (leave, pump),
        (
            cited(leave, 0, 1, words, strong=(Span(leave.span.start, leave.span.start + 4),)),
            cited(pump, 1, 2, "every 500 hours", sentence="滤芯每600小时更换一次", verdict=Verdict.PARTLY,
                  reasons=(reason,), score=0.5),
        ),
        checks=(
            check(text, f"{words}[1]。", citations=(0,)),
            check(text, "滤芯每600小时更换一次 [2]。", verdict=Verdict.PARTLY, reasons=(reason,), citations=(1,), repaired=True),
        ),
        counter=(
            CounterEvidence(
                check=0, passage=-1, version_id="old", doc="old.md", span=Span(3, 10), text="每年享受8天休", reason=reason
            ),
        ),
        read=ReadShare(read_chars=5, all_chars=10, parts_read=1, parts=2, section="休假", unread=("Pump",)),
        left_out=1,
        removed=2,
        complete=False,
    )  # fmt: skip


def sources(texts: Mapping[str, str]) -> dict[str, SourceVersion]:
    """Versions as they are read again, with the names that ``passage`` gives them."""
    return {
        version: SourceVersion(
            name=f"{version}.md",
            title=version.upper(),
            text=text,
            path_at=lambda span, version=version: (f"heading of {version}",),  # type: ignore[misc]
        )
        for version, text in texts.items()
    }


TEXTS = {"leave": LEAVE, "pump": PUMP, "old": "年休假每年享受8天休。"}
