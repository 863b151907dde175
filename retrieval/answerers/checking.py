"""From a model's marked text to its citations: every sentence is held against what it cites.

For answerers: ``checked(text, order, evidence, verifier)`` takes the finished text with ``[n]`` markers and the
passage index (from 0) by number. The text that comes back is the one to show: its numbers may differ, for a
citation was repaired or a sentence removed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answer import Citation
from core.span import Span
from core.verdict import SentenceCheck, Verdict
from ingest.sentences import sentences
from retrieval.evidence import Evidence
from retrieval.verify.support import Verified
from retrieval.verify.verifier import Verifier

# Code (group 1) keeps its brackets, and so does an index right behind one or two letters, as in a[1].
_MARK = re.compile(
    r"(```.*?(?:```|\Z)|`[^`\n]*`)"
    r"|(?<!(?<![A-Za-z0-9_])[A-Za-z_])(?<!(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_])\[(\d{1,3})\]",
    re.DOTALL,
)
# Markers that open what is taken for a sentence belong to the one before it: "...end. [1] Next".
_LEADING = re.compile(r"(?:\s*\[\d{1,3}\])+")
_NO_WORDS = " \t\r\n.。*_|#>-"
# What closes a sentence; an added marker goes before it.
_END = re.compile(r"[\s。．.!！?？;；|*_”」』\"]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """``text`` with ``[n]`` in the order of first use, and what became of its sentences.

    ``notes`` name messages; ``removed`` counts the sentences that were taken out.
    """

    text: str
    citations: tuple[Citation, ...]
    checks: tuple[SentenceCheck, ...]
    notes: tuple[str, ...] = ()
    removed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSentence:
    """``span`` reaches over the sentence's markers, ``words`` are without them; ``numbers`` in order, each once."""

    span: Span
    words: str
    numbers: tuple[int, ...]


def renumbered(text: str) -> tuple[str, dict[int, int]]:
    """Numbers in the order of first use; returns the text and passage index (from 0) by number."""
    new: dict[int, int] = {}

    def replace(found: re.Match[str]) -> str:
        return found[1] or f"[{new.setdefault(int(found[2]), len(new) + 1)}]"

    return _MARK.sub(replace, text), {n: old - 1 for old, n in new.items()}


def checked(
    text: str, order: Mapping[int, int], evidence: Evidence, verifier: Verifier, *, strict: bool = False
) -> Checked:
    """Each sentence of ``text`` held against the passages whose numbers stand at it (``order``: index by number).

    A citation that does not carry its sentence while another passage does is replaced by that one; a claim
    without a marker gets one where a passage carries it. ``strict``: what nothing carries is left out, and
    the text is empty when nothing else is left.
    """
    by_passage = _MARK.sub(
        lambda m: m[1] or (f"[{order[int(m[2])] + 1}]" if int(m[2]) in order else ""), text
    )
    marked = marked_sentences(by_passage)
    writer = _Writer(evidence)
    at = 0
    for sentence in marked:
        writer.between(by_passage[at : sentence.span.start])
        at = sentence.span.end
        verified = verifier.check(sentence.words, [n - 1 for n in sentence.numbers], evidence)
        if strict and verified.claim and verified.verdict is Verdict.UNSUPPORTED:
            writer.removed += 1
        else:
            writer.write(sentence.span.of(by_passage), sentence.words, verified)
    writer.between(by_passage[at:])
    return writer.checked()


