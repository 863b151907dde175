"""What speaks against an answer: a passage that was found and not cited, or another version, states something else.

False alarms cost more than misses here. So a source sentence counts only where all words of the answer's
sentence but the one that differs stand in it, and where it speaks of the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.answer import Citation, Passage
from core.span import Span
from core.verdict import Aspect, CounterEvidence, Reason, SentenceCheck, Verdict
from ingest.sentences import sentences
from retrieval.evidence import Evidence
from retrieval.verify.alignment import Source, align
from retrieval.verify.glance import glance
from retrieval.verify.names import Name
from retrieval.verify.target import features
from retrieval.verify.tokens import line
from retrieval.verify.verifier import headings_of

# What may differ: another word is another subject.
_STATED: Final = frozenset((Aspect.NUMBER, Aspect.UNIT, Aspect.DATE, Aspect.NEGATION, Aspect.CONDITION))
_AGREES: Final = 0.9
_AGREES_BACK: Final = 0.75
_LEAST_WORDS: Final = 4
# The numbers of articles and chapters tell places apart, not facts.
_PART = re.compile(r"第|(?:article|section|chapter|part|page)\b", re.IGNORECASE)
_WORTH_A_LOOK: Final = 0.8
_EDITION = re.compile(
    r"修订|修正|新版|旧版|试行|草案|终稿|版|\b(?:v\d[\d.]*|edition|revised|draft|final)\b", re.IGNORECASE
)
_SHORTEST: Final = 6
_MOST: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherVersion:
    """An earlier or later version of a cited document."""

    of_version: str
    version_id: str
    doc: str
    text: str


def counter_evidence(
    checks: Sequence[SentenceCheck],
    citations: Sequence[Citation],
    evidence: Evidence,
    versions: Sequence[OtherVersion] = (),
) -> tuple[CounterEvidence, ...]:
    """What passages and other versions state against the sentences that are supported, in the answer's order."""
    found: list[CounterEvidence] = []
    for index, check in enumerate(checks):
        if not check.claim or check.verdict is Verdict.UNSUPPORTED:
            continue
        cited = [citations[place] for place in check.citations]
        for sentence in _parts(check.sentence):
            found += _in_passages(index, sentence, cited, evidence)
            found += _in_versions(index, sentence, cited, evidence, versions)
    distinct = {(counter.version_id, counter.span): counter for counter in reversed(found)}
    return tuple(sorted(distinct.values(), key=lambda c: (c.check, c.passage, c.span)))[:_MOST]


def _parts(sentence: str) -> list[str]:
    """The sentences of a check: what is quoted may hold several."""
    return [part for span in sentences(sentence) if len(part := span.of(sentence)) >= _SHORTEST]


def _in_passages(
    check: int, sentence: str, cited: Sequence[Citation], evidence: Evidence
) -> Iterator[CounterEvidence]:
    own = {citation.passage for citation in cited}
    for index, passage in enumerate(evidence.passages):
        if index in own or glance(sentence, passage.text) < _WORTH_A_LOOK:
            continue
        against = _against(sentence, evidence.texts[passage.version_id], passage.span, headings_of(passage))
        if against is None or not _one_subject(
            sentence, against, passage, [evidence.passages[n] for n in own]
        ):
            continue
        span, text, reason = against
        yield CounterEvidence(
            check=check,
            passage=index,
            version_id=passage.version_id,
            doc=passage.doc,
            span=span,
            text=text,
            reason=reason,
        )


def _in_versions(
    check: int,
    sentence: str,
    cited: Sequence[Citation],
    evidence: Evidence,
    versions: Sequence[OtherVersion],
) -> Iterator[CounterEvidence]:
    own = {evidence.passages[citation.passage].version_id: citation for citation in cited}
    for version in versions:
        citation = own.get(version.of_version)
        if citation is None or citation.text in version.text:
            continue
        for span in _worth_a_look(sentence, version.text):
            against = _against(sentence, version.text, span, version.doc)
            if against is not None:
                yield CounterEvidence(
                    check=check,
                    passage=-1,
                    version_id=version.version_id,
                    doc=version.doc,
                    span=against[0],
                    text=against[1],
                    reason=against[2],
                )
                break


def _worth_a_look(sentence: str, text: str) -> list[Span]:
    """The sentences of a whole text that hold most of the words, best first."""
    scored = [(glance(sentence, span.of(text)), span) for span in sentences(text)]
    best = [(share, span) for share, span in scored if share >= _WORTH_A_LOOK]
    return [span for _, span in sorted(best, key=lambda pair: (-pair[0], pair[1]))[:3]]


def _against(sentence: str, text: str, passage: Span, headings: str) -> tuple[Span, str, Reason] | None:
    """The source sentence that says the same but for one thing: where it stands, its words, what differs."""
    found = align(sentence, [Source(text=text, passage=passage, headings=headings)])
    span = found.spans[0]
    certain = [difference.reason for difference in found.differences if difference.certain]
    if span is None or found.is_row or found.units != 1 or not certain:
        return None
    aspects = {reason.aspect for reason in certain}
    if not aspects <= _STATED or not all(reason.found for reason in certain) or len(certain) > 2:
        return None
    if found.plain_coverage < _AGREES or any(_PART.match(reason.said) for reason in certain):
        return None
    words = span.of(text)
    return (span, words, certain[0]) if _says_little_else(sentence, words) else None


def _says_little_else(sentence: str, source: str) -> bool:
    """Whether both have enough words to be about one thing, and the source hardly any of its own."""
    mine, its = _plain(sentence), _plain(source)
    return len(mine) >= _LEAST_WORDS and len(its & mine) >= _AGREES_BACK * len(its)


def _plain(text: str) -> frozenset[str]:
    return frozenset(feature for feature in features(line(text)) if feature[0] not in "#@第")


def _one_subject(
    sentence: str, against: tuple[Span, str, Reason], passage: Passage, cited: Sequence[Passage]
) -> bool:
    """Whether both speak of one thing: in one section, under like titles, or of a thing that both name."""
    for own in cited:
        if own.document_id == passage.document_id and own.section_path == passage.section_path:
            return True
        if _alike(own.title, passage.title) and own.section_path[-1:] == passage.section_path[-1:]:
            return True
    stands = against[1].casefold()
    specific = [fact.value for fact in line(sentence).facts if isinstance(fact.value, Name)]
    return any(name.kind != "thing" and name.text.casefold() in stands for name in specific)


def _alike(left: str, right: str) -> bool:
    """Whether two titles differ in no more than their year, number or edition."""
    first, second = (_plain(_EDITION.sub("", title)) for title in (left, right))
    return bool(first) and first == second
