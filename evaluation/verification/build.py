"""The test set: cases of each kind, balanced over the languages, the halves and the gold sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import SettingsError
from core.hashing import stable_id
from core.span import Span
from core.verdict import Verdict
from evaluation.verification.case import Case, Claim, by_chance
from evaluation.verification.changes.citation import neighbour
from evaluation.verification.claims import GoldTexts, read_texts, source_claims
from evaluation.verification.judgements import judgement
from evaluation.verification.kinds import JUDGED, NEIGHBOUR, Kind, kinds
from evaluation.verification.names import Names
from evaluation.verification.written import judged_claims, written_claims
from ingest.indexes.analyzer import fold

QUOTA: Final = 30
_OF_ONE_DOCUMENT: Final = 12
_OF_ONE_SENTENCE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSet:
    """``texts`` are the documents by ``Case.source``; ``claims`` counts the true sentences looked at."""

    cases: tuple[Case, ...]
    texts: Mapping[str, str]
    claims: int


def build(folders: Sequence[Path], quota: int = QUOTA) -> CaseSet:
    """At most ``quota`` times its share of each kind for each language and half; the same on every machine.

    Raises ``FileMissingError`` and ``SettingsError``, also for two folders of one name.
    """
    sets = [read_texts(folder) for folder in folders]
    if len({gold.part for gold in sets}) < len(sets):
        raise SettingsError(name="--data", reason="two folders have the same name")
    texts = {f"{gold.part}/{doc}": text for gold in sets for doc, text in gold.texts.items()}
    claims = [claim for claim in _claims(sets) if judgement(claim.key) is None]
    chosen = _Chosen()
    names = Names({gold.part: gold.names for gold in sets}, ((c.part, c.passage_text) for c in claims))
    cases: list[Case] = []
    rows = _Claims(claims)
    for kind in kinds(names):
        cases += _of_kind(kind, rows, quota, chosen)
    cases += _of_neighbours(rows, texts, quota, chosen)
    for gold in sets:
        cases += _judged(gold)
    return CaseSet(cases=tuple(cases), texts=texts, claims=len(claims))


def _claims(sets: Iterable[GoldTexts]) -> list[Claim]:
    """Each sentence once."""
    found: dict[str, Claim] = {}
    for gold in sets:
        for claim in (*written_claims(gold), *source_claims(gold)):
            found.setdefault(claim.sentence, claim)
    return list(found.values())


class _Claims:
    """The claims of each set in an order by chance."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self._rows: dict[str, list[Claim]] = defaultdict(list)
        for claim in sorted(claims, key=lambda claim: claim.key):
            self._rows[claim.part].append(claim)

    def in_turns(self, kind: Kind) -> Iterator[Claim]:
        """One set after the other, so that a large one does not fill a quota alone; each kind starts elsewhere."""
        first = int(stable_id(kind.name, kind.detail), 16)
        for at in range(max(map(len, self._rows.values()), default=0)):
            for row in self._rows.values():
                if at < len(row):
                    yield row[(first + at) % len(row)]


class _Chosen:
    """What has been taken, so that no document and no sentence is used too often."""

    def __init__(self) -> None:
        self._of_quota: Counter[tuple[str, ...]] = Counter()
        self._of_document: Counter[tuple[str, ...]] = Counter()
        self._of_sentence: Counter[str] = Counter()

    def admits(self, kind: Kind, claim: Claim, quota: int) -> bool:
        return (
            self._of_quota[kind.name, kind.detail, claim.lang, claim.half] < quota
            and self._of_document[kind.name, kind.detail, claim.part, claim.doc] < _OF_ONE_DOCUMENT
            and self._of_sentence[claim.key] < _OF_ONE_SENTENCE
        )

    def add(self, kind: Kind, claim: Claim) -> None:
        self._of_quota[kind.name, kind.detail, claim.lang, claim.half] += 1
        self._of_document[kind.name, kind.detail, claim.part, claim.doc] += 1
        self._of_sentence[claim.key] += 1


def _judged(gold: GoldTexts) -> Iterator[Case]:
    """All that were judged by reading: they are few."""
    for claim, verdict in judged_claims(gold):
        yield case_of(JUDGED[verdict], claim, claim.sentence, claim.passage, claim.passage_text)


def _of_kind(kind: Kind, claims: _Claims, quota: int, chosen: _Chosen) -> Iterator[Case]:
    for claim in _open_to(kind, claims, quota, chosen):
        options = [made for made in kind.make(claim) if _is_fit(kind, claim, made)]
        if options:
            chosen.add(kind, claim)
            yield case_of(kind, claim, by_chance(options, claim.key)[0], claim.passage, claim.passage_text)


def _of_neighbours(claims: _Claims, texts: Mapping[str, str], quota: int, chosen: _Chosen) -> Iterator[Case]:
    for claim in _open_to(NEIGHBOUR, claims, quota, chosen):
        text = texts[f"{claim.part}/{claim.doc}"]
        if (span := neighbour(claim, text)) is not None:
            chosen.add(NEIGHBOUR, claim)
            yield case_of(NEIGHBOUR, claim, claim.sentence, span, span.of(text))


def _open_to(kind: Kind, claims: _Claims, quota: int, chosen: _Chosen) -> Iterator[Claim]:
    """Claims that the kind may still use, until its quotas are full."""
    most = round(quota * kind.share)
    for claim in claims.in_turns(kind):
        if kind.origin in ("", claim.origin) and chosen.admits(kind, claim, most):
            yield claim


def _is_fit(kind: Kind, claim: Claim, made: str) -> bool:
    """Whether the change is one, and a false sentence does not stand in the passage after all."""
    if kind.name in {"verbatim", "written"}:
        return True
    if made == claim.sentence or not made.strip():
        return False
    if kind.expected is not Verdict.UNSUPPORTED:
        return True
    return fold(made.rstrip("。.")) not in fold(claim.passage_text)


def case_of(kind: Kind, claim: Claim, sentence: str, passage: Span, passage_text: str) -> Case:
    """The case that ``sentence`` is, made from ``claim``."""
    return Case(
        id=stable_id("case", claim.key, kind.name, kind.detail, sentence)[:12],
        half=claim.half, lang=claim.lang, kind=kind.name, detail=kind.detail, expected=kind.expected,
        sentence=sentence, original=claim.sentence,
        part=claim.part, doc=claim.doc, passage=passage, passage_text=passage_text,
    )  # fmt: skip
