"""The verdict over one sentence and the passages it cites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.answer import Passage
from core.errors import EmbeddingError
from core.language import language_of
from core.span import Span
from core.verdict import Aspect, Reason, Verdict
from retrieval.evidence import Evidence
from retrieval.verify.alignment import Alignment, Source, align
from retrieval.verify.claims import is_claim
from retrieval.verify.glance import glance
from retrieval.verify.judge import Judge
from retrieval.verify.meaning import REWORDED, Meaning
from retrieval.verify.support import Support, Verified
from retrieval.verify.target import units
from retrieval.verify.translated import translated

# Shares of a sentence's content that a source must hold.
# Signs are shared by chance more often than words.
_SUPPORTED: Final = {"zh": 0.65, "en": 0.55}
_PARTLY: Final = {"zh": 0.45, "en": 0.4}
# Numbers alone carry nothing: so much of the other words must stand there.
_LEAST_PLAIN: Final = 0.25
# A paraphrase shares fewer words; below this even a like meaning is not trusted.
_REWORDED_FROM: Final = 0.3
# Passages that share less than this of a sentence's words are not looked at more closely.
_WORTH_A_LOOK: Final = 0.5
_MOST_LOOKS: Final = 4


class Verifier:
    """Holds sentences against evidence. Safe to share between threads.

    With ``meaning`` paraphrases and sentences in another language than their source are judged by what they
    mean as well; ``judge`` is asked about what is partly carried.
    """

    def __init__(self, meaning: Meaning | None = None, judge: Judge | None = None) -> None:
        self._meaning = meaning
        self._judge = judge

    def check(self, sentence: str, cited: Sequence[int], evidence: Evidence) -> Verified:
        """The verdict over ``sentence`` (without markers), which cites the passages ``cited`` (from 0).

        All cited passages together must carry it. Where they do not and another passage does, that one
        takes their place; a claim that cites nothing gets the passage that carries it.
        """
        cited = tuple(dict.fromkeys(cited))
        if not is_claim(sentence, cited=bool(cited)):
            supports = _together(sentence, cited, evidence).supports
            return Verified(verdict=Verdict.SUPPORTED, claim=False, supports=supports)
        found = _together(sentence, cited, evidence)
        if found.verdict is not Verdict.SUPPORTED:
            found = self._by_meaning(sentence, cited, evidence) or found
        if found.verdict is not Verdict.SUPPORTED and (other := _elsewhere(sentence, cited, evidence)):
            return Verified(verdict=other.verdict, supports=(other,), repaired=True)
        if not cited and not found.supports:
            return replace(found, reasons=(Reason(aspect=Aspect.UNCITED),))
        return self._judged(sentence, found) if found.verdict is Verdict.PARTLY else found

    def _by_meaning(self, sentence: str, cited: Sequence[int], evidence: Evidence) -> Verified | None:
        """The verdict where words cannot tell: over another language, and of a paraphrase; ``None``: none."""
        if self._meaning is None:
            return None
        language = language_of(sentence)
        foreign = [
            index
            for index in (cited or range(len(evidence.passages)))
            if language_of(evidence.passages[index].text) != language
        ]
        try:
            if not foreign:
                return self._reworded(sentence, cited, evidence) if len(cited) == 1 else None
            found = translated(sentence, foreign[:_MOST_LOOKS], evidence, self._meaning)
        except EmbeddingError:
            # The words alone decide then.
            return None
        if found is None:
            return None
        return Verified(verdict=found.verdict, reasons=found.reasons, supports=(found,), repaired=not cited)

    def _reworded(self, sentence: str, cited: Sequence[int], evidence: Evidence) -> Verified | None:
        """One step up for a paraphrase that contradicts nothing."""
        found = alone(sentence, cited[0], evidence)
        of_words = {reason.aspect for reason in found.reasons} == {Aspect.WORDS}
        if self._meaning is None or not of_words or found.score < _REWORDED_FROM:
            return None
        text = evidence.texts[evidence.passages[cited[0]].version_id]
        own = [found.span, *(unit.span for unit in units(text, found.span))]
        near = self._meaning.nearest(sentence, [span.of(text) for span in own])
        if near is None or near.cosine < REWORDED:
            return None
        verdict = Verdict.SUPPORTED if found.verdict is Verdict.PARTLY else Verdict.PARTLY
        reasons = () if verdict is Verdict.SUPPORTED else found.reasons
        made = replace(found, verdict=verdict, reasons=reasons)
        return Verified(verdict=verdict, reasons=reasons, supports=(made,))

    def _judged(self, sentence: str, found: Verified) -> Verified:
        """The chat model's opinion in place of ``partly``, where one is asked for and given."""
        if self._judge is None or not found.source:
            return found
        opinion = self._judge.opinion(sentence, found.source)
        if opinion is None or opinion.verdict is Verdict.PARTLY:
            return found
        reasons = (Reason(aspect=Aspect.JUDGE, said=opinion.why), *found.reasons)
        supports = tuple(replace(s, verdict=opinion.verdict, reasons=reasons) for s in found.supports)
        return replace(found, verdict=opinion.verdict, reasons=reasons, supports=supports)


