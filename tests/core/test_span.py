import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.span import Span, is_blank, trimmed, union

spans = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda pair: Span(pair[0], sum(pair)))


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 2)])
def test_a_span_is_never_empty_or_negative(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="expected 0 <= start < end"):
        Span(start, end)


@given(st.lists(spans))
def test_a_union_covers_exactly_the_same_characters(parts: list[Span]) -> None:
    covered = {i for part in parts for i in range(part.start, part.end)}
    result = union(parts)
    assert {i for part in result for i in range(part.start, part.end)} == covered
    assert all(a.end < b.start for a, b in itertools.pairwise(result))


@given(spans, spans)
def test_intersection_and_overlap_agree(a: Span, b: Span) -> None:
    shared = a.intersection(b)
    assert (shared is not None) == a.overlaps(b) == b.overlaps(a)
    if shared is not None:
        assert a.contains(shared)
        assert b.contains(shared)
    assert a.hull(b).contains(a)


@given(st.text(alphabet="ab \n\u3000\u200b\ufeff\u00a0", max_size=12))
def test_trimming_leaves_no_blank_at_the_ends(text: str) -> None:
    span = trimmed(text, 0, len(text))
    if span is None:
        assert all(is_blank(char) for char in text)
    else:
        kept = span.of(text)
        assert not is_blank(kept[0])
        assert not is_blank(kept[-1])


def test_union_with_a_gap_joins_neighbours() -> None:
    assert union([Span(0, 3), Span(5, 8)], gap=2) == (Span(0, 8),)
    assert union([Span(0, 3), Span(6, 8)], gap=2) == (Span(0, 3), Span(6, 8))
