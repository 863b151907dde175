"""What the chat shows of an answer's checks: how many statements are carried, which are not, what speaks against."""

from __future__ import annotations

from app.texts import text
from core.answer import Answer
from core.reason_text import reason_text
from core.verdict import CounterEvidence, SentenceCheck, Verdict
from retrieval.records.texts import word

# A refusal and the source's own words are no statements of anybody's.
_VERBATIM = "extractive"


def checks_shown(answer: Answer, language: str) -> dict[str, object]:
    """The sum, the statements that are not carried with their reasons, and counter-evidence; parts may be empty."""
    claims = [check for check in answer.checks if check.claim]
    doubtful = [check for check in claims if check.verdict is not Verdict.SUPPORTED]
    shown = answer.answered and bool(claims) and (answer.method != _VERBATIM or bool(doubtful))
    key = "some_supported" if doubtful else "all_supported"
    counts = {"count": len(claims), "good": len(claims) - len(doubtful)}
    return {
        "title": word("checks", language),
        "sum": word(key, language, **counts) if shown else "",
        "doubts": [_doubt(check, answer, language) for check in doubtful] if shown else [],
        "counterTitle": word("counter", language),
        "counter": [_counter(one, answer, language) for one in answer.counter],
    }


def _doubt(check: SentenceCheck, answer: Answer, language: str) -> dict[str, object]:
    """``passage`` is -1 where there is none to open."""
    return {
        "sentence": " ".join(check.sentence.split()),
        "verdict": check.verdict.value,
        "verdictText": text(check.verdict.value, language),
        "reasons": [reason_text(reason, language) for reason in check.reasons],
        "passage": answer.citations[check.citations[0]].passage if check.citations else -1,
    }


def _counter(counter: CounterEvidence, answer: Answer, language: str) -> dict[str, object]:
    return {
        "sentence": " ".join(answer.checks[counter.check].sentence.split()),
        "doc": counter.doc,
        "quote": " ".join(counter.text.split()),
        "reason": reason_text(counter.reason, language),
        "passage": counter.passage,
    }
