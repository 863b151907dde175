"""What the search did, in plain words as Markdown: one line, a line for each step, or with what each step saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from app.answers.cards import excerpt
from app.texts import TEXTS, text
from core.answer import SearchResult, TraceStep
from core.messages import MESSAGES, render
from core.store import Store

# Candidates of a step that are told one by one.
_TOLD: Final = 5


def search_step(
    result: SearchResult, language: str, depth: str = "normal", places: Mapping[str, str] | None = None
) -> str:
    """The retrieval as "brief", "normal" or "full"; ``places`` says where each chunk stands, for the last."""
    if depth == "brief":
        documents = len({passage.document_id for passage in result.passages})
        counts = {"count": len(result.passages), "documents": documents}
        return text("trace_brief", language, **counts, seconds=result.latency_ms / 1000)
    lines: list[str] = []
    for step in result.trace:
        lines.append(f"- {_step_line(step, language)} · {step.latency_ms:.0f} ms")
        if depth == "full":
            lines += _details(step, language, places or {})
    lines += ["", text("step_kept", language, count=len(result.passages))]
    for passage in result.passages:
        where = " › ".join([passage.doc, *passage.section_path])
        lines.append(f"- {where}: {excerpt(passage.text, 60)}")
    return "\n".join(lines)


def places_told(result: SearchResult, store: Store) -> dict[str, str]:
    """Document and section of every chunk that "full" tells of, by id. Raises ``StoreError``."""
    told = [hit.chunk_id for step in result.trace for hit in step.hits[:_TOLD]]
    with store.read() as reader:
        chunks = reader.chunks(told)
        documents = {chunk.document_id: "" for chunk in chunks.values()}
        for document_id in documents:
            row = reader.find(document_id)
            documents[document_id] = row.name if row else ""
    return {
        key: " › ".join([documents[chunk.document_id], *chunk.section_path]) for key, chunk in chunks.items()
    }


def _details(step: TraceStep, language: str, places: Mapping[str, str]) -> Iterator[str]:
    """The best candidates with their scores, and how many were left out for which reason."""
    for hit in step.hits[:_TOLD]:
        yield f"    - {hit.rank}. {excerpt(places.get(hit.chunk_id, hit.chunk_id), 90)} · {hit.score:.3f}"
    if len(step.hits) > _TOLD:
        yield f"    - {text('trace_more', language, count=len(step.hits) - _TOLD)}"
    for reason, count in sorted(Counter(reason for _, reason in step.dropped).items()):
        key = f"trace_{reason}"
        said = text(key, language) if key in TEXTS else reason
        yield f"    - {text('trace_dropped', language, count=count, reason=said)}"


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
