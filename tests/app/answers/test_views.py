"""What the chat shows, as pure functions of the result."""

from __future__ import annotations

import string
from dataclasses import replace

import pymupdf
import pytest

from app.answers import views
from app.answers.cards import source_cards
from app.answers.tracing import places_told, search_step
from app.panel.pages import page_views
from app.texts import TEXTS
from core.answer import TraceStep
from core.document import Line, lines_of
from core.span import Span
from core.verdict import Verdict
from ingest.parsers.pdf.parser import PdfParser
from retrieval.knowledge_base import KnowledgeBase
from tests.support import pdf_bytes


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_every_text_exists_in_both_languages_with_the_same_places(key: str) -> None:
    fields = [{f for _, f, _, _ in string.Formatter().parse(TEXTS[key][lang]) if f} for lang in ("zh", "en")]
    assert fields[0] == fields[1]


def test_cards_name_document_section_and_verdict(filled: KnowledgeBase) -> None:
    answer = filled.ask("员工请病假须满足什么条件？")
    shown = source_cards(answer, "id", "zh")
    cards = shown["cards"]
    assert isinstance(cards, list)
    first = cards[0]
    assert first["doc"] == "handbook.md"
    assert first["section"] == "第一章 休假 › 1.2 病假"
    assert first["verdict"] == Verdict.SUPPORTED.value
    assert first["verdictText"] == "原文支持"
    assert len(cards) + len(shown["uncited"]) == len(answer.search.passages)  # type: ignore[arg-type]


def test_the_search_step_and_notes_speak_the_users_language(filled: KnowledgeBase) -> None:
    answer = filled.ask("员工请病假须满足什么条件？")
    shown = search_step(answer.search, "zh")
    for words in ("按意思找到", "按词语找到", "依据是否充分", "handbook.md"):
        assert words in shown
    assert "没有使用对话模型" in views.notes_line(answer, "zh")
    assert "source's own" in views.notes_line(answer, "en")


def test_the_page_image_marks_the_cited_words() -> None:
    data = pdf_bytes("<p>第一行说明设备的用途。</p><p>校准周期为十二个月，超过周期的设备不得使用。</p>")
    document = PdfParser().parse(data, "x.pdf")
    start = document.text.index("校准周期")
    lines = lines_of(document.lines, Span(start, start + 4))
    (view,) = page_views(data, "application/pdf", [1], document.lines, lines)
    assert view.image.startswith("data:image/webp;base64,")
    assert len(view.pale) > len(view.strong) == 1
    left, top, width, height = view.strong[0]
    with pymupdf.open(stream=data, filetype="pdf") as pdf:
        page = pdf[0].rect
        box = pymupdf.Rect(
            left * page.width / 100,
            top * page.height / 100,
            (left + width) * page.width / 100,
            (top + height) * page.height / 100,
        )
        assert "校准周期" in pdf[0].get_text(clip=box)
    assert page_views(data, "application/pdf", [2], (), ()) == []


def test_what_cannot_be_drawn_has_no_page_image() -> None:
    line = Line(span=Span(0, 1), page=1, x0=1, y0=1, x1=2, y1=2)
    assert page_views(b"not a file", "application/pdf", [1], [line], []) == []
    assert page_views(b"not a picture", "image/png", [1], [line], []) == []
    slides = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    assert page_views(b"PK", slides, [1], [line], []) == []


def test_above_an_answer_stands_only_what_is_not_plain(filled: KnowledgeBase) -> None:
    plain = filled.search("员工请病假须满足什么条件？")
    assert views.asked(plain, "", "zh") == {}
    scoped = views.asked(plain, "MD · 2 份文档", "zh")
    assert (scoped["searched"], scoped["scope"]) == ("", "MD · 2 份文档")
    reworded = views.asked(replace(plain, searched="病假的条件"), "", "en")
    assert (reworded["searched"], reworded["scope"]) == ("病假的条件", "")


def test_an_edited_question_is_known_by_its_command() -> None:
    assert views.is_exact("按原话检索")
    assert views.is_exact("Searched as typed")
    assert not views.is_exact(None)
    assert not views.is_exact("")


def test_a_step_is_told_whatever_it_counted(filled: KnowledgeBase) -> None:
    result = filled.search("员工请病假须满足什么条件？")
    steps = (
        TraceStep(name="rerank", latency_ms=1.0, note="no answer"),
        TraceStep(name="rewrite", latency_ms=1.0, note="note_rewrite_failed"),
        TraceStep(name="route", latency_ms=1.0, note="doubtful 0.31"),
        TraceStep(name="understand", latency_ms=1.0, note="compare", counts=(("documents", 2),)),
        TraceStep(name="of another version", latency_ms=1.0, counts=(("things", 2),)),
    )
    shown = search_step(replace(result, trace=steps), "zh").splitlines()
    assert shown[:5] == [
        "- 重新排序失败：no answer · 1 ms",
        "- 换一种问法再检索：对话模型未能改写问题，只按原问题检索。 · 1 ms",
        "- 依据是否充分：可能不够 0.31 · 1 ms",
        "- 问的是：比较（限于 2 份文档） · 1 ms",
        "- of another version · 1 ms",
    ]


def test_how_much_of_the_search_is_told_is_the_users_choice(filled: KnowledgeBase) -> None:
    result = filled.search("员工请病假须满足什么条件？")
    brief, normal = (search_step(result, "zh", depth) for depth in ("brief", "normal"))
    assert brief.startswith(f"选出 {len(result.passages)} 段原文，来自 ")
    assert "\n" not in brief
    places = places_told(result, filled.workspace.store)
    dropped = TraceStep(name="expand", latency_ms=1.0, counts=(("passages", 1), ("tokens", 9), ("capped", 2),
        ("over_budget", 0)), dropped=(("a", "document cap"), ("b", "document cap"), ("c", "something new")))  # fmt: skip
    told = search_step(replace(result, trace=(*result.trace, dropped)), "en", "full", places)
    assert len(told) > len(normal)
    best = result.passages[0].chunk_ids[0]
    assert places[best] == "handbook.md › 星河公司员工手册 › 第一章 休假 › 1.2 病假"
    assert f"    - 1. {places[best]} · " in told
    assert "2 left out: its document had enough" in told
    assert "1 left out: something new" in told
