"""What the chat shows of a result, as plain data: pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from app.texts import TEXTS, text
from core.answer import Answer, Citation, Passage, Route, SearchResult, TraceStep
from core.chat.usage import usage_line
from core.messages import MESSAGES, render
from core.read_share import read_line
from core.span import Span
from core.verdict import Verdict
from ingest.report import FileResult
from ingest.views import word
from retrieval.nearest import searched_line

_CONTEXT_CHARS = 200
_WORST_FIRST = (Verdict.UNSUPPORTED, Verdict.PARTLY, Verdict.SUPPORTED)


def source_cards(answer: Answer, answer_id: str, language: str) -> dict[str, object]:
    """The properties of the list of sources below an answer."""
    by_number: dict[int, list[Citation]] = {}
    for citation in answer.citations:
        by_number.setdefault(citation.n, []).append(citation)
    passages = answer.search.passages
    cited = {citations[0].passage for citations in by_number.values()}
    read = passages[: len(passages) - answer.left_out]
    uncited = [(index, passage) for index, passage in enumerate(read) if index not in cited]
    cards = [_cited_card(n, citations, passages, language) for n, citations in sorted(by_number.items())]
    return {
        "answerId": answer_id,
        "title": text("sources" if cards else "nearest", language),
        "open": text("open", language),
        "cards": cards,
        "uncitedTitle": text("uncited", language, count=len(uncited)),
        "uncited": [
            card(passage, language) | {"passage": index, "quote": excerpt(passage.text)}
            for index, passage in uncited
        ],
        "usage": usage_line(answer.usage, language) if answer.usage else "",
        "permalink": f"/answers/{answer.id}" if answer.id else "",
        "permalinkTitle": text("permalink", language),
    }


def _cited_card(
    n: int, citations: Sequence[Citation], passages: Sequence[Passage], language: str
) -> dict[str, object]:
    worst = min((c.verdict for c in citations), key=_WORST_FIRST.index)
    # The quote is that of the badge.
    first = next(c for c in citations if c.verdict is worst)
    pages = tuple(sorted({page for c in citations for page in c.pages}))
    return card(passages[first.passage], language, pages) | {
        "n": n,
        "passage": first.passage,
        "verdict": worst.value,
        "verdictText": text(worst.value, language),
        "quote": excerpt(first.text),
    }


def card(passage: Passage, language: str, pages: tuple[int, ...] = ()) -> dict[str, object]:
    """Where a passage stands: document, section, pages."""
    shown = pages or passage.pages
    path = [part for part in passage.section_path if part != passage.title]
    return {
        "doc": passage.doc,
        "title": passage.title,
        "section": " › ".join(path),
        "pages": text("page", language, pages=", ".join(map(str, shown))) if shown else "",
    }


def excerpt(source: str, limit: int = 160) -> str:
    """The first characters of a text on one line."""
    line = " ".join(source.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def marked_parts(source: str, section: Span, passage: Span, strong: Sequence[Span]) -> list[dict[str, str]]:
    """The text around and inside ``passage`` cut into runs: context, passage, and the words that carry.

    The context never leaves ``section``.
    """
    start = max(passage.start - _CONTEXT_CHARS, section.start)
    end = min(passage.end + _CONTEXT_CHARS, section.end)
    borders = {start, end, passage.start, passage.end}
    for span in strong:
        borders |= {span.start, span.end}
    ordered = sorted(border for border in borders if start <= border <= end)
    parts: list[dict[str, str]] = []
    for left, right in pairwise(ordered):
        run = Span(left, right)
        if any(span.contains(run) for span in strong):
            layer = "strong"
        else:
            layer = "pale" if passage.contains(run) else "context"
        parts.append({"layer": layer, "text": run.of(source)})
    return parts


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


def search_step(result: SearchResult, language: str) -> str:
    """The retrieval in plain words, as Markdown."""
    lines = [f"- {_step_line(step, language)} · {step.latency_ms:.0f} ms" for step in result.trace]
    lines.append("")
    lines.append(text("step_kept", language, count=len(result.passages)))
    for passage in result.passages:
        where = " › ".join([passage.doc, *passage.section_path])
        lines.append(f"- {where}: {excerpt(passage.text, 60)}")
    return "\n".join(lines)


def _step_line(step: TraceStep, language: str) -> str:
    key, counts = f"step_{step.name.replace(' ', '_')}", dict(step.counts)
    if key not in TEXTS:
        return step.name
    if step.note and f"{key}_note" in TEXTS and not counts:
        # It came to nothing, and the note says why.
        return text(f"{key}_note", language, note=step.note)
    said = text(key, language, note=_step_note(step, language), **counts)
    return said + (text("step_in_documents", language, **counts) if "documents" in counts else "")


def _step_note(step: TraceStep, language: str) -> str:
    """The note in the user's words: some steps note a word of the program, with a probability."""
    word, _, probability = step.note.partition(" ")
    key = f"{step.name}_{word}"
    if key in TEXTS:
        return f"{text(key, language)} {probability}".strip()
    return render(step.note, language) if step.name == "rewrite" and step.note in MESSAGES else step.note


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


def upload_table(results: Sequence[FileResult], language: str) -> str:
    """What became of each uploaded file, as a Markdown table."""
    head = [text(f"column_{name}", language) for name in ("file", "outcome", "pages", "chunks")]
    rows = [head, ["---"] * len(head)]
    for result in results:
        outcome = word(result.outcome, language, same_as=result.same_as)
        details = [result.error.message(language)] if result.error else result.notice_texts(language)
        rows.append(
            [
                _cell(result.name),
                _cell(" ".join([f"**{outcome}**", *details])),
                str(result.pages or "-"),
                str(result.chunks or "-"),
            ]
        )
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _cell(value: str) -> str:
    return value.replace("|", "\\|").replace("\n", " ")
