"""What the chat shows of an answer's checks."""

from __future__ import annotations

from dataclasses import replace

from app.checked import checks_shown
from app.showing import ways_on
from app.views import source_cards
from core.answer import Answer, Citation, Passage, Route, SearchResult
from core.span import Span
from core.verdict import Aspect, CounterEvidence, Reason, SentenceCheck, Verdict

WRONG = Reason(aspect=Aspect.NUMBER, said="6个月", found="12个月")


def answer(*checks: SentenceCheck, method: str = "llm", **more: object) -> Answer:
    passage = Passage(
        document_id="d", version_id="v", doc="a.md", title="A", section_path=(), span=Span(0, 9), text="x" * 9,
        pages=(), score=1.0, chunk_ids=(), token_count=1,
    )  # fmt: skip
    search = SearchResult(
        question="q", searched="q", passages=(passage,), route=Route.CONFIDENT, trace=(), latency_ms=0.0
    )
    cited = Citation(
        n=1, passage=0, span=Span(0, 3), text="xxx", pages=(), sentence="s", verdict=Verdict.UNSUPPORTED
    )
    fields: dict[str, object] = {
        "text": "s", "answered": True, "citations": (cited,), "search": search, "method": method, "notes": (),
        "latency_ms": 1.0, "checks": checks,
    }  # fmt: skip
    return Answer(**(fields | more))  # type: ignore[arg-type]


def check(verdict: Verdict, *, claim: bool = True, citations: tuple[int, ...] = (0,)) -> SentenceCheck:
    reasons = () if verdict is Verdict.SUPPORTED else (WRONG,)
    return SentenceCheck(
        span=Span(0, 1),
        sentence="一句 话",
        verdict=verdict,
        reasons=reasons,
        citations=citations,
        claim=claim,
    )


def test_the_sum_counts_claims_and_doubts_name_their_reason_and_place() -> None:
    shown = checks_shown(
        answer(
            check(Verdict.SUPPORTED),
            check(Verdict.UNSUPPORTED),
            check(Verdict.PARTLY, citations=()),
            check(Verdict.SUPPORTED, claim=False),
        ),
        "zh",
    )
    assert shown["sum"] == "3 句话中有 1 句有原文支持，其余如下。"
    first, second = shown["doubts"]  # type: ignore[misc]
    assert (first["verdict"], first["passage"], second["passage"]) == ("unsupported", 0, -1)
    assert "12个月" in first["reasons"][0]


def test_the_sources_own_words_need_no_sum_and_a_refusal_has_none() -> None:
    assert checks_shown(answer(check(Verdict.SUPPORTED), method="extractive"), "en")["sum"] == ""
    assert checks_shown(answer(check(Verdict.UNSUPPORTED), answered=False), "en")["doubts"] == []


def test_counter_evidence_is_shown_with_what_differs() -> None:
    counter = CounterEvidence(
        check=0, passage=-1, version_id="w", doc="旧.md", span=Span(0, 3), text="另 说", reason=WRONG
    )
    (shown,) = checks_shown(answer(check(Verdict.SUPPORTED), counter=(counter,)), "en")["counter"]  # type: ignore[misc]
    assert (shown["doc"], shown["quote"], shown["passage"]) == ("旧.md", "另 说", -1)
    assert "6个月" in shown["reason"]


def test_a_card_quotes_what_its_badge_speaks_of() -> None:
    good = Citation(
        n=1, passage=0, span=Span(4, 7), text="good", pages=(), sentence="s", verdict=Verdict.SUPPORTED
    )
    given = answer()
    (shown,) = source_cards(replace(given, citations=(good, *given.citations)), "id", "en")["cards"]  # type: ignore[misc]
    assert (shown["verdict"], shown["quote"]) == ("unsupported", "xxx")


def test_other_ways_are_offered_where_they_are_ways() -> None:
    assert [method for _, method in ways_on(answer(), has_model=True)] == ["extractive", "step-by-step"]
    assert ways_on(answer(), has_model=False) == []
    assert ways_on(answer(method="verify"), has_model=True) == []
    assert [method for _, method in ways_on(answer(complete=False), has_model=True)] == ["extractive"]
