"""The gate's documents, parsed, cut and indexed anew by the code as it is, and forgotten afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from core.settings import ChatSettings, IndexSettings, Settings
from evaluation.attribution.loss import Stored
from ingest.calibration import Calibrations
from ingest.pipeline import Ingest
from ingest.report import Outcome
from ingest.sources import sources_of
from ingest.workspace import DEFAULT_COLLECTION, make_embedder
from retrieval.knowledge_base import KnowledgeBase

_NO_MODEL: Final = {"openai_base_url": None, "openai_api_key": None, "chat": ChatSettings()}

Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A knowledge base with what it holds; ``refused`` names the files that could not be read."""

    base: KnowledgeBase
    stored: Stored
    refused: tuple[str, ...]


@contextmanager
def indexed(folders: Sequence[Path], settings: Settings, on_file: Tick) -> Iterator[Corpus]:
    """The documents of ``folders`` in a base of their own, with the settings but without a chat model.

    So the same code gives the same figures. The embedding model's files and its measured scale are those of
    ``settings``. Raises ``FileMissingError``, ``SettingsError`` and ``ModelError``.
    """
    sources = sources_of(folders)
    embedder = make_embedder(settings)
    with TemporaryDirectory(prefix="youju-gate-") as home:
        own = {"home": Path(home), "store_url": None, "index": IndexSettings(), **_NO_MODEL}
        base = KnowledgeBase(settings.model_copy(update=own))
        base.workspace.embedder = embedder
        base.workspace.calibration = Calibrations(settings.home).of(embedder.fingerprint)
        done = 0

        def ticked(result: object) -> None:
            nonlocal done
            done += 1
            on_file(min(done, len(sources)), len(sources))

        try:
            ingest = Ingest(base.workspace, on_result=ticked)
            report = ingest.add_sources(sources, DEFAULT_COLLECTION)
            refused = tuple(file.name for file in report.files if file.outcome is Outcome.REFUSED)
            yield _corpus(base, refused)
        finally:
            base.workspace.close()


def _corpus(base: KnowledgeBase, refused: tuple[str, ...]) -> Corpus:
    with base.workspace.store.read() as reader:
        rows = reader.documents()
        stored = Stored(
            texts={row.name: reader.version(row.version_id).text for row in rows},
            chunks={row.name: reader.chunks_of(row.version_id) for row in rows},
        )
    return Corpus(base=base, stored=stored, refused=refused)
