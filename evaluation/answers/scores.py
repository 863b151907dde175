"""The figures of one answer to one gold question: pure functions of the cited words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from core.span import Span
from core.verdict import Verdict
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place
from evaluation.rouge import rouge_l
from retrieval.content_words import WordsHeld, content_words

Scores = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The words behind one citation, where they stand, and on which pages."""

    place: Place
    text: str
    pages: tuple[int, ...] = ()


def normalised(text: str) -> str:
    """Letters and digits alone, in NFKC and without case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def wanted_parts(case: GoldCase) -> list[list[str]]:
    """What an answer must say, each part in its alternatives, normalised.

    A list beside a single piece of evidence holds what several people marked there: alternatives. Any other
    list holds parts, and a list in it alternatives.
    """
    if isinstance(case.answer, str):
        parts: list[list[str]] = [[case.answer]]
    elif case.evidence_mode == "all" and len(case.evidence) == 1:
        parts = [[text for one in case.answer for text in _texts(one)]]
    else:
        parts = [_texts(one) for one in case.answer]
    found = [[plain for text in texts if (plain := normalised(text))] for texts in parts]
    return [texts for texts in found if texts]


def is_verbatim(case: GoldCase) -> bool:
    """Whether the gold answer stands in the gold evidence; else somebody wrote it in words of their own."""
    evidence = [normalised(text) for piece in case.evidence for text in _texts_of(piece)]
    parts = wanted_parts(case)
    return bool(parts) and all(_is_held(texts, evidence) for texts in parts)


def answer_held(case: GoldCase, texts: Sequence[str]) -> float:
    """1 when every part of the answer stands whole in one of ``texts``, else 0."""
    plain = [normalised(text) for text in texts]
    return float(all(_is_held(part, plain) for part in wanted_parts(case)))


def key_points(case: GoldCase, texts: Sequence[str]) -> float | None:
    """Share (0..1) of the answer's parts that stand whole in one of ``texts``; ``None`` where it has none.

    Source: 000, 9.6 (coverage of key points)."""
    plain, parts = [normalised(text) for text in texts], wanted_parts(case)
    return fmean(_is_held(part, plain) for part in parts) if parts else None


def unsupported_share(verdicts: Sequence[Verdict]) -> float | None:
    """Share (0..1) of an answer's sentences that their sources do not carry; ``None`` without sentences.

    Source: 000, 9.6 (hallucination rate), with the verifier in the place of a judge."""
    return fmean(verdict is Verdict.UNSUPPORTED for verdict in verdicts) if verdicts else None


def words_held(answer: str, texts: Sequence[str]) -> float:
    """Share (0..1) of the answer's distinct content words that ``texts`` hold together."""
    words = content_words(answer)
    return WordsHeld(*texts).coverage(words, dict.fromkeys(words, 1.0)) if words and texts else 0.0


def citation_precision(case: GoldCase, cited: Sequence[Cited], *, least: float = 0.0) -> float | None:
    """Share (0..1) of the citations that hold more than the share ``least`` of a piece of evidence; ``None``
    without citations.

    Source: Gao et al., "Enabling Large Language Models to Generate Text with Citations" (ALCE), 2023, with
    gold evidence in place of an entailment model.
    """
    if not cited:
        return None
    return fmean(any(_share(one, p, case.evidence_mode) > least for p in case.evidence) for one in cited)


def citation_recall(case: GoldCase, cited: Sequence[Cited]) -> float:
    """Share (0..1) of the evidence that a citation touches; in mode "any" one piece of each group is enough.

    Source: as ``citation_precision``. Raises ``ValueError`` for a case without evidence.
    """
    if not case.evidence:
        raise ValueError(f"case {case.id} has no evidence")
    groups: dict[object, list[EvidencePiece]] = {}
    for at, piece in enumerate(case.evidence):
        groups.setdefault(piece.group if case.evidence_mode == "any" else at, []).append(piece)
    touched = [
        any(_share(one, piece, case.evidence_mode) > 0 for piece in pieces for one in cited)
        for pieces in groups.values()
    ]
    return fmean(touched)


def page_accuracy(case: GoldCase, cited: Sequence[Cited]) -> float | None:
    """1 when the first citation stands on a page of the evidence, else 0; ``None`` where no page is known."""
    pages = {(piece.doc, piece.page) for piece in case.evidence if piece.page is not None}
    if not pages:
        return None
    return float(bool(cited) and any((cited[0].place.doc, page) in pages for page in cited[0].pages))


def scores_of(case: GoldCase, cited: Sequence[Cited], verdicts: Sequence[Verdict] = ()) -> Scores:
    """The figures that the case allows: ``answer`` and ``points`` for words of the source, ``words`` and ``rouge``
    for others; ``precision``, ``held`` (the same for at least half of a piece), ``recall``, ``page``; ``chars``
    cited; ``unsupported``, of the ``verdicts`` over the answer's sentences."""
    texts = [one.text for one in cited]
    found: dict[str, float | None] = {}
    if is_verbatim(case):
        found["answer"], found["points"] = answer_held(case, texts), key_points(case, texts)
    elif wanted_parts(case):
        written = _written(case)
        found["words"], found["rouge"] = words_held(written, texts), rouge_l(written, "\n".join(texts))
    found["precision"] = citation_precision(case, cited)
    found["held"] = citation_precision(case, cited, least=0.5 - 1e-9)
    found["recall"] = citation_recall(case, cited)
    found["page"] = page_accuracy(case, cited)
    found["chars"] = float(sum(map(len, texts))) if texts else None
    found["unsupported"] = unsupported_share(verdicts)
    return {name: value for name, value in found.items() if value is not None}


def _share(cited: Cited, piece: EvidencePiece, mode: str) -> float:
    """Of the piece: how much is cited; a page or a document of which nothing more is known is cited or not."""
    if piece.doc != cited.place.doc:
        return 0.0
    if mode == "documents" or (piece.start is None and piece.page is None):
        return 1.0
    if piece.start is None or piece.end is None:
        return float(piece.page in cited.pages)
    common = cited.place.span.intersection(Span(piece.start, piece.end))
    return len(common) / (piece.end - piece.start) if common else 0.0


def _is_held(alternatives: Sequence[str], texts: Sequence[str]) -> bool:
    return any(one in text for one in alternatives for text in texts)


def _written(case: GoldCase) -> str:
    return case.answer if isinstance(case.answer, str) else "\n".join(_texts(one)[0] for one in case.answer)


def _texts(part: str | list[str]) -> list[str]:
    return [part] if isinstance(part, str) else part


def _texts_of(piece: EvidencePiece) -> list[str]:
    return [piece.text] if isinstance(piece.text, str) else piece.text
