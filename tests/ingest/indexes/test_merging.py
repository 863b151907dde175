"""Segments: few of them, nothing lost, nothing that is gone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from core.span import Span
from core.store import ChunkRow
from ingest.indexes import merging
from ingest.indexes.merging import Part, settled
from ingest.indexes.segment import Draft, Segment
from tests.search_base import DIMENSION, vector_of

MANY = 10**9


def segment(*versions: tuple[str, int], graph_from: int = MANY) -> Segment:
    """Versions of so many chunks each; odd chunks are English; two chunks share a parent."""
    draft = Draft(dimension=DIMENSION)
    for version, count in versions:
        chunks = [chunk(version, i) for i in range(count)]
        vectors = {c.embed_hash: vector_of(c.id) for c in chunks}
        if chunks:
            draft.add(chunks, {version: "1"}, vectors)
    return draft.segment(graph_from)


def chunk(version: str, i: int) -> ChunkRow:
    return ChunkRow(
        id=f"{version}.{i}", version_id=version, document_id="d", parent_id=f"{version}-{i // 2}",
        section_id="", ordinal=i, span=Span(0, 1), section_path=(), kinds=(), reasons=(), token_count=1,
        embed_text="x", embed_hash=f"{version}.{i}", previous_id=None, next_id=None,
        language=("zh", "en")[i % 2],
    )  # fmt: skip


def part(made: Segment, gone: frozenset[str] = frozenset()) -> Part:
    live = np.array([version not in gone for version, _ in made.versions], dtype=np.bool_)
    return Part(segment=made, live=live)


def rows(parts: tuple[Part, ...]) -> dict[str, tuple[str, str, tuple[float, ...]]]:
    """Version, language and vector of every current row, by chunk id; each parent's children stay together."""
    found = {}
    for held in parts:
        made = held.segment
        for row in np.flatnonzero(held.rows):
            version = made.version_ids[made.version_rows[row]].decode()
            language = made.languages[made.language_rows[row]].decode()
            chunk_id = made.chunk_id(int(row))
            assert chunk_id not in found
            found[chunk_id] = (version, language, tuple(made.dense.vectors[row].tolist()))
            family = [made.chunk_id(int(child)) for child in made.children_of(int(made.parent_rows[row]))]
            first = int(chunk_id.partition(".")[2]) // 2 * 2
            assert set(family) <= {f"{version}.{first}", f"{version}.{first + 1}"}
    return found


@run(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4), max_size=8),
    st.randoms(),
    st.integers(1, 60),
)
def test_settling_keeps_every_current_row_and_only_those(
    sizes: list[list[int]], dice: object, graph_from: int
) -> None:
    parts = []
    for i, counts in enumerate(sizes):
        made = segment(*((f"v{i}x{j}", count) for j, count in enumerate(counts)), graph_from=graph_from)
        gone = {version for version, _ in made.versions if dice.random() < 0.3}  # type: ignore[attr-defined]
        if len(made):
            parts.append(part(made, frozenset(gone)))
    after = settled(parts, graph_from)
    assert rows(after) == rows(tuple(parts))
    assert all(held.live.all() for held in after)
    total = sum(held.size for held in after)
    flat = sum(held.size for held in after if not held.segment.dense.is_graph)
    assert flat < graph_from or not total


def test_adding_one_by_one_leaves_few_segments_and_copies_a_row_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copied = 0
    original = merging.merged

    def counting(parts: list[Part], graph_from: int) -> Segment:
        nonlocal copied
        copied += sum(held.size for held in parts)
        return original(parts, graph_from)

    monkeypatch.setattr(merging, "merged", counting)
    parts: tuple[Part, ...] = ()
    for i in range(256):
        parts = settled([*parts, part(segment((f"v{i}", 2)))], MANY)
    assert len(parts) <= 9
    assert copied <= 512 * 10


def test_what_is_mostly_gone_is_made_anew_and_the_rest_only_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "_SMALL", 4)
    made = segment(*((f"v{i}", 2) for i in range(10)))
    (little,) = settled([part(made, frozenset({"v0"}))], MANY)
    assert little.segment is made
    assert little.size == 18
    (mostly,) = settled([part(made, frozenset(f"v{i}" for i in range(6)))], MANY)
    assert mostly.segment is not made
    assert len(mostly.segment) == 8
    assert settled([part(made, frozenset(f"v{i}" for i in range(10)))], MANY) == ()


def test_a_segment_is_read_as_it_was_written() -> None:
    made = segment(("v1", 3), ("v2", 2))
    again = Segment.from_bytes(made.columns_to_bytes(), made.dense.to_bytes())
    assert rows((part(again),)) == rows((part(made),))
    assert again.name == made.name != segment(("v1", 3)).name
    with pytest.raises((ValueError, KeyError)):
        Segment.from_bytes(segment(("v1", 3)).columns_to_bytes(), made.dense.to_bytes())
