"""Clauses by rules alone."""

from __future__ import annotations

from pathlib import Path

from core.chunk import Chunk
from core.document import Document
from core.registry import resolve
from core.settings import ChunkingSettings, Settings
from ingest import hierarchy
from ingest.embedders.hashing import HashingEmbedder
from ingest.prepare import make_splitter
from ingest.sections import sections_of
from ingest.splitters.splitter import SplitTools
from ingest.workspace import Workspace

TOKENS = HashingEmbedder(Settings(home=Path()))
SIZES = ChunkingSettings(
    min_tokens=20, soft_tokens=60, hard_tokens=100, overlap_tokens=8, parent_soft_tokens=300
)


def shown(text: str, settings: ChunkingSettings = SIZES) -> list[str]:
    document, chunks = chunked(text, settings)
    return [chunk.span.of(document.text) for chunk in chunks]


def chunked(text: str, settings: ChunkingSettings = SIZES) -> tuple[Document, tuple[Chunk, ...]]:
    document = resolve("parser", "markdown")().parse(text.encode(), "x.md")
    sections = sections_of(document, settings, TOKENS)
    pieces = resolve("splitter", "clause")(settings, SplitTools()).split(sections)
    return document, hierarchy.build("version", sections, pieces, settings)[0]


def test_an_article_with_its_paragraphs_and_items_is_one_clause() -> None:
    found = shown(
        "# 条例\n\n## 第一章 总则\n\n第一条 有下列情形之一的，应当报告：\n\n（一）停产；\n\n（二）搬迁。\n\n"
        "报告以书面形式提出。\n\n第二条 本条例自公布之日起施行。\n"
    )
    assert [text.split("\n")[-1] for text in found] == [
        "报告以书面形式提出。",
        "第二条 本条例自公布之日起施行。",
    ]


def test_a_condition_stays_with_what_follows_from_it() -> None:
    long = "货物在约定的仓库交付，由承运人清点并签收，清点结果一式两份，双方各执一份，保存三年。"
    found = shown(f"# 合同\n\n{long}\n\n若买方逾期付款，\n\n则每日按千分之一支付违约金。\n\n{long}\n")
    assert any("若买方逾期付款" in text and "千分之一" in text for text in found)
    found = shown(
        f"# 合同\n\n{long}\n\nThe seller may end the contract.\n\nUnless the price is paid in ten days, it ends.\n\n{long}\n"
    )
    assert any("may end" in text and "Unless" in text for text in found)


def test_small_clauses_join_the_smaller_neighbour_under_the_same_heading() -> None:
    long = "货物在约定的仓库交付，由承运人清点并签收，清点结果一式两份，双方各执一份，保存三年。"
    found = shown(
        f"# 合同\n\n## 交付\n\n{long}{long}\n\n运费由卖方承担。\n\n保险由买方办理。\n\n## 验收\n\n{long}\n"
    )
    assert len(found) == 3
    assert "运费" in found[1] and "保险" in found[1]
    assert "保险" not in found[2]


def test_a_clause_that_is_too_large_is_cut_within_the_limits() -> None:
    document, chunks = chunked(
        "# 合同\n\n第一条 " + "承运人应当清点货物，并在当日签收，逾期的视为合格。" * 20
    )
    assert len(chunks) > 2
    assert all(chunk.token_count <= SIZES.hard_tokens for chunk in chunks)
    assert all(chunk.span.of(document.text).endswith("。") for chunk in chunks)


def test_no_model_is_loaded_for_rules(tmp_path: Path) -> None:
    for strategy in ("clause", "recursive", "fixed"):
        workspace = Workspace(Settings(home=tmp_path, chunking={"strategy": strategy}))  # type: ignore[arg-type]
        make_splitter(workspace)
        assert "embedder" not in vars(workspace)
