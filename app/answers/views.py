"""What the chat shows of a result, as plain data: pure functions."""

from __future__ import annotations

from app.texts import TEXTS, text
from core.answer import Answer, Route, SearchResult
from core.messages import render
from core.read_share import read_line
from retrieval.nearest import searched_line


def asked(result: SearchResult, scope_line: str, language: str) -> dict[str, object]:
    """The properties of what stands above an answer: the question searched when it is not the one typed, and
    what it was searched in; empty when neither is worth a word.
    """
    reworded = result.searched if result.searched != result.question else ""
    if not reworded and not scope_line:
        return {}
    keys = ("searched", "searched_edit", "searched_run", "cancel", "exact", "scope", "scope_clear")
    labels = {key: text(key, language) for key in keys}
    return {"searched": reworded, "scope": scope_line, "labels": labels}


def is_exact(command: str | None) -> bool:
    """Whether a message was sent from the line that edits the question searched."""
    return command in TEXTS["exact"].values()


def notes_line(answer: Answer, language: str) -> str:
    """What fell back or was uncertain, as one small line of Markdown; empty when nothing did."""
    notes = [
        render(note, language, left_out=answer.left_out, removed=answer.removed) for note in answer.notes
    ]
    if answer.answered and answer.search.route is Route.DOUBTFUL:
        notes.append(text("doubtful", language))
    if answer.read:
        notes.insert(0, read_line(answer.read, language) + ("。" if language == "zh" else "."))
    if searched := searched_line(answer, language):
        notes.append(searched)
    return f"\n\n*{' '.join(notes)}*" if notes else ""
