"""Groups of chunks that treat one topic: marked by people in a file, or the sections of one's own documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from core.hashing import stable_id
from core.json_lines import read_json_lines
from core.store import ChunkRow, Reader

SectionPath = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicGroup:
    """At least two texts of one topic, and texts that are near it but of another (hard negatives)."""

    topic: str
    texts: tuple[str, ...]
    negatives: tuple[str, ...] = ()


class _Line(BaseModel):
    """One line of a groups file."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    topic: str = ""
    texts: tuple[str, ...] = Field(min_length=2)
    negatives: tuple[str, ...] = ()


def read_groups(path: Path) -> list[TopicGroup]:
    """Groups from JSON lines with ``texts`` and optional ``topic`` and ``negatives``.

    Raises ``FileMissingError`` and ``SettingsError`` with the number of a wrong line.
    """
    lines = read_json_lines(path, "--groups", _Line.model_validate)
    return [
        TopicGroup(topic=line.topic or str(n), texts=line.texts, negatives=line.negatives)
        for n, line in enumerate(lines, start=1)
    ]


def section_groups(reader: Reader, collection: str | None) -> list[TopicGroup]:
    """The sections of the stored documents that have at least two chunks; their neighbours are the negatives.

    A section of one chunk counts to the section above it. Raises ``UnknownCollectionError``.
    """
    found: list[TopicGroup] = []
    for document in reader.documents([collection] if collection else None):
        text = reader.version(document.version_id).text
        runs = _runs(reader.chunks_of(document.version_id))
        texts = [tuple(chunk.span.of(text) for chunk in chunks) for _, chunks in runs]
        for place, (path, _) in enumerate(runs):
            if len(texts[place]) < 2:
                continue
            beside = [other for at in (place - 1, place + 1) if 0 <= at < len(runs) for other in texts[at]]
            topic = " > ".join((document.name, *path))
            found.append(TopicGroup(topic=topic, texts=texts[place], negatives=tuple(beside)))
    return found


def _runs(chunks: Sequence[ChunkRow]) -> list[tuple[SectionPath, list[ChunkRow]]]:
    """Chunks by section in the order of the document, lone ones under the section above."""
    sizes: dict[SectionPath, int] = {}
    for chunk in chunks:
        sizes[chunk.section_path] = sizes.get(chunk.section_path, 0) + 1
    grouped: dict[SectionPath, list[ChunkRow]] = {}
    for chunk in chunks:
        path = chunk.section_path
        grouped.setdefault(path if sizes[path] > 1 else path[:-1], []).append(chunk)
    return list(grouped.items())


def held_back(groups: Sequence[TopicGroup], share: float) -> tuple[list[TopicGroup], list[TopicGroup]]:
    """The groups to learn from and those to judge by (about ``share``), the same on every machine."""
    order = sorted(groups, key=lambda group: stable_id("held back", group.topic, *group.texts))
    # At least two to learn from: with one alone nothing can be told apart.
    cut = max(1, min(round(len(order) * share), len(order) - 2))
    return order[cut:], order[:cut]
