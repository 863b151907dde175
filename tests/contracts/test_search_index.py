"""Every search index finds what a slow search through the whole store finds, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from core.answer import Hit
from core.registry import REGISTRY, resolve
from core.store import Reader
from ingest.calibration import Aim
from ingest.indexes.analyzer import analyze
from ingest.indexes.search_index import Aims, SearchIndex, SearchIndexes
from tests.search_base import (
    MadeUpEmbedder,
    SearchBase,
    seen,
    slow_parents,
    vector_of,
)

# By name: what is set to get it. Every row of the registry is here at least once.
IMPLEMENTATIONS: dict[str, dict[str, object]] = {
    "local, words in memory": {"name": "local", "lexical": "bm25plus"},
    "local, words on disk": {"name": "local", "lexical": "tantivy"},
    "milvus": {"name": "milvus", "milvus_uri": "lite"},
}
LEAVE = ("员工每年享受5天年休假。", "病假须附诊断证明。", "年休假可以延至次年三月。")
PUMP = ("Never run the pump dry.", "Replace the filter every 500 hours.", "The seal is greased yearly.")
TRIPS = ("一线城市住宿标准为400元。", "乘坐飞机须经批准。")

Open = Callable[[SearchBase], SearchIndexes]


@pytest.fixture(scope="module")
def milvus_lite(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Started once: every base has its own collections there."""
    pytest.importorskip("milvus_lite")
    return str(tmp_path_factory.mktemp("milvus") / "lite.db")


@pytest.fixture(params=IMPLEMENTATIONS)
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchBase]:
    chosen = dict(IMPLEMENTATIONS[request.param])
    if "milvus_uri" in chosen:
        chosen["milvus_uri"] = request.getfixturevalue("milvus_lite")
    made = SearchBase(tmp_path / "知识 库", **chosen)
    yield made
    made.store.close()


@pytest.fixture
def indexes(base: SearchBase) -> SearchIndexes:
    return opened(base)


def opened(base: SearchBase) -> SearchIndexes:
    made: SearchIndexes = resolve("search index", base.settings.index.name)(
        base.settings, base.store, MadeUpEmbedder()
    )
    return made


@contextmanager
def index_of(base: SearchBase, indexes: SearchIndexes) -> Iterator[tuple[SearchIndex, Reader]]:
    with base.store.read() as reader:
        yield indexes.at(reader), reader


def aims_of(index: SearchIndex, question: str = "?") -> Aims:
    """One aim a language, each with an offset of its own, so that mixing them up shows."""
    return {
        language: Aim(vector=vector_of(question + language), offset=0.1 * place)
        for place, language in enumerate(sorted(index.mean_by_language))
    }


def assert_sound(index: SearchIndex, reader: Reader, allowed: frozenset[str] | None = None) -> None:
    """What each search finds is what looking at every chunk finds."""
    aims, chunks = aims_of(index), seen(reader, allowed)
    scores = {chunk.chunk_id: chunk.score(aims) for chunk in chunks}
    parents = slow_parents(chunks, aims)
    for limit in (1, 100):
        hits = index.dense(aims, limit, allowed)
        assert [hit.score for hit in hits] == pytest.approx(
            sorted(scores.values(), reverse=True)[:limit], abs=1e-5
        )
        assert [scores[hit.chunk_id] for hit in hits] == pytest.approx([hit.score for hit in hits], abs=1e-5)
        assert_ranked(hits, "dense")
        hits = index.parents(aims, limit, allowed)
        assert [hit.chunk_id for hit in hits] == parents[:limit]
        assert_ranked(hits, "parent")
    for question in ("年休假 pump", "500 住宿", "nothing of this"):
        tokens = analyze(question)
        hits = index.lexical(tokens, 100, allowed)
        assert {hit.chunk_id for hit in hits} == {
            c.chunk_id for c in chunks if not c.words.isdisjoint(tokens)
        }
        assert all(hit.score > 0 for hit in hits)
        assert_ranked(hits, "lexical")


def assert_ranked(hits: list[Hit], source: str) -> None:
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.source for hit in hits} <= {source}
    assert len({hit.chunk_id for hit in hits}) == len(hits)


def test_every_row_of_the_registry_is_tested() -> None:
    assert {str(row["name"]) for row in IMPLEMENTATIONS.values()} == set(REGISTRY["search index"])


def test_an_empty_base_finds_nothing_and_says_so(base: SearchBase, indexes: SearchIndexes) -> None:
    with index_of(base, indexes) as (index, _):
        assert len(index) == 0
        assert dict(index.mean_by_language) == {}
        assert index.dense({}, 5) == index.parents({}, 5) == index.lexical(["x"], 5) == []
        assert index.document_frequency("x") == 0


def test_added_replaced_and_removed_documents_are_found_as_they_are(
    base: SearchBase, indexes: SearchIndexes
) -> None:
    base.put("leave", *LEAVE)
    with index_of(base, indexes) as (index, reader):
        assert_sound(index, reader)
        assert index.generation == reader.generation()
    base.put("pump", *PUMP)
    base.put("trips", *TRIPS)
    base.put("leave", LEAVE[0], "病假须在当日通知上级。")
    with index_of(base, indexes) as (index, reader):
        assert_sound(index, reader)
        assert len(index) == 7
    base.remove("pump")
    with index_of(base, indexes) as (index, reader):
        assert_sound(index, reader)
        assert set(index.mean_by_language) == {"zh"}
        assert index.lexical(analyze("pump"), 5) == []
        assert index.document_frequency("pump") == 0
    base.remove("leave", "trips")
    with index_of(base, indexes) as (index, reader):
        assert len(index) == 0
        assert index.lexical(analyze("年休假"), 5) == []


