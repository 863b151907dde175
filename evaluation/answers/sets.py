"""All sets, kept on disk as they are done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.settings import Settings
from evaluation.answers.record import system_of
from evaluation.answers.report import Done, Json, report_of, table_of, write_report
from evaluation.answers.runs import run_set
from evaluation.reporting.recording import envelope
from evaluation.reporting.run_file import DataSet, SystemRecord, write_run
from evaluation.retrieval.base import Models, open_base
from evaluation.retrieval.progress import Progress
from evaluation.retrieval.questions import asked_of, read_set
from evaluation.retrieval.record import data_of
from evaluation.run_stamp import run_stamp
from evaluation.vector_cache import VectorCache


def run_sets(
    settings: Settings, folders: Sequence[Path], *, method: str, max_questions: int, out: Path | None
) -> tuple[Json, str]:
    """The report and the table of all sets. Raises what reading a set, adding files and asking raise."""
    progress, stamp = Progress(settings.interface_language), run_stamp()
    found = [read_set(folder.resolve().name, [folder], 0) for folder in folders]
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    done, data, systems = list[Done](), list[DataSet](), list[SystemRecord]()
    try:
        model = Models(cache, progress.of("embed", least=500)).of(settings)
        for one in found:
            base = open_base(one, settings, model, progress.of("ingest", least=20))
            asked = asked_of(one, base.texts, base.twins, max_questions)
            progress.tell("run", set=one.name, name=method)
            run = run_set(base, asked, method, progress.of("ask", least=100))
            fingerprint = model.embedder.fingerprint
            done.append(Done(name=one.name, documents=len(base.texts), model=fingerprint, run=run))
            data.append(data_of(one, base, asked))
            systems.append(system_of(one.name, method, run, base))
            if out:
                write_run(out, envelope("answers", stamp, settings, fingerprint, data, systems))
                _keep(out, stamp.as_json(), settings, method, done)
    finally:
        cache.close()
    if out:
        progress.tell("kept", out=out)
    return report_of(stamp.as_json(), settings, method, done), table_of(done, settings.interface_language)


def _keep(out: Path, stamp: Json, settings: Settings, method: str, done: Sequence[Done]) -> None:
    table = table_of(done, settings.interface_language)
    write_report(out, report_of(stamp, settings, method, done), table, done)
