"""A set's documents in a knowledge base of their own, made once by the product's own way of adding files."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from pydantic import BaseModel

from core.hashing import stable_id
from core.protocols import Embedder
from core.settings import Settings
from core.store import Reader
from evaluation.attribution.loss import Stored
from evaluation.retrieval.questions import RetrievalSet, StoredText
from evaluation.vector_cache import MeasuredEmbedder, VectorCache
from ingest.pipeline import Ingest
from ingest.report import IngestReport, Outcome
from ingest.workspace import Workspace, make_embedder

# Groups of settings that change nothing in what is stored.
_OF_THE_SEARCH: Final = {"retrieval", "chat", "limits"}
_SAMPLED_CHARS, _SAMPLED_TEXTS = 2000, 40

Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The embedder itself, for questions, and one that remembers the vectors of passages."""

    embedder: Embedder
    remembering: MeasuredEmbedder


class Models:
    """Embedding models by settings, each loaded once."""

    def __init__(self, cache: VectorCache, on_progress: Tick) -> None:
        self._cache, self._on_progress = cache, on_progress
        self._made: dict[str, Model] = {}

    def of(self, settings: Settings) -> Model:
        """Raises ``SettingsError`` and ``ModelError``."""
        key = settings.embedding.model_dump_json()
        if key not in self._made:
            embedder = make_embedder(settings)
            remembering = MeasuredEmbedder(embedder, self._cache, self._on_progress)
            self._made[key] = Model(embedder=embedder, remembering=remembering)
        return self._made[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A knowledge base with one collection a part; documents are known by "part/name".

    ``keys`` gives the key of a stored document's id, ``twins`` that of a duplicate that was not stored.
    ``stored`` are texts and chunks by key, to tell which stage lost what.
    ``build_s`` is what adding took, mostly for what the vector cache did not have.
    """

    home: Path
    texts: dict[str, StoredText]
    stored: Stored
    keys: dict[str, str]
    twins: dict[str, str]
    refused: tuple[str, ...]
    chunks: int
    build_s: float
    model: Model
    settings: Settings

    def tokens_of(self, characters: int, language: str) -> int:
        """About so many tokens of the base's texts in ``language`` make ``characters``."""
        texts = [stored.text for stored in self.texts.values() if stored.language == language]
        parts = [text[:_SAMPLED_CHARS] for text in (texts or [s.text for s in self.texts.values()]) if text]
        counts = self.model.embedder.count(parts[:_SAMPLED_TEXTS])
        shares = [count / len(part) for count, part in zip(counts, parts, strict=False)]
        return max(round(characters * fmean(shares or [1.0])), 1)


def home_of(found: RetrievalSet, settings: Settings, model: Model) -> Path:
    """By the names of the files and whatever is set about making chunks; changed bytes are added again."""
    groups = {
        name
        for name in Settings.model_fields
        if isinstance(getattr(settings, name), BaseModel) and name not in _OF_THE_SEARCH
    }
    names = [f"{part.name}/{source.name}" for part in found.parts for source in part.sources]
    made_by = settings.model_dump_json(include=groups)
    return settings.home / "evaluation" / "bases" / stable_id(model.embedder.fingerprint, made_by, *names)


def settings_at(home: Path, settings: Settings) -> Settings:
    """The settings for a base: its own folder and its own names, whatever the user's documents are kept in."""
    index = settings.index.model_copy(update={"milvus_prefix": f"evaluation_{home.name}"})
    return settings.model_copy(update={"home": home, "store_url": None, "index": index})


def open_base(found: RetrievalSet, settings: Settings, model: Model, on_file: Tick) -> Base:
    """The base of a set under the home's ``evaluation/bases``: what is stored and unchanged stays.

    Raises ``StoreError`` and ``EmbeddingError``; a file that cannot be read is in ``refused``.
    """
    home = home_of(found, settings, model)
    workspace = Workspace(settings_at(home, settings))
    workspace.embedder = model.remembering
    started = time.perf_counter()
    try:
        reports = _added(found, workspace, on_file)
        build_s = time.perf_counter() - started
        with workspace.store.read() as reader:
            keys = {row.id: f"{row.collection}/{row.name}" for row in reader.documents()}
            return Base(
                home=home,
                texts=(texts := _texts(reader)),
                stored=_stored(reader, texts),
                keys=keys,
                twins=_twins(reports),
                refused=tuple(
                    f"{part}/{result.name}" for part, report in reports.items() for result in report.files
                    if result.outcome is Outcome.REFUSED
                ),
                chunks=reader.count("chunks"),
                build_s=build_s,
                model=model,
                settings=settings,
            )  # fmt: skip
    finally:
        workspace.close()


def _added(found: RetrievalSet, workspace: Workspace, on_file: Tick) -> dict[str, IngestReport]:
    total, done = sum(len(part.sources) for part in found.parts), 0

    def ticked(result: object) -> None:
        nonlocal done
        done += 1
        on_file(min(done, total), total)

    ingest = Ingest(workspace, on_result=ticked)
    return {part.name: ingest.add_sources(part.sources, part.name) for part in found.parts}


def _twins(reports: dict[str, IngestReport]) -> dict[str, str]:
    return {
        f"{part}/{result.name}": f"{part}/{result.same_as}"
        for part, report in reports.items()
        for result in report.files
        if result.same_as
    }


def _stored(reader: Reader, texts: dict[str, StoredText]) -> Stored:
    chunks = {f"{row.collection}/{row.name}": reader.chunks_of(row.version_id) for row in reader.documents()}
    return Stored(texts={key: one.text for key, one in texts.items()}, chunks=chunks)


def _texts(reader: Reader) -> dict[str, StoredText]:
    texts: dict[str, StoredText] = {}
    for row in reader.documents():
        version = reader.version(row.version_id)
        texts[f"{row.collection}/{row.name}"] = StoredText(
            text=version.text, language=version.language, lines=reader.lines(version.id)
        )
    return texts
