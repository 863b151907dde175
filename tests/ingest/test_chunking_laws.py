"""The laws of chunking, for every strategy, over hostile and ordinary texts."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as run
from hypothesis import strategies as st

from core.chunk import Chunk, Parent
from core.document import Document
from core.errors import EmptyDocumentError
from core.registry import REGISTRY, resolve
from core.settings import ChunkingSettings, Settings
from core.span import Span
from ingest import hierarchy
from ingest.check import uncovered_characters
from ingest.embedders.hashing import HashingEmbedder
from ingest.parsers.text.markdown import MarkdownParser
from ingest.sections import sections_of
from ingest.similarity import Similarity
from ingest.splitters.piece import CLOSING_MARKS
from ingest.splitters.splitter import SplitTools
from tests.support import HANDBOOK, MANUAL

TOKENS = HashingEmbedder(Settings(home=Path()))
SMALL = ChunkingSettings(
    min_tokens=10,
    soft_tokens=40,
    hard_tokens=60,
    overlap_tokens=8,
    parent_soft_tokens=120,
    parent_hard_tokens=200,
)
TOOLS = SplitTools(similarity=Similarity(TOKENS, None))
STRATEGIES = sorted(REGISTRY["splitter"])

PATHOLOGICAL = {
    "no separators": "甲" * 3000,
    "latin without spaces": "a" * 2000,
    "one long sentence": "因为" + "，所以我们必须继续说下去" * 900 + "。",
    "repeated text": "chunk chunk " * 400,
    "emoji": "👩‍👩‍👧‍👦🇨🇳👍🏽" * 300,
    "closing marks": "好。”』）！？" * 400,
    "blank lines": "\n\n\n".join(["段落"] * 300),
    "table": "| a | b |\n| --- | --- |\n" + "\n".join(f"| row {i} | value {i} |" for i in range(120)),
    "fence": "```\n" + "\n".join(f"line {i}" for i in range(200)) + "\n```",
    "headings only": "\n".join(f"# 标题{i}" for i in range(50)),
    "long heading": "# " + "很长的标题" * 100 + "\n\n正文。",
    "mixed": HANDBOOK + MANUAL,
}

pieces_of_text = st.lists(
    st.sampled_from(
        ["# 标题\n\n", "## Part\n\n", "第三条 员工应当遵守。", "例外如下：\n\n", "- 一项；\n", "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
         "A sentence here. ", "很长" * 40, "x" * 90, "。", "”", "\n\n", "\r\n", "\u200b", "😀", "```\ncode\n```\n\n"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def chunked(text: str, strategy: str) -> tuple[Document, tuple[Chunk, ...], tuple[Parent, ...]]:
    document = MarkdownParser().parse(text.encode(), "x.md")
    sections = sections_of(document, SMALL, TOKENS)
    pieces = resolve("splitter", strategy)(SMALL, TOOLS).split(sections)
    return document, *hierarchy.build("version", sections, pieces, SMALL)


def assert_lawful(text: str, strategy: str) -> None:
    document, chunks, parents = chunked(text, strategy)
    by_id = {parent.id: parent for parent in parents}
    assert chunks
    assert uncovered_characters(text, [chunk.span for chunk in chunks]) == 0
    starts = [chunk.span.start for chunk in chunks]
    assert starts == sorted(starts)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        source = chunk.span.of(document.text)
        assert source.strip()
        assert chunk.embed_text.endswith(source)
        assert chunk.token_count == TOKENS.count([chunk.embed_text])[0] <= SMALL.hard_tokens
        assert by_id[chunk.parent_id].span.contains(chunk.span)
    for before, after in itertools.pairwise(chunks):
        same = before.section_id == after.section_id
        assert (before.next_id == after.id) is same
        assert (after.previous_id == before.id) is same


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", sorted(PATHOLOGICAL))
def test_pathological_text_is_chunked_lawfully(name: str, strategy: str) -> None:
    assert_lawful(PATHOLOGICAL[name], strategy)


@pytest.mark.parametrize("strategy", STRATEGIES)
@run(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=pieces_of_text)
def test_any_text_is_chunked_lawfully(strategy: str, text: str) -> None:
    try:
        assert_lawful(text, strategy)
    except EmptyDocumentError:
        assert uncovered_characters(text, []) == 0


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_chunk_starts_with_a_closing_mark_of_the_one_before(strategy: str) -> None:
    text = "他说：“好。”然后走了。真的吗？！是……" * 60
    document, chunks, _ = chunked(text, strategy)
    assert len(chunks) > 3
    assert all(document.text[chunk.span.start] not in CLOSING_MARKS for chunk in chunks)


def test_ids_depend_on_nothing_but_version_and_span() -> None:
    assert chunked(HANDBOOK, "recursive")[1] == chunked(HANDBOOK, "recursive")[1]


def test_a_cut_table_repeats_its_header_in_what_is_embedded() -> None:
    _, chunks, _ = chunked(PATHOLOGICAL["table"], "recursive")
    assert len(chunks) > 3
    for chunk in chunks:
        assert "| a | b |" in chunk.embed_text
        rows = chunk.embed_text.splitlines()
        assert all(row.count("|") == 3 for row in rows if row.startswith("|"))


def test_recursive_keeps_articles_lists_and_tables_whole_where_they_fit() -> None:
    articles = "\n\n".join(
        f"第{n}条 员工应当按时到岗，并且服从第{n}号安排。\n\n（一）按时；\n\n（二）着装。"
        for n in "一二三四五六"
    )
    document, chunks, _ = chunked(f"# 办法\n\n{articles}", "recursive")
    starts = {chunk.span.start for chunk in chunks}
    items = {i for i in range(len(document.text)) if document.text.startswith(("（一）", "（二）"), i)}
    assert len(chunks) > 2
    assert not starts & items


def test_a_heading_is_never_parted_from_its_text() -> None:
    document, chunks, _ = chunked(HANDBOOK, "recursive")
    for chunk in chunks:
        last = chunk.span.of(document.text).strip().splitlines()[-1]
        assert not last.startswith("#")


def test_forced_cuts_overlap_and_others_do_not() -> None:
    _, forced, _ = chunked("甲" * 600, "recursive")
    assert all(a.span.overlaps(b.span) for a, b in itertools.pairwise(forced))
    _, natural, _ = chunked(HANDBOOK, "recursive")
    assert not any(a.span.overlaps(b.span) for a, b in itertools.pairwise(natural))


def test_parents_are_runs_of_neighbours_inside_one_section() -> None:
    document, chunks, parents = chunked(HANDBOOK + "很长的一段话。" * 120, "recursive")
    for parent in parents:
        children = [chunk for chunk in chunks if chunk.parent_id == parent.id]
        assert len({chunk.section_id for chunk in children}) == 1
        hull = Span(children[0].span.start, max(chunk.span.end for chunk in children))
        assert hull == parent.span
        assert TOKENS.count([parent.span.of(document.text)])[0] <= SMALL.parent_hard_tokens
