"""All chunkings on all sets, kept on disk as they are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from core.errors import ModelError, SettingsError
from core.settings import Settings
from evaluation.chunk_progress import Progress
from evaluation.chunk_record import data_of, system_of
from evaluation.chunk_report import Json, run_json, set_json, set_tables, write_report
from evaluation.chunk_runs import ChunkRun, differences, run_chunker
from evaluation.chunk_set import ChunkSet, read_chunk_set
from evaluation.chunkers import Chunker, OwnChunker, PeerChunker, spec_of
from evaluation.completeness_judge import Judged, judged_completeness
from evaluation.passage import Passage
from evaluation.reporting.recording import envelope
from evaluation.reporting.run_file import RunFile, write_run
from evaluation.run_stamp import run_stamp
from evaluation.vector_cache import MeasuredEmbedder, VectorCache
from ingest.workspace import make_embedder


class Comparison:
    """The sets and the runs that are done; the first run of each set is the baseline."""

    def __init__(self, settings: Settings, model: str, baseline: str) -> None:
        self._settings, self._model, self._baseline = settings, model, baseline
        self._stamp = run_stamp()
        self.done: list[tuple[ChunkSet, list[ChunkRun]]] = []

    def add(self, run: ChunkRun) -> None:
        """Of the last set."""
        runs = self.done[-1][1]
        runs.append(replace(run, gains=differences(runs[0], run)) if runs else run)

    def tables(self) -> str:
        """Markdown."""
        language = self._settings.interface_language
        return "\n\n".join(set_tables(found, runs, self._model, language) for found, runs in self.done)

    def report(self) -> Json:
        """All figures but those of each question."""
        return {
            "run": self._stamp.as_json(),
            "embedder": self._model,
            "chunking": self._settings.chunking.model_dump(),
            "baseline": self._baseline,
            "sets": [set_json(found) | {"runs": [run_json(r) for r in runs]} for found, runs in self.done],
        }

    def record(self) -> RunFile:
        """As it is stored for comparing and reporting."""
        data = [data_of(found) for found, _ in self.done]
        systems = [system_of(found, run) for found, runs in self.done for run in runs]
        return envelope("chunks", self._stamp, self._settings, self._model, data, systems)

    def keep(self, folder: Path) -> None:
        write_run(folder, self.record())
        write_report(folder, self.report(), self.tables(), self.done)


def compare(
    settings: Settings,
    folders: Sequence[Path],
    *,
    strategies: Sequence[str],
    peers: Sequence[str],
    baseline: str | None,
    max_documents: int,
    max_questions: int,
    out: Path | None,
    judged: int = 0,
) -> Comparison:
    """Run everything; with ``out``, what is done is there whenever it is interrupted.

    Raises before the work begins what a wrong name, folder or setting raises, and ``ModelError``.
    """
    progress = Progress(settings.interface_language)
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    try:
        embedder = MeasuredEmbedder(make_embedder(settings), cache, progress.of("embed", least=500))
        judge = _judge(settings, judged, progress)
        chunkers = _chunkers(strategies, peers, baseline, settings, embedder)
        sets = [_read(folder, settings, progress, max_documents, max_questions) for folder in folders]
        comparison = Comparison(settings, embedder.fingerprint, chunkers[0].name)
        for found in sets:
            comparison.done.append((found, []))
            for chunker in chunkers if found.questions else []:
                progress.tell("run", set=found.name, name=chunker.name)
                run = run_chunker(chunker, found, embedder, progress.of("cut", least=100), judge)
                comparison.add(run)
                _tell_done(progress, run)
                if out:
                    comparison.keep(out)
        if out:
            comparison.keep(out)
            progress.tell("kept", out=out)
    finally:
        cache.close()
    return comparison


def _judge(
    settings: Settings, sample: int, progress: Progress
) -> Callable[[Sequence[Passage]], Judged | None]:
    """Asks the chat model of the settings about so many chunks; 0: nobody is asked. Raises ``ModelError``."""
    if not sample:
        return lambda passages: None
    from core.chat.model import make_chat_model

    model, told = make_chat_model(settings), progress.of("judge", least=20)
    if model is None:
        raise ModelError(name="YOUJU_CHAT__MODEL", reason="--judged needs a chat model, and none is set")
    return lambda passages: judged_completeness(passages, model, sample=sample, on_chunk=told)


def _chunkers(
    strategies: Sequence[str],
    peers: Sequence[str],
    baseline: str | None,
    settings: Settings,
    embedder: MeasuredEmbedder,
) -> list[Chunker]:
    """The baseline first."""
    made: list[Chunker] = []
    made += [OwnChunker(spec_of(name, "--strategies"), settings, embedder) for name in strategies]
    made += [PeerChunker(spec_of(name, "--peers"), settings, embedder) for name in peers]
    if not made:
        raise SettingsError(name="--strategies", reason="expected at least one name")
    names = [chunker.name for chunker in made]
    if baseline and baseline not in names:
        raise SettingsError(name="--baseline", reason=f"expected one of {', '.join(names)}, got {baseline!r}")
    return sorted(made, key=lambda chunker: chunker.name != (baseline or names[0]))


def _read(
    folder: Path, settings: Settings, progress: Progress, max_documents: int, max_questions: int
) -> ChunkSet:
    found = read_chunk_set(
        folder,
        settings,
        max_documents=max_documents,
        max_questions=max_questions,
        on_document=progress.of("parse", least=100),
    )
    progress.tell("set", name=found.name, documents=len(found.documents), questions=len(found.questions))
    if found.unplaced:
        progress.tell("skipped", name=found.name, unplaced=found.unplaced)
    if found.misread:
        progress.tell("misread", name=found.name, misread=len(found.misread))
    return found


def _tell_done(progress: Progress, run: ChunkRun) -> None:
    mean = run.means
    progress.tell(
        "done",
        set=run.set_name,
        name=run.name,
        complete=mean["complete"],
        truncated=mean["truncated"],
        recall=mean["recall@1600"],
    )
    if run.judged:
        progress.tell("judged", set=run.set_name, name=run.name, **asdict(run.judged))
