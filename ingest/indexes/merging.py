"""Which segments become one, and the segment they become: few segments, and little written for a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from core.protocols import Mask
from ingest.indexes.dense import DenseIndex
from ingest.indexes.segment import Segment

# Below this many rows a segment is made anew as soon as anything in it is gone.
_SMALL: Final = 4096
# Above this many rows none is merged with others for being of like size: so a change stays quick.
_LARGE: Final = 50_000
_MOST_GONE: Final = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """A segment, and which of its versions are current: ``live`` is ``(len(segment.version_ids),) bool``."""

    segment: Segment
    live: Mask

    @cached_property
    def rows(self) -> Mask:
        """The rows of current versions."""
        return self.segment.rows_of(self.live)

    @cached_property
    def size(self) -> int:
        """Number of current rows."""
        return int(np.count_nonzero(self.rows))


def settled(parts: Sequence[Part], graph_from: int) -> tuple[Part, ...]:
    """The same current rows in few segments, the largest first.

    Segments of like size become one, as in a log-structured merge tree (O'Neil et al., 1996), so that a row
    is copied a logarithmic number of times. What is mostly gone is made anew. Rows that are searched one by
    one become one graph when they reach ``graph_from``.
    """
    ordered = sorted((_renewed(part, graph_from) for part in parts if part.size), key=_by_size)
    flat = [part for part in ordered if not part.segment.dense.is_graph]
    if sum(part.size for part in flat) >= graph_from:
        return (*(part for part in ordered if part not in flat), _whole(merged(flat, graph_from)))
    group: list[Part] = []
    total = 0
    for part in reversed(flat):
        if (group and part.size > 2 * total) or total + part.size > _LARGE:
            break
        group.append(part)
        total += part.size
    if len(group) < 2:
        return tuple(ordered)
    kept = [part for part in ordered if part not in group]
    return tuple(sorted([*kept, _whole(merged(group[::-1], graph_from))], key=_by_size))


def merged(parts: Sequence[Part], graph_from: int) -> Segment:
    """One segment of the current rows of all ``parts``, in their order."""
    versions = np.concatenate([part.segment.version_ids[part.live] for part in parts])
    languages = np.unique(np.concatenate([part.segment.languages for part in parts]))
    version_rows, parent_rows, language_rows = [], [], []
    first_version = first_parent = 0
    for part in parts:
        segment = part.segment
        # New numbers for what is left, in the old order.
        numbers = np.cumsum(part.live) - 1
        version_rows.append(numbers[segment.version_rows[part.rows]] + first_version)
        first_version += int(np.count_nonzero(part.live))
        kept, inverse = np.unique(segment.parent_rows[part.rows], return_inverse=True)
        parent_rows.append(inverse + first_parent)
        first_parent += len(kept)
        language_rows.append(np.searchsorted(languages, segment.languages)[segment.language_rows[part.rows]])
    matrix = np.concatenate([part.segment.dense.vectors[part.rows] for part in parts])
    return Segment(
        chunk_ids=np.concatenate([part.segment.chunk_ids[part.rows] for part in parts]),
        version_ids=versions,
        stamps=np.concatenate([part.segment.stamps[part.live] for part in parts]),
        version_rows=np.concatenate(version_rows).astype(np.int32),
        parent_rows=np.concatenate(parent_rows).astype(np.int32),
        languages=languages,
        language_rows=np.concatenate(language_rows).astype(np.int32),
        dense=DenseIndex.build(matrix, graph=len(matrix) >= graph_from),
    )


def _renewed(part: Part, graph_from: int) -> Part:
    """The part without what is gone from it, where that costs little or is most of it."""
    gone = 1 - part.size / len(part.segment)
    if not gone or (len(part.segment) > _SMALL and gone < _MOST_GONE):
        return part
    return _whole(merged([part], graph_from))


def _whole(segment: Segment) -> Part:
    return Part(segment=segment, live=np.ones(len(segment.version_ids), dtype=np.bool_))


def _by_size(part: Part) -> tuple[int, str]:
    return (-part.size, part.segment.name)
