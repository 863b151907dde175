"""What the chat shows of an answer's checks: how many statements are carried, which are not, what speaks against."""

from __future__ import annotations

from collections.abc import Iterator

from app.panel.markup import plain
from app.texts import text
from core.answer import Answer
from core.reason_text import reason_text
from core.verdict import CounterEvidence, SentenceCheck, Verdict
from retrieval.records.texts import word

# A refusal and the source's own words are no statements of anybody's.
_VERBATIM = "extractive"


def checks_shown(answer: Answer, language: str) -> dict[str, object]:
    """The sum, the statements that are not carried with their reasons, and counter-evidence; parts may be empty.

    ``marks`` are the sentences to be marked in the text itself, in its order.
    """
    claims = [check for check in answer.checks if check.claim]
    doubtful = [check for check in claims if check.verdict is not Verdict.SUPPORTED]
    shown = answer.answered and bool(claims) and (answer.method != _VERBATIM or bool(doubtful))
    key = "some_supported" if doubtful else "all_supported"
    counts = {"count": len(claims), "good": len(claims) - len(doubtful)}
    return {
        "title": word("checks", language),
        "sum": word(key, language, **counts) if shown else "",
        "doubts": [_doubt(check, answer, language) for check in doubtful] if shown else [],
        "marks": list(_marks(answer, language)) if shown else [],
        "counterTitle": word("counter", language),
        "counter": [_counter(one, answer, language) for one in answer.counter],
    }


def _doubt(check: SentenceCheck, answer: Answer, language: str) -> dict[str, object]:
    """``passage`` is -1 where there is none to open."""
    return {
        "sentence": said(check.sentence),
        "verdict": check.verdict.value,
        "verdictText": text(check.verdict.value, language),
        "reasons": [reason_text(reason, language) for reason in check.reasons],
        "passage": _passage(check, answer),
    }


def _marks(answer: Answer, language: str) -> Iterator[dict[str, object]]:
    """``line`` is the place among the doubts; -1 with an empty verdict for one whose citation was mended only."""
    line = -1
    for check in answer.checks:
        is_doubtful = check.claim and check.verdict is not Verdict.SUPPORTED
        line += is_doubtful
        if not is_doubtful and not check.repaired:
            continue
        yield {
            "sentence": check.sentence,
            "verdict": check.verdict.value if is_doubtful else "",
            "label": text(check.verdict.value, language) if is_doubtful else "",
            "repaired": text("mark_repaired", language) if check.repaired else "",
            "line": line if is_doubtful else -1,
            "passage": _passage(check, answer),
        }


def said(words: str) -> str:
    """Words with Markdown's marks in them, as one line without any."""
    return " ".join(plain(words, "text/markdown").split())


def _passage(check: SentenceCheck, answer: Answer) -> int:
    return answer.citations[check.citations[0]].passage if check.citations else -1


def _counter(counter: CounterEvidence, answer: Answer, language: str) -> dict[str, object]:
    return {
        "sentence": said(answer.checks[counter.check].sentence),
        "doc": counter.doc,
        "quote": said(counter.text),
        "reason": reason_text(counter.reason, language),
        "passage": counter.passage,
    }
