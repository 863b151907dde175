"""The stored baseline: each case's figures, and what they were made with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from core.errors import FileMissingError, SettingsError
from core.hashing import stable_id
from core.settings import Settings
from core.store.blobs import write_durably
from evaluation.gate.figures import FIGURES, CaseRun, means
from evaluation.gold import GoldCase
from evaluation.run_stamp import changed_settings, fingerprint_of, run_stamp


class Baseline(BaseModel):
    """``settings`` holds what was not as by default, ``fingerprint`` stands for all of it and the model.

    ``questions`` gives the hash of each case: one that was changed is another case. ``scores`` are the
    figures of each case in the order of ``figures``, ``None`` where one does not apply.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    commit: str
    model: str
    settings: dict[str, object]
    fingerprint: str
    figures: tuple[str, ...]
    means: dict[str, float]
    questions: dict[str, str]
    scores: dict[str, tuple[float | None, ...]]

    def knows(self, case: GoldCase) -> bool:
        """Whether the case was there, as it is now."""
        return self.questions.get(case.id) == _hash(case)

    def of(self, case: GoldCase) -> Mapping[str, float]:
        """The figures that the case had; empty when it is not known."""
        values = zip(self.figures, self.scores[case.id], strict=True) if self.knows(case) else ()
        return {name: value for name, value in values if value is not None}


def baseline_of(runs: Iterable[CaseRun], settings: Settings, model: str) -> Baseline:
    """What ``runs`` came to, to be compared with later."""
    runs, changed = list(runs), changed_settings(settings)
    return Baseline(
        commit=run_stamp().commit,
        model=model,
        settings=changed,
        fingerprint=fingerprint_of(settings, model),
        figures=tuple(FIGURES),
        means={name: round(value, 4) for name, value in means(runs).items()},
        questions={run.case.id: _hash(run.case) for run in runs},
        scores={run.case.id: tuple(_rounded(run, name) for name in FIGURES) for run in runs},
    )


def read_baseline(path: Path) -> Baseline:
    """Raises ``FileMissingError``, and ``SettingsError`` for a file that is no baseline."""
    if not path.is_file():
        raise FileMissingError(name=str(path))
    try:
        return Baseline.model_validate_json(path.read_bytes())
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SettingsError(name="--baseline", reason=f"{path.name}: {where}: {first['msg']}") from exc


def write_baseline(path: Path, baseline: Baseline) -> None:
    """One line a case, so that differences between two versions of the file can be read. Raises ``OSError``."""
    rows = baseline.model_dump(mode="json")
    parts = [f' "{name}": {_lines(value)}' for name, value in rows.items()]
    write_durably(path, ("{\n" + ",\n".join(parts) + "\n}\n").encode("utf-8"))


def _lines(value: object) -> str:
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    lines = [f"  {json.dumps(k, ensure_ascii=False)}: {json.dumps(v)}" for k, v in value.items()]
    return "{\n" + ",\n".join(lines) + "\n }"


def _hash(case: GoldCase) -> str:
    return stable_id(case.model_dump_json())[:12]


def _rounded(run: CaseRun, name: str) -> float | None:
    value = run.scores.get(name)
    return None if value is None else round(value, 4)
