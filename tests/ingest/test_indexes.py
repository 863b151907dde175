"""The derived indexes: right scores, right filters, and never a wrong answer from a damaged file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from ingest.indexes import files
from ingest.indexes.analyzer import analyze
from ingest.indexes.cache import IndexCache
from ingest.indexes.dense import DenseIndex
from ingest.indexes.lexical import Bm25PlusIndex
from retrieval.knowledge_base import KnowledgeBase
from tests.oracles.bm25 import bm25_plus

UNIT = np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 0, 1]], dtype=np.float32)


def test_dense_scores_are_cosines_best_first() -> None:
    index = DenseIndex.build(UNIT)
    found = index.search(UNIT[0], 10)
    assert [position for position, _ in found] == [0, 1, 2]
    assert [round(score, 4) for _, score in found] == [1.0, 0.8, 0.0]
    assert [position for position, score in found if score >= 0.9] == [0]


def test_dense_sees_only_what_is_allowed_and_survives_empty_and_large_k() -> None:
    index = DenseIndex.build(UNIT)
    assert [p for p, _ in index.search(UNIT[0], 10, np.array([False, True, True]))] == [1, 2]
    assert index.search(UNIT[0], 10, np.zeros(3, dtype=np.bool_)) == []
    assert index.search(UNIT[0], 0) == []
    assert DenseIndex.build(np.zeros((0, 3), dtype=np.float32)).search(UNIT[0], 5) == []


def test_dense_filter_works_beyond_one_byte_of_positions() -> None:
    vectors = np.eye(40, dtype=np.float32)
    allowed = np.zeros(40, dtype=np.bool_)
    allowed[[3, 21, 37]] = True
    found = {p for p, _ in DenseIndex.build(vectors).search(vectors[21], 40, allowed)}
    assert found == {3, 21, 37}


@pytest.mark.parametrize(
    ("corpus", "query", "expected"),
    [
        (["windy London", "good man"], "windy", [0]),
        (["only one document"], "document", [0]),
        (["好人一生平安"], "平安", [0]),
        ([], "anything", []),
        ([""], "anything", []),
        (["！！"], "！", []),
        (["alpha", "beta"], "", []),
        (["alpha", "beta"], "the of", []),
    ],
)
def test_lexical_finds_in_tiny_and_empty_bases(corpus: list[str], query: str, expected: list[int]) -> None:
    index = Bm25PlusIndex([analyze(text) for text in corpus])
    found = index.search(analyze(query), 5)
    assert [position for position, _ in found] == expected
    assert all(score > 0 for _, score in found)


words = st.lists(st.sampled_from("abcdefg"), max_size=8)


@run(max_examples=60, deadline=None)
@given(st.lists(words, min_size=1, max_size=8), words)
def test_lexical_agrees_with_a_slow_second_implementation(corpus: list[list[str]], query: list[str]) -> None:
    found = dict(Bm25PlusIndex(corpus).search(query, len(corpus)))
    expected = {i: score for i, score in enumerate(bm25_plus(corpus, query)) if score > 1e-9}
    assert found.keys() == expected.keys()
    for position, score in found.items():
        assert score == pytest.approx(expected[position], rel=1e-6)


def test_lexical_filter_comes_before_the_limit() -> None:
    index = Bm25PlusIndex([["x"]] * 50 + [["x", "y"]])
    allowed = np.zeros(51, dtype=np.bool_)
    allowed[50] = True
    assert [p for p, _ in index.search(["x"], 3, allowed)] == [50]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Ｐｆｉｚｅｒ ＧＢ／Ｔ", {"pfizer", "gb/t", "gb"}),
        ("P\ufb01zer", {"p\ufb01zer".replace("\ufb01", "fi")}),
        ("GB/T 7714-2015", {"gb/t", "7714-2015", "7714", "2015"}),
        ("v2.13.0", {"v2.13.0", "v2"}),
        ("年休假", {"年休", "休假", "年休假"}),
        ("calibrated", {"calibr"}),
        ("！？。 ，", set()),
    ],
)
def test_tokens(text: str, tokens: set[str]) -> None:
    assert tokens <= set(analyze(text))
    if not tokens:
        assert analyze(text) == []


def _snapshot_folder(base: KnowledgeBase) -> Path:
    return base.settings.home / "index"


def test_stored_indexes_are_used_again_without_rebuilding(filled: KnowledgeBase) -> None:
    with filled.workspace.store.read() as reader:
        model = filled.workspace.embedder.fingerprint
        loaded = files.load(_snapshot_folder(filled), reader.generation(), model)
        held = filled.workspace.indexes.at(reader)
    assert loaded is not None
    assert loaded.chunk_ids == held.chunk_ids
    assert loaded.words == held.words


@pytest.mark.parametrize("how", ["missing", "empty", "half", "flipped", "swapped", "no current", "older"])
def test_damaged_indexes_are_rebuilt_from_the_store(filled: KnowledgeBase, how: str) -> None:
    folder = _snapshot_folder(filled)
    expected = [p.text for p in filled.search("病假需要什么条件").passages]
    current = folder / (folder / "CURRENT").read_text()
    for path in sorted(current.iterdir()) if how not in ("no current", "older") else [folder / "CURRENT"]:
        data = path.read_bytes()
        damaged = {
            "missing": None,
            "empty": b"",
            "half": data[: len(data) // 2],
            "flipped": data[:40] + bytes([data[40] ^ 0x55]) + data[41:] if len(data) > 41 else b"",
            "swapped": (current / "manifest.json").read_bytes() if path.name != "manifest.json" else b"{}",
            "no current": None,
            "older": b"gen-00000000",
        }[how]
        if damaged is None:
            path.unlink()
        else:
            path.write_bytes(damaged)
        fresh = KnowledgeBase(filled.settings)
        assert [p.text for p in fresh.search("病假需要什么条件").passages] == expected
        fresh.workspace.close()


def test_a_reader_keeps_its_generation_while_another_is_written(filled: KnowledgeBase) -> None:
    store = filled.workspace.store
    with store.read() as old:
        before = filled.workspace.indexes.at(old)
        filled.workspace.remove(["manual.md"])
        assert {row.name for row in old.documents()} == {"handbook.md", "manual.md"}
        assert IndexCache(store, filled.workspace.embedder).at(old).chunk_ids == before.chunk_ids
        assert len(old.chunks(before.chunk_ids)) == len(before)
    with store.read() as new:
        assert len(filled.workspace.indexes.at(new)) < len(before)


def test_no_pickle_anywhere() -> None:
    root = Path(__file__).resolve().parents[2]
    for package in ("core", "ingest", "retrieval", "evaluation", "app"):
        for path in (root / package).rglob("*.py"):
            source = path.read_text("utf-8")
            assert "import pickle" not in source
            assert "load_local" not in source
