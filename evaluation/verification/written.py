"""Sentences of the gold sets' written answers that one passage truly carries, chosen by their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from core.language import language_of
from core.span import Span
from core.verdict import Verdict
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.verification.case import Claim
from evaluation.verification.claims import (
    LONGEST,
    GoldTexts,
    claim_of,
    cleaned,
    is_claim,
    key_of,
    place_of,
)  # fmt: skip
from evaluation.verification.judgements import judgement
from ingest.indexes.analyzer import analyze
from ingest.sentences import sentences

# Share of the sentence's words that must stand in the evidence itself. Below it, a sample was often wrong.
_LEAST: Final = 0.92
_GREETING = re.compile(r"^(?:您好|你好)[，,。]?\s*")
_NEGATIONS = re.compile(r"不|未|无|無|没|沒|非|\bnot\b|n't\b|\bno\b|\bnever\b|\bwithout\b")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


def written_claims(gold: GoldTexts) -> Iterator[Claim]:
    """Answer sentences whose words, numbers and negations the evidence has; no two the same."""
    for case, sentence in _answer_sentences(gold):
        for piece, place in _places(gold, case):
            if carries(place.of(gold.texts[piece.doc]), sentence):
                if (claim := _claim(gold, piece, place, sentence)) is not None:
                    yield claim
                break


def judged_claims(gold: GoldTexts) -> Iterator[tuple[Claim, Verdict]]:
    """Answer sentences judged by reading, with the piece of the evidence that has most of their words."""
    for case, sentence in _answer_sentences(gold):
        wanted = set(analyze(sentence))
        places = list(_places(gold, case))
        if not wanted or not places:
            continue
        piece, place = max(places, key=lambda at: len(wanted & set(analyze(at[1].of(gold.texts[at[0].doc])))))
        if (verdict := judgement(key_of(gold.part, piece.doc, sentence, "answer"))) is None:
            continue
        if (claim := _claim(gold, piece, place, sentence)) is not None:
            yield claim, verdict


def _answer_sentences(gold: GoldTexts) -> Iterator[tuple[GoldCase, str]]:
    seen: set[str] = set()
    for case in gold.cases:
        for unit in sentences(case.answer) if isinstance(case.answer, str) else ():
            sentence = cleaned(_GREETING.sub("", unit.of(str(case.answer))))
            if sentence not in seen and is_claim(sentence, language_of(sentence)):
                seen.add(sentence)
                yield case, sentence


def _places(gold: GoldTexts, case: GoldCase) -> Iterator[tuple[EvidencePiece, Span]]:
    """The pieces of the evidence that fit into a passage, with their places."""
    for piece in case.evidence:
        place = place_of(piece, gold.texts)
        if place is not None and len(place) <= LONGEST:
            yield piece, place


def _claim(gold: GoldTexts, piece: EvidencePiece, place: Span, sentence: str) -> Claim | None:
    """The sentence with a passage around the evidence; nothing when it stands in the document as it is."""
    text = gold.texts[piece.doc]
    units = sentences(text)
    inside = [at for at, unit in enumerate(units) if unit.overlaps(place)]
    if sentence in text or units[inside[-1]].end - units[inside[0]].start > LONGEST:
        return None
    core = (inside[0], inside[-1])
    return claim_of(gold.part, piece.doc, text, units, core, sentence, language_of(sentence), "answer")


def carries(evidence: str, sentence: str) -> bool:
    """Whether nearly all words, every number and as many negations of ``sentence`` stand in ``evidence``."""
    words = set(analyze(sentence))
    if not words or len(words & set(analyze(evidence))) < _LEAST * len(words):
        return False
    numbers = set(_DIGITS.findall(sentence))
    if not numbers <= set(_DIGITS.findall(evidence)):
        return False
    said, stood = (_NEGATIONS.findall(one) for one in (sentence, evidence))
    return bool(said) == bool(stood)
