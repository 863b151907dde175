"""Chunk and span metrics written out over sets of characters, slowly."""

from __future__ import annotations

from collections.abc import Sequence

Range = tuple[str, int, int]
Spot = tuple[str, int]


def spots(ranges: Sequence[Range]) -> set[Spot]:
    return {(doc, at) for doc, start, end in ranges for at in range(start, end)}


def precision_recall_iou(returned: Sequence[Range], gold: Sequence[Range]) -> tuple[float, float, float]:
    """On sets of characters."""
    got, wanted = spots(returned), spots(gold)
    common = len(got & wanted)
    return (
        common / len(got) if got else 0.0,
        common / len(wanted) if wanted else 0.0,
        common / len(got | wanted) if got | wanted else 0.0,
    )


def chroma(returned: Sequence[Range], gold: Sequence[Range]) -> tuple[float, float, float]:
    """Recall, precision and IoU of Chroma's benchmark, from the description of its steps."""
    found = {spot for spot in spots(gold) if spot in spots(returned)}
    unused = spots(gold) - spots(returned)
    gold_sum = sum(end - start for _, start, end in gold)
    paid = sum(end - start for _, start, end in returned)
    return (
        len(found) / gold_sum if gold_sum else 0.0,
        len(found) / paid if paid else 0.0,
        len(found) / (paid + len(unused)) if paid + len(unused) else 0.0,
    )


def chroma_omega(chunks: Sequence[Range], gold: Sequence[Range]) -> float:
    """Found gold over the union of all chunks that meet the gold, borders included, and of unmet gold."""
    highlighted = [
        (doc, start, end)
        for doc, start, end in chunks
        if any(doc == other and max(start, low) <= min(end, high) for other, low, high in gold)
    ]
    found = spots(highlighted) & spots(gold)
    return len(found) / len(spots(highlighted) | spots(gold)) if found else 0.0


def coverage(chunks: Sequence[tuple[int, int]], follows: Sequence[bool], start: int, end: int) -> str:
    """Whether one chunk, or one with the next, has every character of the evidence."""
    wanted = set(range(start, end))
    if any(wanted <= set(range(*chunk)) for chunk in chunks):
        return "whole"
    for place in range(1, len(chunks)):
        low = min(chunks[place - 1][0], chunks[place][0])
        high = max(chunks[place - 1][1], chunks[place][1])
        if follows[place] and wanted <= set(range(low, high)):
            return "joined"
    return "truncated"


def longest_common(a: Sequence[str], b: Sequence[str]) -> int:
    """The table of the textbook."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def alignment(text: str, chunks: Sequence[str]) -> list[tuple[int, int] | None]:
    """For chunks without overlap: the first place behind the last chunk, white space ignored."""
    seen = [at for at, char in enumerate(text) if not char.isspace()]
    found: list[tuple[int, int] | None] = []
    begin = 0
    for chunk in chunks:
        wanted = [char for char in chunk if not char.isspace()]
        hit = next(
            (
                at
                for at in range(begin, len(seen))
                if [text[p] for p in seen[at : at + len(wanted)]] == wanted
            ),
            None,
        )
        found.append(None if hit is None else (seen[hit], seen[hit + len(wanted) - 1] + 1))
        begin = begin if hit is None else hit + len(wanted)
    return found
