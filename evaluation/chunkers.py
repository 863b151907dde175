"""What cuts documents in a comparison: our strategies by registry name, and the peers."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from pydantic import ValidationError

from core.document import Document
from core.errors import SettingsError
from core.hashing import stable_id
from core.protocols import Embedder, Vectors
from core.settings import ChunkingSettings, Settings
from core.span import Span
from evaluation.alignment import align
from evaluation.passage import Passage, Place
from evaluation.peers import PeerModel, make_peer
from evaluation.vector_cache import MeasuredEmbedder
from ingest import hierarchy
from ingest.prepare import make_splitter
from ingest.sections import Section, sections_of
from ingest.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A strategy or peer and what is set for it, as written: ``recursive:soft_tokens=200``."""

    written: str
    name: str
    options: dict[str, str]


def spec_of(written: str, option: str) -> Spec:
    """``name`` or ``name:key=value:key=value``. Raises ``SettingsError`` that names ``option``."""
    name, *pairs = written.strip().split(":")
    options = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    if not name or len(options) != len(pairs):
        raise SettingsError(name=option, reason=f"expected name:key=value, got {written!r}")
    return Spec(written=written.strip(), name=name, options=options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One document in chunks. ``headed`` are their texts below our contextual header.

    ``empty`` chunks had no visible character, ``lost`` ones do not stand in the text. ``seconds`` are
    without the embedding model.
    """

    passages: tuple[Passage, ...]
    headed: tuple[str, ...]
    empty: int = 0
    lost: int = 0
    seconds: float


class Chunker(Protocol):
    """Cuts documents; no chunk should have more than ``hard_tokens``, as embedded."""

    name: str
    fingerprint: str
    hard_tokens: int

    def cut(self, name: str, document: Document) -> Cut:
        """The chunks in the order of the text. Raises ``ModelError``."""
        ...


class OwnChunker:
    """One of our strategies. Raises ``UnknownNameError`` and ``SettingsError``."""

    def __init__(self, spec: Spec, settings: Settings, embedder: MeasuredEmbedder) -> None:
        # What is set, and not what a preset would then be overruled by.
        given = settings.chunking.model_dump(exclude_unset=True) | spec.options | {"strategy": spec.name}
        try:
            self._chunking = ChunkingSettings.model_validate(given)
        except ValidationError as exc:
            reason = f"{spec.written}: {exc.errors()[0]['msg'].removeprefix('Value error, ')}"
            raise SettingsError(name="--strategies", reason=reason) from exc
        self._embedder = embedder
        workspace = _SharedModel(settings.model_copy(update={"chunking": self._chunking}), embedder)
        self._splitter = make_splitter(workspace)
        self.name = spec.written
        self.hard_tokens = self._chunking.hard_tokens
        self.fingerprint = stable_id(self._splitter.fingerprint, self._chunking.model_dump_json())

    def cut(self, name: str, document: Document) -> Cut:
        started, before = time.perf_counter(), self._embedder.inside_s
        sections = sections_of(document, self._chunking, self._embedder, name)
        pieces = self._splitter.split(sections)
        chunks, _ = hierarchy.build(name, sections, pieces, self._chunking)
        seconds = time.perf_counter() - started - (self._embedder.inside_s - before)
        headed = tuple(chunk.embed_text for chunk in chunks)
        passages = _passages(
            name, document.text, [chunk.span for chunk in chunks], headed, self._embedder,
            [chunk.previous_id is not None for chunk in chunks],
        )  # fmt: skip
        return Cut(passages=passages, headed=headed, seconds=seconds)


class PeerChunker:
    """Another program's splitter. Raises what ``make_peer`` raises."""

    def __init__(self, spec: Spec, settings: Settings, embedder: MeasuredEmbedder) -> None:
        try:
            options = {key: float(value) for key, value in spec.options.items()}
        except ValueError as exc:
            raise SettingsError(name="--peers", reason=f"{spec.written}: expected numbers") from exc
        self._peer = make_peer(spec.name, _Model(embedder), options)
        self._chunking, self._embedder = settings.chunking, embedder
        self.name = spec.written
        self.hard_tokens = settings.chunking.hard_tokens
        self.fingerprint = stable_id("peer", spec.written)

    def cut(self, name: str, document: Document) -> Cut:
        started, before = time.perf_counter(), self._embedder.inside_s
        chunks = self._peer.split(document.text, document.language)
        seconds = time.perf_counter() - started - (self._embedder.inside_s - before)
        found = align(document.text, chunks, self._peer.overlap)
        texts = self._embedder.fitted([span.of(document.text) for span in found.spans])
        sections = sections_of(document, self._chunking, self._embedder, name)
        headed = [_headed(sections, span) for span in found.spans]
        return Cut(
            passages=_passages(name, document.text, found.spans, texts, self._embedder, [True] * len(texts)),
            headed=tuple(self._embedder.fitted(headed)),
            empty=found.empty,
            lost=found.lost,
            seconds=seconds,
        )


class _SharedModel(Workspace):
    """A workspace whose model is there already."""

    def __init__(self, settings: Settings, embedder: Embedder) -> None:
        super().__init__(settings)
        self._shared = embedder

    @cached_property
    def embedder(self) -> Embedder:
        return self._shared


class _Model(PeerModel):
    def __init__(self, embedder: MeasuredEmbedder) -> None:
        self._embedder = embedder
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.passages(self._embedder.fitted(texts))

    def count(self, text: str) -> int:
        return self._embedder.count([text])[0]


def _headed(sections: Sequence[Section], span: Span) -> str:
    """As our chunks are embedded: below the header of the section in which the chunk starts."""
    at = bisect_right(sections, span.start, key=lambda section: section.span.start) - 1
    return sections[max(at, 0)].embed_text(span)


def _passages(
    doc: str, text: str, spans: Sequence[Span], embed_texts: Sequence[str], embedder: Embedder,
    linked: Sequence[bool],
) -> tuple[Passage, ...]:  # fmt: skip
    """``linked`` says which chunks may be joined with the one before."""
    texts = [span.of(text) for span in spans]
    marks = embedder.count([""])[0]
    shown_sizes, embed_sizes = embedder.count(texts), embedder.count(embed_texts)
    ends = [0, *(span.end for span in spans)]
    return tuple(
        Passage(
            place=Place(doc, span),
            text=texts[at],
            embed_text=embed_texts[at],
            tokens=max(shown_sizes[at] - marks, 1),
            # What is cut at the window is still a chunk of its own size.
            embed_tokens=max(shown_sizes[at], embed_sizes[at]),
            follows=at > 0 and linked[at] and not text[ends[at] : span.start].strip(),
        )
        for at, span in enumerate(spans)
    )
