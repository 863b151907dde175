"""A stored answer as plain data, in the form that other programs rely on."""

from __future__ import annotations

from core.answer import TraceStep
from core.verdict import CounterEvidence
from retrieval.records.bibliography import Entry, entries
from retrieval.records.opening import AnswerRecord
from retrieval.records.today import CitationState, Run, State
from retrieval.results import check_json, citation_json, passage_json, reason_json, usage_json

FORM = 1


def record_json(record: AnswerRecord) -> dict[str, object]:
    """The whole record; positions are code points of the text of the version named beside them."""
    answer = record.answer
    search = answer.search
    return {
        "form": FORM,
        "id": record.id,
        "created_at": record.created_at,
        "question": search.question,
        "searched": search.searched,
        "answer": answer.text,
        "answered": answer.answered,
        "complete": answer.complete,
        "method": answer.method,
        "model": answer.model,
        "prompt_version": answer.prompt_version,
        "route": search.route.value,
        "probability": search.probability,
        "latency_ms": answer.latency_ms,
        "notes": list(answer.notes),
        "usage": usage_json(answer.usage) if answer.usage else None,
        "citations": _citations(record),
        "checks": [check_json(check) for check in answer.checks],
        "counter": [_counter(counter) for counter in answer.counter if counter.version_id in record.versions],
        "passages": [
            passage_json(passage) | {"version_id": passage.version_id}
            for passage in search.passages
            if passage.version_id in record.versions
        ],
        "bibliography": [_entry(entry) for entry in entries(record)],
        "trace": [_step(step) for step in search.trace],
    }


def _citations(record: AnswerRecord) -> list[dict[str, object]]:
    answer = record.answer
    return [
        citation_json(citation, answer)
        | {
            "text": "" if state.state is State.UNAVAILABLE else citation.text,
            "sentence": citation.sentence,
            "version_id": answer.search.passages[citation.passage].version_id,
            "score": citation.score,
            "today": _state(state),
        }
        for citation, state in zip(answer.citations, record.states, strict=True)
    ]


def _counter(counter: CounterEvidence) -> dict[str, object]:
    return {
        "check": counter.check,
        "doc": counter.doc,
        "version_id": counter.version_id,
        "start": counter.span.start,
        "end": counter.span.end,
        "text": counter.text,
        "reason": reason_json(counter.reason),
    }


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "n": entry.n,
        "title": entry.title,
        "file": entry.file,
        "version": entry.version or None,
        "sha256": entry.sha256,
        "added_at": entry.added_at,
        "section_path": list(entry.section_path),
        "pages": list(entry.pages),
        "quotes": list(entry.quotes),
        "verdict": entry.verdict.value,
        "state": entry.state.value,
    }


def _state(state: CitationState) -> dict[str, object]:
    return {
        "state": state.state.value,
        "version": state.version or None,
        "start": state.span.start if state.span else None,
        "end": state.span.end if state.span else None,
        "pages": list(state.pages),
        "section_path": list(state.section_path),
        "old": _runs(state.old),
        "new": _runs(state.new),
    }


def _runs(runs: tuple[Run, ...]) -> list[dict[str, object]]:
    return [{"text": run.text, "changed": run.changed} for run in runs]


def _step(step: TraceStep) -> dict[str, object]:
    return {"step": step.name, "latency_ms": step.latency_ms, "note": step.note} | dict(step.counts)
