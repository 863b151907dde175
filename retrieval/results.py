"""Results as plain data, in the form that other programs rely on."""

from __future__ import annotations

from dataclasses import asdict

from core.answer import Answer, Citation, Passage, SearchResult, Usage
from core.verdict import CounterEvidence, Reason, SentenceCheck


def passage_json(passage: Passage) -> dict[str, object]:
    """``doc`` is the path relative to the ingested folder; offsets are code points of its text."""
    return {
        "doc": passage.doc,
        "start": passage.span.start,
        "end": passage.span.end,
        "text": passage.text,
        "pages": list(passage.pages),
        "section_path": list(passage.section_path),
        "score": round(passage.score, 6),
    }


def search_json(result: SearchResult) -> dict[str, object]:
    """The whole result of a search, with its trace."""
    return {
        "question": result.question,
        "searched": result.searched,
        "route": result.route.value,
        "probability": None if result.probability is None else round(result.probability, 4),
        "passages": [passage_json(passage) for passage in result.passages],
        "trace": [
            {
                "step": step.name,
                "latency_ms": round(step.latency_ms, 2),
                **dict(step.counts),
                "note": step.note,
                "hits": [
                    {"chunk": hit.chunk_id, "rank": hit.rank, "score": round(hit.score, 6)}
                    for hit in step.hits
                ],
                "dropped": dict(step.dropped),
            }
            for step in result.trace
        ],
        "latency_ms": round(result.latency_ms, 2),
    }


def citation_json(citation: Citation, answer: Answer) -> dict[str, object]:
    return {
        "n": citation.n,
        "doc": answer.search.passages[citation.passage].doc,
        "start": citation.span.start,
        "end": citation.span.end,
        "text": citation.text,
        "pages": list(citation.pages),
        "verdict": citation.verdict.value,
        "score": round(citation.score, 4),
        "strong": [[span.start, span.end] for span in citation.strong],
        "reasons": [reason_json(reason) for reason in citation.reasons],
    }


def reason_json(reason: Reason) -> dict[str, object]:
    return {"aspect": reason.aspect.value, "said": reason.said, "found": reason.found}


def check_json(check: SentenceCheck) -> dict[str, object]:
    """``start`` and ``end`` are over the answer's text; ``citations`` index the answer's."""
    return {
        "start": check.span.start,
        "end": check.span.end,
        "sentence": check.sentence,
        "claim": check.claim,
        "verdict": check.verdict.value,
        "repaired": check.repaired,
        "reasons": [reason_json(reason) for reason in check.reasons],
        "citations": list(check.citations),
    }


def counter_json(counter: CounterEvidence) -> dict[str, object]:
    """``check`` indexes the answer's checks, ``passage`` its passages (-1: a version that was not searched)."""
    return {
        "check": counter.check,
        "passage": counter.passage,
        "doc": counter.doc,
        "start": counter.span.start,
        "end": counter.span.end,
        "text": counter.text,
        "reason": reason_json(counter.reason),
    }


def answer_json(answer: Answer) -> dict[str, object]:
    """The whole answer with the evidence behind it; ``answer_id`` is that of its stored record."""
    return {
        "answer_id": answer.id or None,
        "question": answer.search.question,
        "answer": answer.text,
        "answered": answer.answered,
        "complete": answer.complete,
        "route": answer.search.route.value,
        "method": answer.method,
        "notes": list(answer.notes),
        "citations": [citation_json(citation, answer) for citation in answer.citations],
        "checks": [check_json(check) for check in answer.checks],
        "counter": [counter_json(counter) for counter in answer.counter],
        "passages": [passage_json(passage) for passage in answer.search.passages],
        "left_out": answer.left_out,
        "read": asdict(answer.read) | {"percent": answer.read.percent} if answer.read else None,
        "usage": usage_json(answer.usage) if answer.usage else None,
        "latency_ms": round(answer.latency_ms, 2),
    }


def usage_json(usage: Usage) -> dict[str, object]:
    """Tokens and calls of the chat model; ``price`` and ``currency`` are null where no price is known."""
    known = usage.price is not None
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "calls": usage.calls,
        "estimated": usage.estimated,
        "price": round(usage.price, 8) if usage.price is not None else None,
        "currency": usage.currency if known else None,
    }
