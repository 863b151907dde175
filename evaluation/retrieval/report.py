"""What a comparison of searches writes: JSON with all figures, lost evidence as gold, Markdown tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.settings import Settings
from core.store.blobs import write_durably
from evaluation.retrieval.base import Base
from evaluation.retrieval.questions import BUDGETS, Asked
from evaluation.retrieval.reliability import curve_svg
from evaluation.retrieval.runs import Row, Run
from evaluation.retrieval.scores import STAGES, Loss
from evaluation.retrieval.tables import tables_of

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFacts:
    """What was asked of which documents, and what could not be."""

    name: str
    documents: int
    characters: int
    chunks: int
    build_s: float
    model: str
    questions: int
    unanswerable: int
    misread: int
    elsewhere: int
    refused: tuple[str, ...]
    misread_cases: tuple[Json, ...]

    @classmethod
    def of(cls, name: str, base: Base, asked: Asked) -> SetFacts:
        return cls(
            name=name,
            documents=len(base.texts),
            characters=sum(len(stored.text) for stored in base.texts.values()),
            chunks=base.chunks,
            build_s=round(base.build_s, 2),
            model=base.model.embedder.fingerprint,
            questions=len(asked.questions),
            unanswerable=len(asked.unanswerable),
            misread=len(asked.misread),
            elsewhere=asked.elsewhere,
            refused=base.refused,
            misread_cases=tuple(
                {**question.gold.model_dump(), "set": name, "part": question.part, "stage": "parser"}
                for question in asked.misread
            ),
        )

    def as_json(self) -> Json:
        facts = {"set": self.name} | asdict(self)
        del facts["name"], facts["misread_cases"]
        return facts


Done = Sequence[tuple[SetFacts, Sequence[Run]]]


def report_of(stamp: Json, settings: Settings, baseline: str, done: Done) -> Json:
    """All figures but those of each question, with what they were made with."""
    groups = {"chunking", "embedding", "retrieval"}
    return {
        "run": stamp,
        "settings": settings.model_dump(mode="json", include=groups),
        "budget_chars": BUDGETS,
        "baseline": baseline,
        "sets": [facts.as_json() | {"runs": [run_json(run) for run in runs]} for facts, runs in done],
    }


def run_json(run: Run) -> Json:
    return {
        "name": run.name,
        "build_s": round(run.build_s, 2),
        "means": run.means,
        "by_part": run.by_part,
        "by_type": run.by_type,
        "latency_ms": asdict(run.latency),
        "embedding_ms": asdict(run.embedding),
        "steps_ms": {name: asdict(spent) for name, spent in run.steps.items()},
        "lost": {stage: sum(loss.stage == stage for loss in run.losses) for stage in STAGES},
        "routes": run.routes,
        "reliability": asdict(run.curve) if run.curve else None,
        "differences": {name: asdict(gain) for name, gain in run.gains.items()},
    }


def set_tables(facts: SetFacts, runs: Sequence[Run], language: str) -> str:
    """Markdown of one set."""
    shown = facts.as_json() | {"refused": len(facts.refused)}
    return tables_of(shown, runs, language)


def write_report(folder: Path, report: Json, tables: str, done: Done) -> None:
    """``retrieval.json``, ``retrieval.md``, ``questions.jsonl``, ``failures.jsonl`` and a curve for each run
    that has one, each replaced whole."""
    write_durably(folder / "retrieval.json", json.dumps(report, ensure_ascii=False, indent=1).encode())
    write_durably(folder / "retrieval.md", (tables + "\n").encode())
    runs = [run for _, made in done for run in made]
    _write_lines(folder / "questions.jsonl", (_row_json(run, row) for run in runs for row in run.rows))
    _write_lines(folder / "failures.jsonl", _failing_cases(done))
    for run in runs:
        if run.curve:
            name = re.sub(r"[^\w.=-]+", "-", f"reliability-{run.set_name}-{run.name}")
            drawing = curve_svg(run.curve, f"{run.set_name}, {run.name}")
            write_durably(folder / f"{name}.svg", drawing.encode())


def _write_lines(path: Path, rows: Iterable[Json]) -> None:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write_durably(path, lines.encode("utf-8", "surrogatepass"))


def _row_json(run: Run, row: Row) -> Json:
    """One line a question, for whoever compares this run with a later one."""
    returned = row.returned
    return {
        "set": run.set_name,
        "system": run.name,
        "part": row.question.part,
        "id": row.question.case.id,
        **{name: round(value, 4) for name, value in row.scores.items()},
        "latency_ms": round(returned.latency_ms, 2),
        "embed_ms": round(returned.embed_ms, 2),
        "score": returned.score,
        "route": returned.route,
        "passages": [[place.doc, place.span.start, place.span.end] for place in returned.places],
    }


def _failing_cases(done: Done) -> Iterator[Json]:
    """Gold lines with what went wrong: read again by whatever reads gold."""
    for facts, runs in done:
        yield from facts.misread_cases
        for run in runs:
            yield from (_failing(run, loss) for loss in run.losses)


def _failing(run: Run, loss: Loss) -> Json:
    piece, first = loss.piece, loss.first
    return {
        **loss.question.gold.model_dump(),
        "set": run.set_name,
        "system": run.name,
        "part": loss.question.part,
        "stage": loss.stage,
        "missing": {"doc": piece.doc, "start": piece.start, "end": piece.end, "page": piece.page},
        "rank": loss.rank,
        "first_passage": [first.doc, first.span.start, first.span.end] if first else None,
    }
