"""Runs written by hand, as small as a test needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.reporting.recording import figures_of
from evaluation.reporting.run_file import CaseRecord, DataSet, Excerpt, Made, RunFile, Shown, SystemRecord

MADE = Made(
    commit="abc123def456", changed=False, version="1", date="2026-11-30T08:00:00+00:00", machine="Linux x86_64",
    cores=2, python="3.11.0",
)  # fmt: skip


def case(number: int, stage: str = "", *, shown: Shown | None = None, **scores: float) -> CaseRecord:
    return CaseRecord(
        id=f"q{number}", type="fact" if number % 2 else "summary", question=f"Question {number}?", scores=scores,
        latency_ms=10.0 + number, sureness=(number % 10) / 10, is_right=number % 3 > 0, stage=stage,
        reason="moved" if stage else "", shown=shown,
    )  # fmt: skip


def system(
    cases: Sequence[CaseRecord], name: str = "ours", set_: str = "own", **more: object
) -> SystemRecord:
    fields = {"set": set_, "name": name, "figures": figures_of(cases), "cases": tuple(cases)}
    return SystemRecord.model_validate(fields | more)


def run(
    *systems: SystemRecord, kind: str = "retrieval", sha256: str = "5a", data: Mapping[str, str] | None = None
) -> RunFile:
    sets = data or {one.set: sha256 for one in systems}
    return RunFile(
        kind=kind, made=MADE, model="hashing", settings={"retrieval.passages": 4}, fingerprint="f" * 24,
        data=tuple(DataSet(name=n, documents=2, questions=3, sha256=h) for n, h in sets.items()), systems=systems,
    )  # fmt: skip


def retrieval_cases(whole: Sequence[float], stage: str = "rerank") -> list[CaseRecord]:
    """One case for each value, with a stage where it is not 1."""
    return [
        case(n, "" if value == 1 else stage, whole=value, recall=value, **{"hit@1": 1.0})
        for n, value in enumerate(whole)
    ]


SHOWN = Shown(
    answer="thirty <days>",
    evidence=(Excerpt(doc="own/a.md", start=4, text="within thirty <days>"),),
    returned=(
        Excerpt(doc="own/a.md", start=0, text="Pay within thirty <days> & no later.", marks=((4, 24),)),
        Excerpt(doc="own/b.md", start=0, text="Something else."),
    ),
)
