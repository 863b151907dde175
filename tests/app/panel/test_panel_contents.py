"""What the panel is drawn from: the place, its neighbours, its surroundings, its reference, and who may see it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.panel.contents import panel
from app.panel.place import Place, neighbours, place_asked
from app.panel.windows import windows
from core.answer import Answer
from core.document import Block
from core.errors import UnknownDocumentError
from core.scope import Scope
from core.span import Span
from core.verdict import Aspect, CounterEvidence, Reason
from ingest.parsers.text.markdown import MarkdownParser
from ingest.removal import remove_documents
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.support import HANDBOOK, make_ingest

QUESTION = "员工请病假须满足什么条件？"


def blocks_of(source: str) -> tuple[Block, ...]:
    return MarkdownParser().parse(source.encode(), "a.md").blocks


def shown(base: KnowledgeBase, answer: Answer, place: Place | None, language: str = "zh") -> dict[str, Any]:
    assert place is not None
    return panel(answer, place, base.workspace.store, Scope(), language)


def test_a_cited_passage_is_shown_with_all_that_names_its_place(filled: KnowledgeBase) -> None:
    answer = filled.ask(QUESTION)
    cited = answer.citations[0]
    props = shown(filled, answer, place_asked(answer, {"passage": cited.passage}))
    version = answer.search.passages[cited.passage].version_id
    assert (props["n"], props["badge"], props["isOlder"]) == (1, "", False)
    assert props["version"].startswith("第 1 版 · 20")
    assert props["original"] == f"/versions/{version}/original"
    assert props["chunks"] == f"/versions/{version}/chunks"
    quote = props["quote"]
    assert quote.startswith("“员工请病假须同时满足以下条件：")
    assert "”——《星河公司员工手册》（handbook.md），第一章 休假 › 1.2 病假，第 1 版（20" in quote
    english = shown(filled, answer, place_asked(answer, {"passage": cited.passage}), "en")["quote"]
    assert "” — 星河公司员工手册 (handbook.md), 第一章 休假 › 1.2 病假, version 1 (20" in english


def test_places_that_an_answer_does_not_have_are_none(filled: KnowledgeBase) -> None:
    answer = filled.ask(QUESTION)
    for payload in ({}, {"passage": -1}, {"passage": 99}, {"passage": "0"}, {"counter": 0}, {"counter": -1}):
        assert place_asked(answer, payload) is None


def test_the_keys_lead_through_what_is_cited_in_order_of_number(filled: KnowledgeBase) -> None:
    answer = filled.ask(QUESTION)
    assert len(answer.search.passages) >= 4
    cite = replace(answer.citations[0], passage=0)
    answer = replace(
        answer, citations=tuple(replace(cite, n=n, passage=p) for n, p in ((2, 0), (1, 3), (3, 1)))
    )

    def around(passage: int) -> tuple[int, int, int, int]:
        place = place_asked(answer, {"passage": passage})
        assert place is not None
        return neighbours(answer, place)

    assert [around(3), around(0), around(1)] == [(-1, 0, 1, 3), (3, 1, 2, 3), (0, -1, 3, 3)]
    uncited = [n for n in range(len(answer.search.passages)) if n not in (0, 1, 3)]
    assert around(uncited[0])[0] == -1
    assert around(uncited[0])[3] == len(uncited)


def test_an_older_version_that_says_otherwise_can_be_opened(filled: KnowledgeBase, tmp_path: Path) -> None:
    answer = filled.ask(QUESTION)
    old = answer.search.passages[answer.citations[0].passage].version_id
    newer = tmp_path / "handbook.md"
    newer.write_text(HANDBOOK.replace("上午十点前", "上午九点前"), "utf-8")
    make_ingest(filled).add_sources([Source(name="handbook.md", path=newer)], "default")
    answer = filled.ask(QUESTION)
    start = HANDBOOK.index("在当日上午十点前")
    reason = Reason(aspect=Aspect.NUMBER, said="九点", found="十点")
    counter = CounterEvidence(
        check=0,
        passage=-1,
        version_id=old,
        doc="handbook.md",
        span=Span(start, start + 8),
        text="x",
        reason=reason,
    )
    answer = replace(answer, counter=(counter,))
    props = shown(filled, answer, place_asked(answer, {"counter": 0}))
    assert (props["n"], props["position"], props["isOlder"]) == (0, "", True)
    assert props["badge"] == "旧版，最新为第 2 版"
    assert "十点" in props["said"][0]["reasons"][0]
    strong = [r["text"] for b in props["here"] for r in b.get("runs", []) if r["layer"] == "strong"]
    assert strong == ["在当日上午十点前"]
    assert "1.2 病假" in props["section"]


def test_what_was_removed_is_not_shown(filled: KnowledgeBase) -> None:
    answer = filled.ask(QUESTION)
    remove_documents(filled.workspace, [answer.search.passages[0].doc])
    with pytest.raises(UnknownDocumentError):
        shown(filled, answer, place_asked(answer, {"passage": 0}))


def test_more_of_a_section_comes_step_by_step_and_never_leaves_it() -> None:
    words = "\n\n".join(f"第{n}段，" + "文字" * 60 + "。" for n in range(40))
    source = f"# 前\n\n别处\n\n# 中\n\n{words}\n\n# 后\n\n别处"
    blocks = blocks_of(source)
    section = Span(source.index("# 中"), source.index("# 后") - 2)
    passage = Span(source.index("第20段"), source.index("第21段") - 2)
    found = windows(source, blocks, section, passage)
    assert found.here.contains(passage)
    assert len(found.here) < len(passage) + 800
    in_order = [*reversed(found.before), found.here, *found.after]
    assert all(one.end == other.start for one, other in pairwise(in_order))
    assert all(section.contains(span) for span in in_order)
    assert all(span.of(source).startswith(("第", "# 中")) for span in in_order)
    whole = windows(source, blocks, passage, passage)
    assert (whole.before, whole.here, whole.after) == ((), passage, ())


def test_one_long_block_is_cut_between_sentences_and_without_any_all_the_same() -> None:
    for sentence in ("一句不长的话。", "没有句号"):
        source = sentence * 900
        passage = Span(2800, 2807)
        found = windows(source, blocks_of(source), Span(0, len(source)), passage)
        assert found.here.contains(passage)
        assert max(len(span) for span in (*found.before, found.here, *found.after)) < 2000
        if "。" in sentence:
            assert all(span.of(source).startswith("一句") for span in (*found.before, found.here))
