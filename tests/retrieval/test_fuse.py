from hypothesis import given
from hypothesis import strategies as st

from core.answer import Hit
from retrieval.fuse import reciprocal_rank_fusion
from tests.oracles.rrf import rrf

rankings = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8), min_size=1, max_size=4)


def hits(names: list[str], source: str) -> list[Hit]:
    return [
        Hit(chunk_id=name, score=0.0, rank=rank, source=source) for rank, name in enumerate(names, start=1)
    ]


@given(rankings, st.integers(0, 100))
def test_fusion_agrees_with_a_slow_second_implementation(lists: list[list[str]], k: int) -> None:
    named = {str(i): hits(names, str(i)) for i, names in enumerate(lists)}
    fused = reciprocal_rank_fusion(named, k=k)
    assert [hit.chunk_id for hit in fused] == rrf(lists, k)
    assert [hit.rank for hit in fused] == list(range(1, len(fused) + 1))


def test_a_weight_counts() -> None:
    named = {"a": hits(["x", "y"], "a"), "b": hits(["y", "x"], "b")}
    assert reciprocal_rank_fusion(named, k=60, weights={"a": 2.0})[0].chunk_id == "x"
    assert reciprocal_rank_fusion(named, k=60, weights={"b": 2.0})[0].chunk_id == "y"
