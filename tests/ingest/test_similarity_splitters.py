"""The strategies that cut where neighbouring sentences differ: by a fixed bound, and by the document's own."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import Document
from core.protocols import Vectors
from core.settings import ChunkingSettings
from ingest.parsers.text.markdown import MarkdownParser
from ingest.sections import sections_of
from ingest.similarity import Similarity
from ingest.splitters.boundary import BoundarySplitter, valleys
from ingest.splitters.piece import Piece
from ingest.splitters.sentence_similarity import SentenceSimilaritySplitter
from ingest.splitters.splitter import SplitTools

TOPICS = ("茶叶", "航天", "足球", "税法")


class TopicEmbedder:
    """One axis for each of ``TOPICS`` that a text names, and a little of another one by its length."""

    dimension = len(TOPICS) + 3
    max_tokens = 512
    fingerprint = "topics"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for axis, topic in enumerate(TOPICS):
                vectors[row, axis] = topic in text
            vectors[row, len(TOPICS) + len(text) % 3] = 0.3
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self.passages(texts)


def settings(**values: object) -> ChunkingSettings:
    small = {"min_tokens": 0, "soft_tokens": 300, "hard_tokens": 400, "overlap_tokens": 0}
    return ChunkingSettings.model_validate({**small, **values})


def about(topic: str, count: int) -> str:
    return "".join(f"这里第{place}次说到{topic}{'的事' * (place % 3)}。" for place in range(count))


def split(text: str, chunking: ChunkingSettings, strategy: type) -> tuple[Document, list[Piece], list[str]]:
    """The document, its pieces, and what was encoded."""
    embedder = TopicEmbedder()
    document = MarkdownParser().parse(text.encode(), "x.md")
    splitter = strategy(chunking, SplitTools(similarity=Similarity(embedder, None)))
    pieces = splitter.split(sections_of(document, chunking, embedder))
    return document, list(itertools.chain(*pieces)), embedder.seen


def texts_of(document: Document, pieces: Sequence[Piece]) -> list[str]:
    return [piece.span.of(document.text) for piece in pieces]


BOTH = pytest.mark.parametrize("strategy", [SentenceSimilaritySplitter, BoundarySplitter])


@BOTH
def test_it_cuts_where_the_topic_changes_and_says_why(strategy: type) -> None:
    parts = [about("茶叶", 6), about("航天", 7), about("足球", 6)]
    document, pieces, _ = split("".join(parts), settings(similarity_threshold=0.5), strategy)
    assert texts_of(document, pieces) == parts
    assert pieces[0].reasons == ("section",)
    assert all(piece.reasons[0].split()[0] in ("similarity", "valley") for piece in pieces[1:])


@BOTH
def test_every_text_is_encoded_once_and_none_of_a_section_below_the_minimum(strategy: type) -> None:
    text = f"# 甲\n\n{about('茶叶', 9)}\n\n# 乙\n\n{about('茶叶', 9)}\n\n# 丙\n\n短。也短。\n"
    _, pieces, seen = split(text, settings(min_tokens=40), strategy)
    assert len(seen) == len(set(seen)) > 9
    assert not any("短" in encoded for encoded in seen)
    assert [piece.reasons for piece in pieces][-1] == ("section",)


@BOTH
def test_tables_code_and_items_stay_whole_and_headings_keep_their_text(strategy: type) -> None:
    table = "| 茶叶 | 航天 |\n| --- | --- |\n| 足球。税法。 | 茶叶。航天。 |"
    code = "```\n茶叶。\n\n航天。\n```"
    text = f"# 税法\n\n足球一句。茶叶一句。\n\n{table}\n\n{code}\n\n- 茶叶一项。航天一项。\n- 足球一项。\n"
    document, pieces, _ = split(text, settings(similarity_threshold=1.5), strategy)
    found = texts_of(document, pieces)
    for unit in (table, code, "- 茶叶一项。航天一项。"):
        assert sum(unit in piece for piece in found) == 1, unit
    assert not any(piece.strip().endswith("# 税法") for piece in found)


def test_a_small_run_joins_the_neighbour_it_is_more_like() -> None:
    odd = "足球与航天有一点关系。"
    text = about("茶叶", 6) + odd + about("航天", 6)
    # Behind the odd sentence the similarity is 0.66, before it 0.08.
    document, pieces, _ = split(
        text, settings(min_tokens=40, similarity_threshold=0.7), SentenceSimilaritySplitter
    )
    assert texts_of(document, pieces) == [about("茶叶", 6), odd + about("航天", 6)]
    assert "min" in pieces[1].reasons


def test_a_large_run_is_cut_where_it_is_least_alike() -> None:
    first, second = about("茶叶", 9), about("航天", 9)
    chunking = settings(
        min_tokens=30, soft_tokens=len(first) + 15, hard_tokens=len(first) + 60, similarity_threshold=-1.0
    )
    document, pieces, _ = split(first + second, chunking, SentenceSimilaritySplitter)
    assert texts_of(document, pieces) == [first, second]
    assert pieces[1].reasons == ("max",)


@BOTH
def test_limits_hold_when_everything_is_cut_and_when_nothing_is(strategy: type) -> None:
    text = "".join(about(topic, 8) for topic in TOPICS * 4)
    for threshold, alpha in ((2.0, 0.0), (-1.0, 10.0)):
        chunking = settings(
            min_tokens=60, soft_tokens=150, hard_tokens=200,
            similarity_threshold=threshold, boundary_alpha=alpha,
        )  # fmt: skip
        _, pieces, _ = split(text, chunking, strategy)
        assert all(60 <= piece.size <= 200 for piece in pieces)


def test_each_rule_of_the_boundary_takes_its_threshold_from_the_document() -> None:
    parts = [about("茶叶", 8), about("航天", 7), about("足球", 8)]
    counts = {}
    for rule in ("valley", "sigma", "percentile"):
        chunking = settings(boundary_rule=rule, boundary_percentile=4, boundary_window=1, soft_tokens=390)
        counts[rule] = len(split("".join(parts), chunking, BoundarySplitter)[1])
    # Two changes of topic stand out; four percent of the borders are only the deeper one.
    assert counts["valley"] == counts["sigma"] == 3
    assert counts["percentile"] == 2


def test_one_threshold_for_all_sections_of_a_document() -> None:
    even = f"# 甲\n\n{about('茶叶', 12)}\n\n"
    uneven = f"# 乙\n\n{about('茶叶', 8)}{about('航天', 8)}\n"
    _, pieces, _ = split(even + uneven, settings(boundary_rule="sigma"), BoundarySplitter)
    assert len(pieces) == 3


def test_a_row_without_any_drop_is_not_cut() -> None:
    assert not any(row.any() for row in valleys([np.full(9, 0.5, np.float32), np.zeros(0, np.float32)], 1.0))


# Values that float32 holds exactly.
@given(st.lists(st.sampled_from([0.125, 0.25, 0.5, 0.75, 0.875]), max_size=12), st.sampled_from([0.0, 1.0]))
def test_valleys_are_those_of_a_slow_search(values: list[float], alpha: float) -> None:
    def peak(place: int, step: int) -> float:
        while 0 <= place + step < len(values) and values[place + step] >= values[place]:
            place += step
        return values[place]

    depths = np.array([peak(i, -1) + peak(i, 1) - 2 * value for i, value in enumerate(values)])
    row = np.array([np.inf, *values], dtype=np.float32)
    found = valleys([row], alpha)[0]
    assert not found[0]
    for place, value in enumerate(values):
        around = values[max(place - 1, 0) : place + 2]
        bound = depths.mean() + alpha * depths.std()
        if abs(depths[place] - bound) < 1e-9:
            # Which side it falls on is a matter of rounding.
            continue
        deep = depths[place] > bound
        first = place == 0 or values[place - 1] > value
        assert found[place + 1] == (deep and value == min(around) and first)


@BOTH
def test_the_same_settings_give_the_same_pieces_and_others_another_fingerprint(strategy: type) -> None:
    text = "".join(about(topic, 5) for topic in TOPICS)
    assert split(text, settings(), strategy)[1] == split(text, settings(), strategy)[1]
    similarity = Similarity(TopicEmbedder(), None)
    tools = SplitTools(similarity=similarity)
    changed = settings(similarity_threshold=0.6, boundary_alpha=1.5)
    assert strategy(settings(), tools).fingerprint == strategy(settings(), tools).fingerprint
    assert strategy(settings(), tools).fingerprint != strategy(changed, tools).fingerprint


@BOTH
def test_without_a_similarity_it_cannot_be_made(strategy: type) -> None:
    with pytest.raises(ValueError, match="similarity"):
        strategy(settings(), replace(SplitTools(), similarity=None))
