"""Why a search found what it found: stage by stage, and at which stage a chunk was lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.answer import Hit, SearchResult, TraceStep
from core.messages import render
from core.span import Span
from core.store import ChunkRow

_SHOWN = 5


class Fate(StrEnum):
    """What became of a chunk."""

    RETURNED = "returned"
    UNKNOWN = "unknown"
    NOT_FOUND = "not_found"
    PASSED_OVER = "passed_over"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """``stage`` is where the chunk was last seen or lost, ``places`` its rank and score in each ranking, as
    (stage, rank, score); ``reason`` is the rule that dropped it, or the number of its passage."""

    chunk_id: str
    fate: Fate
    stage: str = ""
    reason: str = ""
    places: tuple[tuple[str, int, float], ...] = ()


def why_not(result: SearchResult, chunk_id: str, chunk: ChunkRow | None) -> WhyNot:
    """What became of a chunk in a search; ``chunk`` is ``None`` when there is none of that id to be seen."""
    places = tuple(_places(result, chunk_id))
    if chunk is None:
        return WhyNot(chunk_id=chunk_id, fate=Fate.UNKNOWN)
    for number, passage in enumerate(result.passages, start=1):
        is_there = passage.version_id == chunk.version_id and _shares(passage.span, chunk.span)
        if is_there or chunk_id in passage.chunk_ids:
            return WhyNot(
                chunk_id=chunk_id, fate=Fate.RETURNED, stage="passage", reason=str(number), places=places
            )
    for step in result.trace:
        reason = dict(step.dropped).get(chunk_id)
        if reason is not None:
            return WhyNot(chunk_id=chunk_id, fate=Fate.DROPPED, stage=step.name, reason=reason, places=places)
    if not places:
        stages = " + ".join(step.name for step in result.trace if step.hits and step.name in _SEARCHES)
        return WhyNot(chunk_id=chunk_id, fate=Fate.NOT_FOUND, stage=stages)
    return WhyNot(chunk_id=chunk_id, fate=Fate.PASSED_OVER, stage=places[-1][0], places=places)


_SEARCHES = frozenset({"dense", "lexical", "named parts"})


def why_not_text(why: WhyNot, language: str) -> str:
    """The same in a sentence, and a line for each ranking that holds the chunk."""
    told = render(f"why_{why.fate.value}", language, stage=why.stage, reason=why.reason, chunk=why.chunk_id)
    lines = [f"  {stage}: #{rank} ({score:.4f})" for stage, rank, score in why.places]
    return "\n".join([told, *lines])


def explained(result: SearchResult) -> str:
    """A line for each stage with its time, counts and note, and the first hits below it."""
    lines: list[str] = []
    for step in result.trace:
        lines.append(_line(step))
        lines += [f"      {hit.rank:>2}. {hit.score:8.4f}  {hit.chunk_id}" for hit in step.hits[:_SHOWN]]
        for reason, count in _counted(step):
            lines.append(f"      - {count} x {reason}")
    return "\n".join(lines)


def _line(step: TraceStep) -> str:
    counts = "  ".join(f"{name} {count}" for name, count in step.counts)
    return "  ".join(filter(None, (f"{step.name:<14}", f"{step.latency_ms:7.1f} ms", counts, step.note)))


def _counted(step: TraceStep) -> list[tuple[str, int]]:
    counts: dict[str, int] = {}
    for _, reason in step.dropped:
        counts[reason] = counts.get(reason, 0) + 1
    return sorted(counts.items())


def _places(result: SearchResult, chunk_id: str) -> Iterator[tuple[str, int, float]]:
    for step in result.trace:
        hit: Hit | None = next((hit for hit in step.hits if hit.chunk_id == chunk_id), None)
        if hit is not None:
            yield step.name, hit.rank, hit.score


def _shares(passage: Span, chunk: Span) -> bool:
    """Whether most of the chunk is in the passage."""
    common = passage.intersection(chunk)
    return common is not None and 2 * len(common) > len(chunk)
