"""What a refusal tells besides: what was searched, and the passages that came nearest."""

from __future__ import annotations

from typing import Final

from core.answer import Answer, Passage
from core.messages import render

_SHOWN: Final = 3
_EXCERPT: Final = 120


def searched_line(answer: Answer, language: str) -> str:
    """In how many documents which question was searched for; empty for an answer, and where nothing was found."""
    found = answer.search
    counts = dict(next((step.counts for step in found.trace if step.name == "understand"), ()))
    if answer.answered or not found.passages or "visible" not in counts:
        return ""
    # Of a scope or of documents that the question names, only these were searched.
    documents = counts.get("documents", counts["visible"])
    return render("refusal_searched", language, documents=documents, searched=found.searched)


def nearest_lines(answer: Answer) -> list[str]:
    """The first passages, each with its place and its beginning; none for an answer."""
    return [] if answer.answered else [_line(passage) for passage in answer.search.passages[:_SHOWN]]


def _line(passage: Passage) -> str:
    beginning = " ".join(passage.text.split())
    shown = beginning if len(beginning) <= _EXCERPT else beginning[: _EXCERPT - 1] + "…"
    return f"- {' > '.join((passage.doc, *passage.section_path))}: {shown}"
