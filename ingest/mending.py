"""Restoring what a store has lost, from what it still has: rows, vectors, originals, the index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import ModelMismatchError, StoreDamagedError
from core.store import DocumentRow, Reader
from ingest.check import index_problems, problems
from ingest.checks.documents import current_problems
from ingest.checks.problem import Problem
from ingest.checks.vectors import damaged_vectors
from ingest.embed_again import embed_again
from ingest.originals import drop_changed, drop_stray_files
from ingest.pipeline import Ingest
from ingest.report import Outcome
from ingest.sources import Source
from ingest.workspace import Workspace

# Called with a text's name (``ingest.views.word``) and its values, for each thing that was done.
OnMended = Callable[..., None]


def mend(workspace: Workspace, on_mended: OnMended) -> tuple[int, list[Problem]]:
    """Restore what can be restored and make the index anew. Returns its rows, and what is still wrong.

    Raises ``ModelMismatchError`` when the store was embedded with another model than the configured one.
    """
    _drop_orphans(workspace, on_mended)
    for digest in drop_changed(workspace.store):
        on_mended("bad_original", digest=digest[:12])
    for row in _broken(workspace):
        if _read_again(workspace, row):
            on_mended("read_again", name=f"{row.collection}/{row.name}")
    _embed_missing(workspace, on_mended)
    with workspace.store.write() as writer:
        writer.touch()
    with workspace.store.read() as reader:
        index = workspace.indexes.rebuild(reader)
        left = list(index_problems(reader, index))
    return len(index), problems(workspace.store) + left


def _drop_orphans(workspace: Workspace, on_mended: OnMended) -> None:
    with workspace.store.write() as writer:
        dropped = writer.drop_orphans()
    for table, count in dropped.items():
        on_mended("dropped", table=table, count=count)
    if count := drop_stray_files(workspace.store):
        on_mended("dropped", table="blobs", count=count)


def _broken(workspace: Workspace) -> list[DocumentRow]:
    """Documents whose current version does not fit together; what earlier ones lost is lost."""
    with workspace.store.read() as reader:
        return [row for row in reader.documents() if _is_broken(reader, row)]


def _is_broken(reader: Reader, row: DocumentRow) -> bool:
    return any(True for _ in current_problems(reader, row.version_id))


def _read_again(workspace: Workspace, row: DocumentRow) -> bool:
    """Whether the document could be made anew from its original; it keeps its history, owner and readers."""
    try:
        data = workspace.store.blobs.get(row.source_sha256)
    except StoreDamagedError:
        return False
    with workspace.store.write() as writer:
        writer.require_reading(row.version_id)
    with TemporaryDirectory(prefix="youju-") as folder:
        path = Path(folder) / "original"
        path.write_bytes(data)
        report = Ingest(workspace).add_sources([Source(name=row.name, path=path)], row.collection)
    if not any(one.name == row.name and one.outcome is Outcome.REPLACED for one in report.files):
        return False
    with workspace.store.write() as writer:
        # The broken version stands in the history now, where nobody wants it.
        for version in writer.reader.versions(writer.reader.document(row.id)):
            if not version.fingerprint:
                writer.drop_version(version.id)
    return True


def _embed_missing(workspace: Workspace, on_mended: OnMended) -> None:
    with workspace.store.read() as reader:
        model, chunks = reader.embedding_model(), reader.count("chunks")
        if chunks and model not in (None, workspace.embedder.fingerprint):
            raise ModelMismatchError(stored=model, current=workspace.embedder.fingerprint)
        damaged = damaged_vectors(reader, model) if model else []
    if damaged:
        with workspace.store.write() as writer:
            writer.drop_vectors(damaged)
    if chunks and (count := embed_again(workspace)):
        on_mended("missing_embedded", count=count)