def verify(sentence: str, text: str, passage: Span, *, headings: str = "", index: int = 0) -> Support:
    """What ``text`` at ``passage`` says of ``sentence``; ``headings`` are the passage's title and section path."""
    found = align(sentence, [Source(text=text, passage=passage, headings=headings)])
    verdict, reasons = judged(found)
    return Support(
        passage=index,
        span=found.spans[0] or passage,
        verdict=verdict,
        strong=found.strong[0],
        reasons=reasons,
        score=found.coverage,
    )


def judged(found: Alignment) -> tuple[Verdict, tuple[Reason, ...]]:
    """The verdict that follows from an alignment, and why it is not ``supported``."""
    script = "zh" if found.is_han else "en"
    if found.coverage < _PARTLY[script] or found.plain_coverage < _LEAST_PLAIN:
        return Verdict.UNSUPPORTED, (Reason(aspect=Aspect.WORDS),)
    certain = tuple(d.reason for d in found.differences if d.certain)
    if certain:
        return Verdict.UNSUPPORTED, certain
    reasons = tuple(d.reason for d in found.differences)
    if found.coverage < _SUPPORTED[script]:
        return Verdict.PARTLY, (Reason(aspect=Aspect.WORDS), *reasons)
    return (Verdict.PARTLY, reasons) if reasons else (Verdict.SUPPORTED, ())


def alone(sentence: str, index: int, evidence: Evidence) -> Support:
    """What the passage ``index`` of the evidence says of ``sentence``."""
    passage = evidence.passages[index]
    text = evidence.texts[passage.version_id]
    return verify(sentence, text, passage.span, headings=headings_of(passage), index=index)


def headings_of(passage: Passage) -> str:
    """The file name, the title and the section path of a passage, a line each."""
    return "\n".join((passage.doc, passage.title, *passage.section_path))


def _together(sentence: str, cited: Sequence[int], evidence: Evidence) -> Verified:
    """The joint verdict, its reasons, and what each cited passage adds to it."""
    if not cited:
        return Verified(verdict=Verdict.UNSUPPORTED)
    passages = [evidence.passages[index] for index in cited]
    texts = [evidence.texts[passage.version_id] for passage in passages]
    sources = [
        Source(text=text, passage=passage.span, headings=headings_of(passage))
        for text, passage in zip(texts, passages, strict=True)
    ]
    found = align(sentence, sources)
    verdict, reasons = judged(found)
    supports = []
    for place, (index, span) in enumerate(zip(cited, found.spans, strict=True)):
        if span is None and len(cited) > 1:
            # Adds nothing to the others: it may carry the sentence all the same.
            supports.append(alone(sentence, index, evidence))
            continue
        supports.append(
            Support(
                passage=index,
                span=span or passages[place].span,
                verdict=verdict,
                strong=found.strong[place],
                reasons=reasons,
                score=found.coverage,
            )
        )
    source = "\n".join(span.of(text) for span, text in zip(found.spans, texts, strict=True) if span)
    return Verified(verdict=verdict, reasons=reasons, supports=tuple(supports), source=source)


def _elsewhere(sentence: str, cited: Sequence[int], evidence: Evidence) -> Support | None:
    """What another passage that carries the sentence says of it."""
    shares = [
        (-glance(sentence, passage.text), index)
        for index, passage in enumerate(evidence.passages)
        if index not in cited
    ]
    for share, index in sorted(shares)[:_MOST_LOOKS]:
        if -share < _WORTH_A_LOOK:
            break
        found = alone(sentence, index, evidence)
        if found.verdict is Verdict.SUPPORTED:
            return found
    return None
