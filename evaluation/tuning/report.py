"""What tuning prints and keeps: the tries, the verdict, and the lines to set."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from core.store.blobs import write_durably
from evaluation.reporting.recording import figures_of, rounded
from evaluation.reporting.run_file import CaseRecord, SystemRecord
from evaluation.tuning.climb import Changes, Climb, Proof, Scores, mean
from evaluation.tuning.halves import Halves
from evaluation.tuning.texts import TEXTS

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """``proof`` is ``None`` where nothing was chosen."""

    set_name: str
    figure: str
    halves: Halves
    climb: Climb
    proof: Proof | None

    @property
    def is_recommended(self) -> bool:
        return self.proof is not None and self.proof.is_beyond_noise


def env_lines(changes: Changes) -> list[str]:
    """As they go into ``.env``: ``YOUJU_RETRIEVAL__PASSAGES=8``."""
    return [f"YOUJU_{name.replace('.', '__').upper()}={value}" for name, value in changes.items()]


def text_of(tuned: Tuned, language: str) -> str:
    """Markdown: how it was split, every try, the verdict, and what to set where there is something."""
    words = TEXTS[language]
    parts = [
        words["split"].format(
            picked=len(tuned.halves.picked_on),
            held=len(tuned.halves.held_back),
            how=words["by_document" if tuned.halves.by_document else "by_question"],
            figure=tuned.figure,
        ),
        _table(tuned, words["columns"].format(figure=tuned.figure)),
        _verdict(tuned, words),
    ]
    if tuned.is_recommended:
        parts.append("\n".join(f"    {line}" for line in env_lines(tuned.climb.chosen)))
        parts.append(words["scope"])
        if any(name.startswith("chunking.") for name in tuned.climb.chosen):
            parts.append(words["rebuild"])
    return "\n\n".join(parts)


def report_of(tuned: Tuned, stamp: Json) -> Json:
    """Everything but the scores of each question. ``settings`` are empty where nothing is recommended."""
    found = tuned.proof
    return {
        "run": stamp,
        "set": tuned.set_name,
        "figure": tuned.figure,
        "picked_on": len(tuned.halves.picked_on),
        "held_back": len(tuned.halves.held_back),
        "by_document": tuned.halves.by_document,
        "tries": [asdict(one) for one in tuned.climb.tries],
        "chosen": tuned.climb.chosen,
        "picked_gain": mean(tuned.climb.end) - mean(tuned.climb.start),
        "held_back_before": mean(found.before) if found else None,
        "held_back_after": mean(found.after) if found else None,
        "gain": asdict(found.gain) if found else None,
        "chance": found.chance if found else None,
        "recommended": tuned.is_recommended,
        "settings": env_lines(tuned.climb.chosen) if tuned.is_recommended else [],
    }


def systems_of(tuned: Tuned) -> list[SystemRecord]:
    """Present and chosen settings on the half held back, question by question."""
    if tuned.proof is None:
        return []
    pairs = (("present", tuned.proof.before), ("chosen", tuned.proof.after))
    return [_system(tuned, name, scores) for name, scores in pairs]


def write_tuned(folder: Path, report: Json, text: str) -> None:
    """``tune.json`` and ``tune.md``, each replaced whole."""
    write_durably(folder / "tune.json", json.dumps(report, ensure_ascii=False, indent=1).encode())
    write_durably(folder / "tune.md", (text + "\n").encode())


def _system(tuned: Tuned, name: str, scores: Scores) -> SystemRecord:
    questions = {question.key: question.case.question for question in tuned.halves.held_back}
    cases = tuple(
        CaseRecord(id=key, question=questions[key], scores=rounded({tuned.figure: value}))
        for key, value in scores.items()
    )
    return SystemRecord(set=tuned.set_name, name=name, figures=figures_of(cases), cases=cases)


def _table(tuned: Tuned, columns: str) -> str:
    heads = columns.split("|")
    rows = [heads, ["---", "---", *("---:" for _ in heads[2:])]]
    for one in tuned.climb.tries:
        cells = [f"{one.mean:.3f}", f"{one.gain:+.3f}", f"{one.chance:.3f}", "*" if one.is_taken else ""]
        rows.append([one.knob, one.value, *cells])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _verdict(tuned: Tuned, words: dict[str, str]) -> str:
    found = tuned.proof
    if found is None:
        return words["none"]
    gain = f"{found.gain.mean:+.3f} [{found.gain.low:+.3f}, {found.gain.high:+.3f}]"
    return words["recommend" if found.is_beyond_noise else "refuse"].format(
        picked=mean(tuned.climb.end) - mean(tuned.climb.start),
        before=mean(found.before),
        after=mean(found.after),
        gain=gain,
        chance=found.chance,
    )