class _Writer:
    """Puts the checked sentences together again; each passage has one number, in the order of first use."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._text = ""
        # White space since the last sentence; of what stood around a removed one, the widest.
        self._gap = ""
        self._numbers: dict[int, int] = {}
        self._citations: list[Citation] = []
        self._checks: list[SentenceCheck] = []
        self.removed = 0

    def between(self, text: str) -> None:
        """What stands before the next sentence: white space, or lines without words."""
        self._gap = max(self._gap, text, key=lambda gap: (len(gap.strip()), gap.count("\n"), len(gap)))

    def write(self, source: str, words: str, verified: Verified) -> None:
        """A sentence with its markers (numbers of passages, from 1), as the verifier left it."""
        if self._text or self._gap.strip():
            self._text += self._gap
        self._gap = ""
        marked = _with_marks(source, [support.passage + 1 for support in verified.supports])
        start = len(self._text)
        self._text += _MARK.sub(lambda found: found[1] or f"[{self._number(int(found[2]) - 1)}]", marked)
        first = len(self._citations)
        for found in verified.supports:
            self._citations.append(
                self._evidence.cite(
                    self._number(found.passage),
                    found.passage,
                    found.span,
                    words,
                    found.verdict,
                    strong=found.strong,
                    reasons=found.reasons,
                    score=found.score,
                )
            )
        self._checks.append(
            SentenceCheck(
                span=Span(start, len(self._text)),
                sentence=words,
                verdict=verified.verdict,
                reasons=verified.reasons,
                citations=tuple(range(first, len(self._citations))),
                claim=verified.claim,
                repaired=verified.repaired,
            )
        )

    def checked(self) -> Checked:
        notes = ["note_citations_repaired"] if any(check.repaired for check in self._checks) else []
        notes += ["note_sentences_removed"] if self.removed else []
        return Checked(
            text=self._text + (self._gap if self._text else ""),
            citations=tuple(self._citations),
            checks=tuple(self._checks),
            notes=tuple(notes),
            removed=self.removed,
        )

    def _number(self, passage: int) -> int:
        return self._numbers.setdefault(passage, len(self._numbers) + 1)


def quoted(text: str, citations: Sequence[Citation]) -> tuple[SentenceCheck, ...]:
    """The checks of an answer that is made of its citations' own sentences, in its order."""
    checks: list[SentenceCheck] = []
    at = 0
    for place, citation in enumerate(citations):
        start = text.find(citation.sentence, at)
        if start < 0 or not citation.sentence:
            continue
        at = start + len(citation.sentence)
        checks.append(
            SentenceCheck(
                span=Span(start, at),
                sentence=citation.sentence,
                verdict=citation.verdict,
                reasons=citation.reasons,
                citations=(place,),
            )
        )
    return tuple(checks)


def _with_marks(source: str, wanted: Sequence[int]) -> str:
    """``source`` with the markers ``wanted``: its own stay where they are, others go, new ones stand at the end."""
    there = {int(found[2]) for found in _MARK.finditer(source) if found[2]}
    text = _MARK.sub(lambda m: m[0] if m[1] or int(m[2]) in wanted else "", source)
    added = "".join(f"[{n}]" for n in dict.fromkeys(wanted) if n not in there)
    if not added:
        return text
    row = re.search(r"\s*\|\s*\Z", text)
    end = (row or _END.search(text) or re.compile(r"\Z").search(text)).start()  # type: ignore[union-attr]
    return f"{text[:end]}{added}{text[end:]}"


def marked_sentences(text: str) -> list[MarkedSentence]:
    """The sentences of ``text`` with the numbers that stand in them or right behind their ends."""
    result: list[MarkedSentence] = []
    for span in sentences(text):
        start = span.start
        if result and (leading := _LEADING.match(text, span.start, span.end)):
            start = leading.end()
            result[-1] = _reaching(text, result[-1], start)
        source = text[start : span.end]
        words = re.sub(r" {2,}", " ", _MARK.sub(lambda m: m[1] or "", source)).strip(" .。\n")
        if words.strip(_NO_WORDS):
            begin = start + len(source) - len(source.lstrip())
            numbers = _numbers(text[begin : span.end])
            result.append(MarkedSentence(span=Span(begin, span.end), words=words, numbers=numbers))
        elif result and _numbers(source):
            result[-1] = _reaching(text, result[-1], span.end)
    return result


def _reaching(text: str, sentence: MarkedSentence, end: int) -> MarkedSentence:
    """``sentence`` with the markers that stand between its end and ``end``."""
    span = Span(sentence.span.start, end)
    return MarkedSentence(span=span, words=sentence.words, numbers=_numbers(span.of(text)))


def _numbers(source: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(found[2]) for found in _MARK.finditer(source) if found[2]))
