"""Many questions from a file, one result a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileMissingError, QuestionError, SettingsError
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
    if not path.is_file():
        raise FileMissingError(name=str(path))
    return list(_questions(path))


def _questions(path: Path) -> Iterator[Question]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            question = Question(
                id=str(row["id"]), text=str(row["question"]), history=turns(row.get("history") or ())
            )
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            raise SettingsError(name="--questions", reason=f"line {number}: {exc!r}") from exc
        yield question


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
