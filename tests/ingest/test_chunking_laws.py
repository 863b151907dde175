"""The laws of chunking, for every strategy, over hostile and ordinary texts."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as run
from hypothesis import strategies as st

from core.chunk import Chunk, Parent
from core.document import BlockKind, Document
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
from ingest.splitters.piece import CLOSING_MARKS, forced_windows
from ingest.splitters.splitter import SplitTools
from tests.support import HANDBOOK, MANUAL

ROOT = Path(__file__).resolve().parents[2]
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
@run(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ids_depend_on_nothing_but_version_and_span(strategy: str) -> None:
    before = chunked(HANDBOOK, strategy)
    chunked(MANUAL, strategy)
    assert chunked(HANDBOOK, strategy) == before


# What a text may hold between words; more marks in a row than any window can step over are not prose.
quoted = st.lists(
    st.sampled_from(["他说", "：“", "好。", "”", "然后走了", "。", "真的吗？！", "是……", "『甲』", "（乙）", "，", "丙丁戊己庚"]),
    max_size=60,
).map(lambda parts: "话" + "".join(parts))  # fmt: skip


@pytest.mark.parametrize("strategy", STRATEGIES)
@run(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=quoted.filter(lambda text: not re.search("[。！？；：，、”』）…]{9}", text)))
def test_no_chunk_of_any_dialogue_starts_with_a_closing_mark(strategy: str, text: str) -> None:
    """B32: marks without spaces behind them end sentences, and closing ones stay with them."""
    document, chunks, _ = chunked(text, strategy)
    assert not any(document.text[chunk.span.start] in "。！？”』）；，、…" for chunk in chunks)


@run(max_examples=100, deadline=None)
@given(text=st.text("a ", min_size=1, max_size=60), limit=st.integers(1, 6), overlap=st.integers(0, 8))
def test_windows_of_repeated_text_lie_where_they_say(text: str, limit: int, overlap: int) -> None:
    """B27, B28: places are spans from the start and are never searched for."""
    spans = forced_windows(text, Span(0, len(text)), limit, len, overlap)
    starts = [span.start for span in spans]
    assert starts == sorted(set(starts))
    assert all(len(span) <= limit and span.of(text).strip() == span.of(text) for span in spans)
    assert uncovered_characters(text, spans) == 0


def test_windows_step_over_blanks_in_repeated_text() -> None:
    spans = forced_windows("chunk chunk", Span(0, 11), 5, len, 5)
    assert (spans[0].start, spans[-1].end) == (0, 11)
    assert {span.of("chunk chunk") for span in spans} >= {"chunk"}


_ENDLESS = """
from core.span import Span
from ingest.splitters.piece import forced_windows
text = "a" * 2000
for limit in range(1, 6):
    for overlap in range(7):
        assert forced_windows(text, Span(0, 2000), limit, len, overlap)[-1].end == 2000
"""


def test_no_size_and_overlap_make_an_endless_loop() -> None:
    """B30: in a process of its own, which can be ended."""
    subprocess.run([sys.executable, "-c", _ENDLESS], cwd=ROOT, timeout=30, check=True)


@pytest.mark.parametrize("blank", ["", " \n", "\u200b", "\ufeff", "\u00a0", "\n\n \t\n"])
def test_blank_text_has_no_chunks(blank: str) -> None:
    """B34: nothing to find is nothing to store."""
    for parser in ("text", "markdown"):
        with pytest.raises(EmptyDocumentError):
            resolve("parser", parser)().parse(blank.encode(), "x.txt")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_fact_at_the_end_of_the_largest_chunk_is_embedded(strategy: str) -> None:
    """B35: no chunk is larger than the model's window, so nothing is dropped in silence."""
    text = "甲" * 106 + "唯一的事实" + "乙" * 300
    _, chunks, _ = chunked(text, strategy)
    assert any("唯一的事实" in chunk.embed_text for chunk in chunks)
    assert max(TOKENS.count([chunk.embed_text for chunk in chunks])) <= SMALL.hard_tokens < TOKENS.max_tokens


@pytest.mark.parametrize("strategy", ["clause", "recursive", "semantic"])
@run(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=pieces_of_text)
def test_a_table_a_fence_and_a_list_item_are_cut_only_when_too_large_alone(strategy: str, text: str) -> None:
    try:
        document = MarkdownParser().parse(text.encode(), "x.md")
    except EmptyDocumentError:
        return
    sections = sections_of(document, SMALL, TOKENS)
    pieces = resolve("splitter", strategy)(SMALL, TOOLS).split(sections)
    for section, made in zip(sections, pieces, strict=True):
        for block in section.blocks:
            is_unit = block.kind in (BlockKind.TABLE, BlockKind.CODE, BlockKind.LIST_ITEM)
            if is_unit and section.size(block.span) <= SMALL.hard_tokens:
                assert any(piece.span.contains(block.span) for piece in made), block


def test_without_parents_every_chunk_is_read_alone() -> None:
    flat = SMALL.model_copy(update={"parents": False})
    document = MarkdownParser().parse((HANDBOOK + "很长的一段话。" * 120).encode(), "x.md")
    sections = sections_of(document, flat, TOKENS)
    pieces = resolve("splitter", "semantic")(flat, TOOLS).split(sections)
    chunks, parents = hierarchy.build("version", sections, pieces, flat)
    assert [parent.span for parent in parents] == [chunk.span for chunk in chunks]


@pytest.mark.parametrize("strategy", ["clause", "recursive", "semantic"])
def test_a_cut_table_repeats_its_header_in_what_is_embedded(strategy: str) -> None:
    _, chunks, _ = chunked(PATHOLOGICAL["table"], strategy)
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


@pytest.mark.parametrize("strategy", ["clause", "recursive", "semantic"])
def test_a_heading_is_never_parted_from_its_text(strategy: str) -> None:
    # Without the table, which does not fit together with its headings and is a unit as well.
    document, chunks, _ = chunked(HANDBOOK.partition("## 第二章")[0], strategy)
    for chunk in chunks:
        last = chunk.span.of(document.text).strip().splitlines()[-1]
        assert not last.startswith("#")


@pytest.mark.parametrize("strategy", ["clause", "recursive", "semantic"])
def test_forced_cuts_overlap_and_others_do_not(strategy: str) -> None:
    _, forced, _ = chunked("甲" * 600, strategy)
    assert all(a.span.overlaps(b.span) for a, b in itertools.pairwise(forced))
    _, natural, _ = chunked(HANDBOOK, strategy)
    assert not any(a.span.overlaps(b.span) for a, b in itertools.pairwise(natural))


def test_parents_are_runs_of_neighbours_inside_one_section() -> None:
    document, chunks, parents = chunked(HANDBOOK + "很长的一段话。" * 120, "recursive")
    for parent in parents:
        children = [chunk for chunk in chunks if chunk.parent_id == parent.id]
        assert len({chunk.section_id for chunk in children}) == 1
        hull = Span(children[0].span.start, max(chunk.span.end for chunk in children))
        assert hull == parent.span
        assert TOKENS.count([parent.span.of(document.text)])[0] <= SMALL.parent_hard_tokens
