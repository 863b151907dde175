"""What the chat shows of an answer's checks."""

from __future__ import annotations

from dataclasses import replace

from app.answers.cards import source_cards
from app.answers.checked import checks_shown
from app.answers.showing import ways_on
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
    def ways(given: Answer, *, has_model: bool = True) -> list[object]:
        return [way for _, way in ways_on(given, has_model=has_model)]

    assert ways(answer()) == [{"method": "extractive"}, {"method": "step-by-step"}]
    assert ways(answer(), has_model=False) == []
    assert ways(answer(method="verify")) == []
    assert ways(answer(complete=False)) == [{"method": "extractive"}]
    strict = {"method": "llm", "strict": True}
    assert ways(answer(check(Verdict.UNSUPPORTED)))[0] == strict
    assert strict not in ways(answer(check(Verdict.PARTLY), check(Verdict.UNSUPPORTED, claim=False)))


def test_sentences_are_marked_in_the_order_of_the_text() -> None:
    mended = replace(check(Verdict.SUPPORTED), repaired=True)
    given = answer(
        mended, check(Verdict.UNSUPPORTED), check(Verdict.SUPPORTED), check(Verdict.PARTLY, citations=())
    )
    marks = checks_shown(given, "zh")["marks"]
    assert isinstance(marks, list)
    assert [(one["verdict"], one["line"], one["passage"]) for one in marks] == [
        ("", -1, 0),
        ("unsupported", 0, 0),
        ("partly", 1, -1),
    ]
    assert [one["repaired"] for one in marks] == ["引用已改正", "", ""]
    assert checks_shown(replace(given, answered=False), "zh")["marks"] == []


def test_a_sentence_is_told_without_its_marks() -> None:
    written = replace(check(Verdict.PARTLY), sentence="- **一句** `话`，见[表](http://a.example)")
    (doubt,) = checks_shown(answer(written), "zh")["doubts"]  # type: ignore[misc]
    assert doubt["sentence"] == "一句 话，见表(http://a.example)"
