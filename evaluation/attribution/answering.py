"""What an answer made of the evidence it was given: left out, cited elsewhere, or answered without any."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Final

from core.answer import Answer
from evaluation.attribution.loss import Loss, Stage, Stored, wanted
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place

# A longer answer of the gold is somebody's own wording, which no other answer repeats.
_VERBATIM_CHARS: Final = 40


def answer_losses(case: GoldCase, answer: Answer, stored: Stored) -> Iterator[Loss]:
    """For a case whose evidence was given. "answer": it says too little or, without evidence, anything at
    all; "citation": it says what is wanted, with other words of the documents behind it."""
    if not case.evidence:
        if answer.answered:
            reason = f"answered ({answer.search.route.value}), though the documents do not tell"
            yield Loss(case=case, stage=Stage.ANSWER, reason=reason)
        return
    missing = [
        group[0] for group in wanted(case) if not any(is_cited(stored.place(p), answer) for p in group)
    ]
    for piece in missing:
        place = stored.place(piece)
        words = place.span.of(stored.texts[place.doc])
        stage, reason = _blamed(case, piece, words, answer)
        yield Loss(case=case, stage=stage, reason=reason, doc=piece.doc, evidence=words)
    beside = [place for place in cited_places(answer) if not _is_evidence(place, case, stored)]
    if beside and not missing:
        words = beside[0].span.of(stored.texts[beside[0].doc])
        reason = f"{len(beside)} of {len(answer.citations)} citations point elsewhere"
        yield Loss(case=case, stage=Stage.CITATION, reason=reason, doc=beside[0].doc, evidence=words)


def cited_places(answer: Answer) -> list[Place]:
    """Where the citations point, in order."""
    return [Place(answer.search.passages[c.passage].doc, c.span) for c in answer.citations]


def is_cited(place: Place, answer: Answer) -> bool:
    """Whether a citation shares characters with the place."""
    return any(_touch(place, cited) for cited in cited_places(answer))


def citation_precision(case: GoldCase, answer: Answer, stored: Stored) -> float:
    """Share (0..1) of the citations that touch the evidence; 0 for an answer without any.

    Source: Gao et al., "Enabling Large Language Models to Generate Text with Citations" (ALCE), 2023, with
    the gold evidence in place of an entailment model.
    """
    cited = cited_places(answer)
    return sum(_is_evidence(place, case, stored) for place in cited) / len(cited) if cited else 0.0


def citation_recall(case: GoldCase, answer: Answer, stored: Stored) -> float:
    """Share (0..1) of what is wanted that a citation touches. Source: as ``citation_precision``."""
    groups = wanted(case)
    return sum(any(is_cited(stored.place(piece), answer) for piece in group) for group in groups) / len(
        groups
    )


def _is_evidence(place: Place, case: GoldCase, stored: Stored) -> bool:
    return any(_touch(place, stored.place(piece)) for piece in case.evidence)


def _touch(one: Place, other: Place) -> bool:
    return one.doc == other.doc and one.span.overlaps(other.span)


def _blamed(case: GoldCase, piece: EvidencePiece, words: str, answer: Answer) -> tuple[Stage, str]:
    if not answer.answered:
        return Stage.ANSWER, f"refused ({answer.search.route.value}), though the evidence was given"
    said = _plain(answer.text)
    short = [part for part in _parts(case.answer) if len(part) <= _VERBATIM_CHARS]
    if _plain(words) in said or any(plain and plain in said for plain in map(_plain, short)):
        return Stage.CITATION, "says it, and cites other words"
    return Stage.ANSWER, "leaves it out"


def _parts(answer: str | list[str | list[str]]) -> list[str]:
    if isinstance(answer, str):
        return [answer]
    return [text for part in answer for text in ([part] if isinstance(part, str) else part)]


def _plain(text: str) -> str:
    """Without case, width, punctuation and white space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())
