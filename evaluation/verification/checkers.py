"""What can be measured: our verifier and the rule before it, behind one function each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from core.verdict import Verdict
from evaluation.verification.baseline import words_and_numbers
from evaluation.verification.case import Case, Json

# The verdict over a case, given the text of its document, and what it differs in.
Check = Callable[[Case, str], tuple[Verdict, tuple[str, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a checker said of a case, why, and how long it took."""

    case: Case
    verdict: Verdict
    reasons: tuple[str, ...]
    ms: float

    def as_json(self, system: str) -> Json:
        return {
            "system": system,
            "verdict": self.verdict,
            "reasons": self.reasons,
            "ms": round(self.ms, 3),
            **self.case.as_json(),
        }


def judge(check: Check, cases: Sequence[Case], texts: Mapping[str, str]) -> list[Judged]:
    """All cases, in order. The first one is checked once more: loading what the checker needs is not timed."""
    for case in cases[:1]:
        check(case, texts[case.source])
    judged: list[Judged] = []
    for case in cases:
        begun = perf_counter()
        verdict, reasons = check(case, texts[case.source])
        ms = (perf_counter() - begun) * 1000
        judged.append(Judged(case=case, verdict=verdict, reasons=reasons, ms=ms))
    return judged


def _before(case: Case, text: str) -> tuple[Verdict, tuple[str, ...]]:
    return words_and_numbers(case.sentence, text, case.passage), ()


def _ours(case: Case, text: str) -> tuple[Verdict, tuple[str, ...]]:
    # Imported here: building cases needs no verifier.
    from retrieval.verify.verifier import verify

    found = verify(case.sentence, text, case.passage, headings=title_of(case.doc))
    return found.verdict, tuple(f"{one.aspect}: {one.said} / {one.found}" for one in found.reasons)


def title_of(doc: str) -> str:
    """The document's title as far as its file name has it: what a reader sees above a passage."""
    return re.sub(r"_+", " ", doc.rpartition(".")[0])


CHECKERS: Final[Mapping[str, Check]] = {"words-and-numbers": _before, "verify": _ours}
