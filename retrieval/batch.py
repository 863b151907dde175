"""Many questions from a file, one result a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import QuestionError
from core.json_lines import read_json_lines
from retrieval.history import Turn, turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One line of the input."""

    id: str
    text: str
    history: tuple[Turn, ...]


def read_questions(path: Path) -> list[Question]:
    """Lines with ``id``, ``question`` and optional ``history``.

    Raises ``FileMissingError``, and ``SettingsError`` with the number of a line that is not such JSON.
    """
    return read_json_lines(path, "--questions", _question)


def _question(row: dict[str, Any]) -> Question:
    return Question(id=str(row["id"]), text=str(row["question"]), history=turns(row.get("history") or ()))


def run_batch(
    questions: list[Question],
    out: Path,
    answer: Callable[[Question], Mapping[str, object]],
    on_done: Callable[[int, int], None],
) -> None:
    """Write one JSON line a question, in order, as soon as it is there.

    A question that cannot be asked gets a line with ``error``; the others go on.
    """
    with out.open("w", encoding="utf-8", newline="\n") as file:
        for number, question in enumerate(questions, start=1):
            try:
                row: dict[str, object] = {"id": question.id} | dict(answer(question))
            except QuestionError as exc:
                row = {"id": question.id, "error": str(exc), "passages": [], "latency_ms": 0.0}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            on_done(number, len(questions))
