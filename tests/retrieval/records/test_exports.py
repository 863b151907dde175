"""Records as pages, Markdown and JSON: complete, in both languages, and inert whatever they hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from core.answer import Answer
from core.messages import render
from core.reason_text import reason_text
from core.span import Span
from core.verdict import Aspect, CounterEvidence, Reason, Verdict
from retrieval.knowledge_base import KnowledgeBase
from retrieval.records.answer_text import answer_html
from retrieval.records.highlight import Layer, layered
from retrieval.records.markdown import markdown
from retrieval.records.opening import AnswerRecord
from retrieval.records.page import page
from retrieval.records.plain import record_json
from retrieval.records.texts import _WORDS
from tests.ingest.stored import add_text, home_of
from tests.retrieval.records.answers import LEAVE, answer, check, cited, passage

RULES = "# 校准办法\n\n## 延期\n\n测温仪的校准可以延期，但最长不得超过九十天，并须经质量部经理书面批准。\n"
EVIL = (
    "<img src=x onerror=alert(1)> ![p](http://evil.example/p.png) [l](http://evil.example) <script>x</script>"
)
LANGUAGES = ("zh", "en")


class Tags(HTMLParser):
    """The elements of a page, its words, and every address in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()
        self.ids: list[str] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src"):
                self.addresses.add(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    made = KnowledgeBase(home_of(tmp_path))
    add_text(made, "rules.md", RULES)
    yield made
    made.workspace.close()


def written(base: KnowledgeBase, text: str, **more: object) -> Answer:
    """A model's answer over the rules, whose one citation is about ninety days."""
    found = base.ask("测温仪的校准最长可以延期多少天？")
    source = found.search.passages[0]
    start = source.span.start + source.text.index("不得超过九十天")
    reason = Reason(aspect=Aspect.NUMBER, said="六十天", found="九十天")
    one = cited(
        source,
        0,
        1,
        "最长不得超过九十天",
        verdict=Verdict.PARTLY,
        reasons=(reason,),
        strong=(Span(start, start + 7),),
    )
    values = {"method": "llm", "model": "scripted", "citations": (one,), "notes": (), "checks": ()} | more
    return replace(found, text=text, **values)  # type: ignore[arg-type]


def opened(base: KnowledgeBase, made: Answer) -> AnswerRecord:
    return base.answer_record(base.keep(made).id)


TEXT = "最长六十天 [1]。\n\n| 项 | 天 |\n| --- | --- |\n| 延期 | 六十 [1] |\n\n代码 `a[1]` 照旧，[7] 也是。"


def test_a_page_links_numbers_to_sources_and_marks_doubtful_sentences(base: KnowledgeBase) -> None:
    checks = (
        check(TEXT, "最长六十天 [1]。", verdict=Verdict.PARTLY, citations=(0,)),
        check(TEXT, "| 延期 | 六十 [1] |", verdict=Verdict.UNSUPPORTED),
        check(TEXT, "代码 `a[1]` 照旧，[7] 也是。", claim=False, verdict=Verdict.UNSUPPORTED),
    )
    html = page(opened(base, written(base, TEXT, checks=checks)), "zh")
    tags = Tags(html)
    assert tags.addresses == {"#s1", "#c1", "#c2"}
    assert sorted(tags.ids) == ["c1", "c2", "s1"]
    assert '最长六十天<a class="chip" href="#s1">1</a>' in html
    assert "<code>a[1]</code> 照旧，[7] 也是。" in html
    assert html.count('class="badge partly"') == 3
    assert '<td>六十<a class="chip" href="#s1">1</a>&#8288;<a class="badge unsupported" href="#c2">' in html
    assert '<span class="strong">不得超过九十天</span>' in html
    assert '<span class="pale">' in html
    reason = Reason(aspect=Aspect.NUMBER, said="六十天", found="九十天")
    assert reason_text(reason, "zh") in html
    assert "第 1 版" in tags.words
    assert "rules.md" in tags.words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_says_what_became_of_the_source(base: KnowledgeBase, language: str) -> None:
    made = base.keep(written(base, TEXT))
    words = {key: texts[language] for key, texts in _WORDS.items()}

    def forms() -> tuple[str, str, dict[str, object]]:
        record = base.answer_record(made.id)
        [citation] = record_json(record)["citations"]  # type: ignore[misc]
        return Tags(page(record, language)).words, markdown(record, language), citation["today"]

    html, md, today = forms()
    assert words["unchanged"] in html
    assert words["unchanged"] in md
    assert today["state"] == "unchanged"
    add_text(base, "rules.md", RULES.replace("## 延期", "总则。\n\n## 期限"))
    html, md, today = forms()
    for text in (html, md):
        assert words["moved_to"].format(number=2, place="期限") in text
    assert today["state"] == "moved"
    assert today["section_path"] == ["期限"]
    add_text(base, "rules.md", RULES.replace("九十", "三十"))
    html, md, today = forms()
    assert words["changed_in"].format(number=3) in html
    assert "~~九十天~~" in md
    assert "**三十天**" in md
    assert {"text": "三十天", "changed": True} in today["new"]  # type: ignore[operator]
    base.workspace.remove(["rules.md"])
    html, md, today = forms()
    for text in (html, md, json.dumps(record_json(base.answer_record(made.id)), ensure_ascii=False)):
        assert "九十天" not in text
        assert "rules" not in text
    assert words["gone"] in html
    assert words["gone"] in md
    assert today["state"] == "unavailable"


def test_nothing_in_a_record_becomes_markup(base: KnowledgeBase) -> None:
    """Question, answer, file, title, headings, quotes, reasons: whoever wrote them."""
    add_text(base, "<b onclick=x>.md", f"# {EVIL}\n\n## {EVIL}\n\n校准{EVIL}九十天\u202e。\n")
    found = base.ask("校准")
    source = next(one for one in found.search.passages if "onclick" in one.doc)
    reason = Reason(aspect=Aspect.JUDGE, said=EVIL)
    text = f'{EVIL} 校准 [1]。\n\n```x" onload=x\n<i>{EVIL}\n```\n\n[r]: http://evil.example\n\n<http://evil.example>'
    counter = CounterEvidence(
        check=0,
        passage=0,
        version_id=source.version_id,
        doc=source.doc,
        span=source.span,
        text=source.text,
        reason=reason,
    )
    made = replace(
        found,
        text=text,
        answered=True,
        method=f"llm{EVIL}",
        model=EVIL,
        prompt_version=EVIL,
        notes=("note_rewritten",),
        search=replace(found.search, question=EVIL, searched=EVIL + "?", passages=(source,)),
        citations=(cited(source, 0, 1, source.text, reasons=(reason,), verdict=Verdict.PARTLY),),
        checks=(check(text, f"{EVIL} 校准 [1]。", reasons=(reason,), verdict=Verdict.PARTLY),),
        counter=(counter,),
    )  # fmt: skip
    record = opened(base, made)
    for language in LANGUAGES:
        tags = Tags(page(record, language, [("JSON", 'x" onclick="y')]))
        assert tags.addresses <= {"#s1", "#c1", 'x" onclick="y'}
        assert not tags.names & {"img", "script", "b", "iframe", "object", "link", "base", "form", "input"}
        assert tags.attributes <= {
            "class", "content", "charset", "data-u", "download", "href", "http-equiv", "id", "lang", "name", "title",
        }  # fmt: skip
        assert "onerror" in tags.words
        assert "\u202e" not in tags.words
        md = markdown(record, language)
        shown = Tags(MarkdownIt("commonmark", {"html": True}).enable("table").render(md))
        assert not shown.names & {"img", "script", "b", "a", "i"}
        assert shown.addresses == set()
        assert "onerror" in shown.words
        assert "\u202e" not in md


def test_signs_of_private_use_in_an_answer_mark_nothing() -> None:
    text = "\ue000甲\ue001乙。"
    html = answer_html(answer(text, (), checks=(check(text, text, verdict=Verdict.PARTLY),)), (), "en")
    assert html.count("badge") == 1
    assert "\ufffd甲\ufffd乙" in html


def test_refusals_and_broken_answers_are_told_as_such(base: KnowledgeBase) -> None:
    refusal = replace(written(base, render("refusal", "en")), answered=False, citations=())
    html = page(opened(base, refusal), "en")
    assert "Nearest passages (1)" in html
    assert '<details class="uncited" open>' in html
    broken = replace(written(base, "最长"), complete=False)
    for language in LANGUAGES:
        record = opened(base, broken)
        assert _WORDS["incomplete"][language] in page(record, language)
        assert _WORDS["incomplete"][language] in markdown(record, language)
        assert record_json(record)["complete"] is False


def test_json_is_plain_data_with_a_bibliography(base: KnowledgeBase) -> None:
    made = written(base, TEXT, checks=(check(TEXT, "最长六十天 [1]。", citations=(0,)),))
    record = opened(base, made)
    plain = json.loads(json.dumps(record_json(record)))
    [entry] = plain["bibliography"]
    assert (entry["n"], entry["file"], entry["version"], entry["quotes"]) == (
        1,
        "rules.md",
        1,
        ["最长不得超过九十天"],
    )
    assert len(entry["sha256"]) == 64
    assert plain["answer"] == TEXT
    assert plain["citations"][0]["strong"]
    assert plain["checks"][0]["verdict"] == "supported"
    [given] = [p for p in plain["passages"] if p["doc"] == "rules.md"]
    assert RULES[given["start"] : given["end"]] == given["text"]


def test_a_long_passage_is_shown_around_what_is_cited() -> None:
    text = "前" * 500 + "此处为据" + "后" * 500
    source = passage("leave", text, text)
    runs = list(layered(source, [cited(source, 0, 1, "此处为据", strong=(Span(502, 504),))]))
    assert [(run.layer, run.text[:2], run.is_cut) for run in runs] == [
        (Layer.PALE, "前前", True),
        (Layer.CITED, "此处", False),
        (Layer.STRONG, "为据", False),
        (Layer.PALE, "后后", False),
        (Layer.PALE, "", True),
    ]
    whole = list(layered(passage("leave", LEAVE, LEAVE), []))
    assert [(run.layer, run.text, run.is_cut) for run in whole] == [(Layer.PALE, LEAVE, False)]


def test_every_text_is_there_in_both_languages() -> None:
    for key, texts in _WORDS.items():
        assert set(texts) == {"zh", "en"}, key
        marks = [
            sorted(part.split("}")[0].split(":")[0] for part in texts[lang].split("{")[1:]) for lang in texts
        ]
        assert marks[0] == marks[1], key