def test_a_version_that_comes_back_is_found_once(base: SearchBase, indexes: SearchIndexes) -> None:
    base.put("pump", *PUMP)
    for texts in (LEAVE, TRIPS, LEAVE):
        base.put("rules", *texts)
        with index_of(base, indexes) as (index, reader):
            assert_sound(index, reader)
            assert len(index) == len(texts) + len(PUMP)


def test_only_allowed_versions_are_looked_at(base: SearchBase, indexes: SearchIndexes) -> None:
    leave, pump = base.put("leave", *LEAVE), base.put("pump", *PUMP)
    base.put("trips", *TRIPS)
    with index_of(base, indexes) as (index, reader):
        for allowed in ({leave}, {pump}, {leave, pump}, {pump, "of nobody"}):
            assert_sound(index, reader, frozenset(allowed))
        aims = aims_of(index)
        for nothing in (frozenset[str](), frozenset({"of nobody"})):
            assert index.dense(aims, 5, nothing) == index.parents(aims, 5, nothing) == []
            assert index.lexical(analyze("年休假"), 5, nothing) == []


def test_a_limit_below_one_and_words_that_say_nothing_find_nothing(
    base: SearchBase, indexes: SearchIndexes
) -> None:
    base.put("leave", *LEAVE)
    with index_of(base, indexes) as (index, _):
        aims = aims_of(index)
        for limit in (0, -1):
            assert index.dense(aims, limit) == index.parents(aims, limit) == []
            assert index.lexical(analyze("年休假"), limit) == []
        for question in ("", " \n", "。！？", "the of a", "\0", "\U0001f600"):
            assert index.lexical(analyze(question), 5) == []


def test_words_are_counted_by_chunk_and_means_are_those_of_each_language(
    base: SearchBase, indexes: SearchIndexes
) -> None:
    base.put("leave", *LEAVE)
    base.put("pump", *PUMP)
    with index_of(base, indexes) as (index, reader):
        chunks = seen(reader)
        for token in ("休假", "pump", "5", "absent"):
            assert index.document_frequency(token) == sum(token in chunk.words for chunk in chunks)
        assert set(index.mean_by_language) == {"en", "zh"}
        for language, texts in (("zh", LEAVE), ("en", PUMP)):
            mean = np.mean([vector_of(text) for text in texts], axis=0)
            assert index.mean_by_language[language] == pytest.approx(mean, abs=1e-5)


def test_a_reader_keeps_its_generation_while_another_is_written(
    base: SearchBase, indexes: SearchIndexes
) -> None:
    base.put("leave", *LEAVE)
    base.put("pump", *PUMP)
    with base.store.read() as old:
        before = indexes.at(old)
        generation = old.generation()
        base.remove("pump")
        base.put("trips", *TRIPS)
        with index_of(base, indexes) as (after, reader):
            assert after.generation > generation
            assert_sound(after, reader)
        assert before.generation == generation
        assert_sound(before, old)
        assert indexes.at(old).generation == generation
        assert_sound(indexes.at(old), old)


def test_another_one_opened_later_finds_the_same(base: SearchBase, indexes: SearchIndexes) -> None:
    base.put("leave", *LEAVE)
    with index_of(base, indexes) as (index, _):
        aims = aims_of(index)
        dense, words = index.dense(aims, 9), index.lexical(analyze("年休假"), 9)
    again = opened(base)
    with index_of(base, again) as (index, reader):
        assert index.dense(aims, 9) == dense
        assert [hit.chunk_id for hit in index.lexical(analyze("年休假"), 9)] == [
            hit.chunk_id for hit in words
        ]
        assert_sound(index, reader)
        assert_sound(again.rebuild(reader), reader)


def test_one_that_was_opened_before_sees_what_another_one_added(
    base: SearchBase, indexes: SearchIndexes
) -> None:
    base.put("leave", *LEAVE)
    with index_of(base, indexes) as (index, reader):
        assert len(index) == 3
    base.put("pump", *PUMP)
    with index_of(base, opened(base)) as (index, reader):
        assert_sound(index, reader)
    with index_of(base, indexes) as (index, reader):
        assert_sound(index, reader)
        assert len(index) == 6


def test_the_best_match_by_words_is_first_whatever_the_formula(
    base: SearchBase, indexes: SearchIndexes
) -> None:
    base.put("leave", *LEAVE)
    base.put("trips", *TRIPS)
    base.put("pump", *PUMP)
    with index_of(base, indexes) as (index, reader):
        chunks = {chunk.embed_text: chunk.id for chunk in reader.all_chunks()}
        for question, text in (
            ("每年有几天年休假", LEAVE[0]),
            ("飞机要批准吗", TRIPS[1]),
            ("replace filters", PUMP[1]),
        ):
            assert index.lexical(analyze(question), 5)[0].chunk_id == chunks[text]
