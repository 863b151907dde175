"""How a run becomes a file: the envelope, the figures with their intervals, the texts of the worst cases."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.settings import Settings
from core.span import Span
from evaluation.gold import GoldCase
from evaluation.intervals import interval
from evaluation.passage import Place
from evaluation.reporting.run_file import (
    SIZE_STEP,
    CaseRecord,
    DataSet,
    Excerpt,
    Figure,
    Made,
    RunFile,
    Shown,
    SystemRecord,
)
from evaluation.run_stamp import RunStamp, changed_settings, fingerprint_of

# Cases of a system and set that are kept with their texts, and how much of each.
WORST: Final = 12
_PASSAGES: Final = 5
_CHARS: Final = 1200
# Characters of a document that are shown around what is too long.
_AROUND: Final = 160


def envelope(
    kind: str,
    stamp: RunStamp,
    settings: Settings,
    model: str,
    data: Sequence[DataSet],
    systems: Sequence[SystemRecord],
    options: Mapping[str, object] | None = None,
) -> RunFile:
    """The run as it is stored."""
    return RunFile(
        kind=kind,
        made=Made(
            commit=stamp.commit.rstrip("+"),
            changed=stamp.commit.endswith("+"),
            version=stamp.version,
            date=stamp.date,
            machine=stamp.machine,
            cores=stamp.cores,
            python=stamp.python,
        ),
        model=model,
        settings=changed_settings(settings),
        fingerprint=fingerprint_of(settings, model),
        options=dict(options or {}),
        data=tuple(data),
        systems=tuple(systems),
    )


def data_set(name: str, folders: Iterable[Path], documents: int, questions: int) -> DataSet:
    """``folders`` hold ``gold.jsonl`` and all of ``corpus``, of which nothing was left out. Raises ``OSError``."""
    files = [file for folder in folders for file in [folder / "gold.jsonl", *_files(folder / "corpus")]]
    return DataSet(name=name, documents=documents, questions=questions, sha256=hash_of(files))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def hash_of(files: Iterable[Path]) -> str:
    """SHA-256 of the names and bytes of ``files``, in their order. Raises ``OSError``."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.name.encode("utf-8", "surrogateescape") + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def figures_of(cases: Iterable[CaseRecord]) -> dict[str, Figure]:
    """The mean of each score over the cases that have it, in the order of their first appearance."""
    values: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        for name, value in case.scores.items():
            values[name].append(value)
    return {name: figure_of(found) for name, found in values.items()}


def figure_of(values: Sequence[float]) -> Figure:
    """Raises ``ValueError`` for no values."""
    found = interval(lambda mean: mean, values)
    return Figure(
        value=round(found.value, 6), low=round(found.low, 6), high=round(found.high, 6), cases=len(values)
    )


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """As stored."""
    return {name: round(float(value), 4) for name, value in scores.items()}


def sizes_of(tokens: Iterable[int]) -> dict[str, int]:
    """Counts by the lower border of their step, ascending."""
    counts: dict[int, int] = defaultdict(int)
    for size in tokens:
        counts[size // SIZE_STEP * SIZE_STEP] += 1
    return {str(low): counts[low] for low in sorted(counts)}


def worst_of(cases: Sequence[CaseRecord], worth: Callable[[CaseRecord], float]) -> set[str]:
    """The ids of the ``WORST`` cases that went wrong, those of each stage in turn."""
    by_stage: dict[str, list[CaseRecord]] = defaultdict(list)
    for case in sorted(cases, key=worth):
        if case.stage:
            by_stage[case.stage].append(case)
    chosen: list[str] = []
    while len(chosen) < WORST and any(by_stage.values()):
        chosen += [found.pop(0).id for found in by_stage.values() if found]
    return set(chosen[:WORST])


def shown_of(
    case: GoldCase, returned: Sequence[Place], evidence: Sequence[Place], texts: Callable[[str], str]
) -> Shown:
    """``evidence`` is where the gold's pieces stand, ``texts`` gives a document's text by its name."""
    return Shown(
        answer=_answer(case),
        evidence=tuple(excerpt(place, (), texts(place.doc)) for place in evidence)
        or tuple(Excerpt(doc=p.doc, text=_words(p.text)[:_CHARS]) for p in case.evidence),
        returned=tuple(excerpt(place, evidence, texts(place.doc)) for place in returned[:_PASSAGES]),
    )


def excerpt(place: Place, evidence: Sequence[Place], text: str) -> Excerpt:
    """The words at a place with the evidence marked; of a long one the part around the first mark."""
    shared = [
        common
        for piece in evidence
        if piece.doc == place.doc and (common := piece.span.intersection(place.span)) is not None
    ]
    start, end = place.span.start, place.span.end
    if end - start > _CHARS:
        first = min((one.start for one in shared), default=start)
        start = max(start, min(first - _AROUND, end - _CHARS))
        end = start + _CHARS
    window = Span(start, end)
    seen = [common for one in shared if (common := one.intersection(window)) is not None]
    marks = tuple(sorted({(one.start - start, one.end - start) for one in seen}))
    return Excerpt(doc=place.doc, start=start, text=text[start:end], marks=marks)


def _answer(case: GoldCase) -> str:
    if isinstance(case.answer, str):
        return case.answer[:_CHARS]
    parts = [part if isinstance(part, str) else " / ".join(part) for part in case.answer]
    return "; ".join(parts)[:_CHARS]


def _words(text: str | list[str]) -> str:
    return text if isinstance(text, str) else " … ".join(text)
