"""Search by words: both indexes follow their formula, find in tiny bases, and filter before the limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as run
from hypothesis import strategies as st

from core.registry import REGISTRY, resolve
from ingest.indexes.analyzer import analyze
from ingest.indexes.lexical import Bm25PlusIndex, Entry, LexicalIndex
from ingest.indexes.tantivy_index import TantivyIndex
from tests.oracles.bm25 import bm25, bm25_plus

Make = Callable[..., LexicalIndex]
ORACLES = {"bm25plus": bm25_plus, "tantivy": bm25}
POEMS = [
    "举头望明月，低头思故乡。",
    "月是故乡明，露从今夜白。",
    "春眠不觉晓，处处闻啼鸟。",
    "白日依山尽，黄河入海流。",
]


@pytest.fixture(params=REGISTRY["lexical index"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(name: str, tmp_path: Path) -> Make:
    """An index of texts, each a chunk "0", "1", ... of a version "v0", "v1", ..."""
    folders = iter(range(10_000))

    def made(texts: Sequence[Sequence[str]]) -> LexicalIndex:
        empty: LexicalIndex = resolve("lexical index", name)()
        return empty.changed((), entries(texts), tmp_path / "知识 库" / str(next(folders)))

    return made


def entries(texts: Sequence[Sequence[str]]) -> list[Entry]:
    return [Entry(str(i), f"v{i}", list(text)) for i, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("corpus", "query", "expected"),
    [
        (["windy London", "good man"], "windy", ["0"]),
        (["only one document"], "document", ["0"]),
        (["好人一生平安"], "平安", ["0"]),
        (["好人一生平安", "平安"], "平安", ["0", "1"]),
        ([], "anything", []),
        ([""], "anything", []),
        (["！！"], "！", []),
        (["alpha", "beta"], "", []),
        (["alpha", "beta"], "the of", []),
        (["alpha", "beta"], "gamma", []),
        (POEMS, "故乡", ["0", "1"]),
        (["混合检索 rerank", "其他"], "rerank 检索", ["0"]),
        (["ＡＢＣ公司", "别的公司"], "abc", ["0"]),
        (["臺灣的資訊", "台北"], "台湾资讯", ["0"]),
        (["台湾的信息", "台北"], "臺灣信息", ["0"]),
        (["依照 GB/T 7714-2015 著录", "GB/T 7713"], "GB/T7714", ["0"]),
        (["第三十二条 劳动者", "第三条"], "第32条", ["0"]),
        (["二〇二四年五月一日起施行", "2023年"], "2024-05-01", ["0"]),
    ],
)
def test_tiny_and_empty_bases(make: Make, corpus: list[str], query: str, expected: list[str]) -> None:
    index = make([analyze(text) for text in corpus])
    found = index.search(analyze(query), 5)
    assert sorted(chunk_id for chunk_id, _ in found if chunk_id in expected) == expected
    assert [chunk_id for chunk_id, _ in found][: len(expected)] == [c for c, _ in found if c in expected]
    assert all(score > 0 for _, score in found)
    assert len(index) == len(corpus)


words = st.lists(st.sampled_from("abcdefg"), max_size=8)


@run(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpus=st.lists(words, min_size=1, max_size=8), query=words)
def test_scores_are_those_of_a_slow_second_implementation(
    make: Make, name: str, corpus: list[list[str]], query: list[str]
) -> None:
    index = make(corpus)
    found = index.search(query, len(corpus))
    slow = ORACLES[name](corpus, query) if any(corpus) else [0.0] * len(corpus)
    expected = {str(i): score for i, score in enumerate(slow) if score > 1e-9}
    assert dict(found) == pytest.approx(expected, rel=1e-4)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    for token in "abcdefg":
        assert index.document_frequency(token) == sum(token in text for text in corpus)


@run(max_examples=6, deadline=None)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=4, max_size=4, unique=True), st.integers(0, 5))
def test_both_rank_a_clear_case_alike(tmp_path_factory: Any, query: list[str], place: int) -> None:
    corpus = [[*"xyzuvw", letter] for letter in "abcdef"]
    corpus[place] = [*"xyz", *query]
    folder = tmp_path_factory.mktemp("words") / "index"
    both = (Bm25PlusIndex(entries(corpus)), TantivyIndex().changed((), entries(corpus), folder))
    assert {index.search(query, 1)[0][0] for index in both} == {str(place)}


def test_the_filter_comes_before_the_limit_and_changes_no_score(make: Make) -> None:
    index = make([["x"]] * 50 + [["x", "y"]])
    everything = dict(index.search(["x"], 60))
    assert len(everything) == 51
    assert index.search(["x"], 3, {"v50"}) == [("50", pytest.approx(everything["50"]))]
    assert index.search(["x"], 3, set()) == index.search(["x"], 3, {"of nobody"}) == []
    assert index.search(["x"], 0) == []


def test_what_is_gone_is_not_found_and_what_came_is(make: Make, tmp_path: Path) -> None:
    before = make([["x"], ["x", "y"], ["z"]])
    after = before.changed({"v1"}, [Entry("new", "v9", ["y", "w"])], tmp_path / "next")
    assert {chunk_id for chunk_id, _ in after.search(["x", "y"], 9)} == {"0", "new"}
    assert [after.document_frequency(token) for token in "xyzw"] == [1, 1, 1, 1]
    assert len(after) == 3
    # The one before goes on as it was.
    assert {chunk_id for chunk_id, _ in before.search(["x", "y"], 9)} == {"0", "1"}
    assert before.document_frequency("w") == 0
    assert len(before) == 3


def test_what_was_saved_is_opened_again(make: Make, name: str, tmp_path: Path) -> None:
    folder = tmp_path / "next"
    index = make([["x", "x", "ключ"], []]).changed((), [Entry("new", "v9", ["故乡"])], folder)
    index.save(folder)
    again: LexicalIndex = resolve("lexical index", name).open(folder)
    for tokens in (["x"], ["ключ"], ["故乡"]):
        assert again.search(tokens, 5) == index.search(tokens, 5) != []
    assert len(again) == 3


def test_a_folder_without_an_index_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises((OSError, ValueError)):
        resolve("lexical index", name).open(tmp_path)


def test_tokens_of_any_length_do_no_harm(make: Make) -> None:
    long = "a" * 70_000
    index = make([[long, "b"], ["c"], ["d"] * 70_000])
    assert [chunk_id for chunk_id, _ in index.search([long], 5)] == ["0"]
    assert [chunk_id for chunk_id, _ in index.search(["b"], 5)] == ["0"]
    assert [chunk_id for chunk_id, _ in index.search(["d"], 5)] == ["2"]
    assert index.search(["x" * 70_000], 5) == []
    assert index.document_frequency(long) == 1
