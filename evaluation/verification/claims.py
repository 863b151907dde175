"""True sentences of gold sets, each with the passage around it that a search would give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import FileMissingError
from core.hashing import stable_id
from core.language import language_of
from core.span import Span
from evaluation.gold import EvidencePiece, GoldCase, read_gold
from evaluation.verification.case import Claim, half_of
from ingest.sentences import sentences

# Characters of a passage: the longest, and between which limits the wanted length lies, by chance.
LONGEST: Final = 900
_WANTED: Final = (200, 800)
_SIZES: Final = {"zh": (14, 150), "en": (45, 320)}
_SHORTEST: Final = 100
# One in so many sentences that are no evidence is taken as well.
_ONE_IN: Final = 3
_ENDS: Final = tuple("。！.!")
# What an answer would leave out: marks of lists and headings, the number of an article.
_LEAD = re.compile(r"^(?:[-*+•#>]+\s*|第[零一二三四五六七八九十百千]+条(?:之[一二三])?\s*|[（(][一二三四五六七八九十\d]+[)）]\s*"
                   r"|\d+[.、]\s*|[一二三四五六七八九十]+、\s*)+")  # fmt: skip
_JUNK = re.compile(
    r"\||<|>|https?:|@|PMID|={2,}|\.\.\.|…|\*\*|\n|\t|[?？]|\bet al\b|[:：]$|\d{8,}|�|#|\[\d|\] ?\(|\\n|[{}]|(?:^| )="
)
_VERBS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|may|will|shall|must|should|did|does|do|[a-z]+(?:ed|es))\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldTexts:
    """The questions of one folder and the documents that they are about, by file name."""

    part: str
    cases: tuple[GoldCase, ...]
    texts: Mapping[str, str]
    names: tuple[str, ...]


def read_texts(folder: Path) -> GoldTexts:
    """``folder``/gold.jsonl and its documents of plain text. Raises ``FileMissingError``, ``SettingsError``.

    ``names`` are all files of the corpus, those without a question too.
    """
    corpus = folder / "corpus"
    if not corpus.is_dir():
        raise FileMissingError(name=str(corpus))
    cases = read_gold(folder / "gold.jsonl")
    wanted = {piece.doc for case in cases for piece in case.evidence}
    names = sorted(path.name for path in corpus.iterdir() if path.suffix in {".txt", ".md"})
    # Decoded from bytes: gold offsets count carriage returns.
    texts = {name: (corpus / name).read_bytes().decode() for name in names if name in wanted}
    return GoldTexts(part=folder.resolve().name, cases=tuple(cases), texts=texts, names=tuple(names))


def source_claims(gold: GoldTexts) -> Iterator[Claim]:
    """Sentences of the documents: those of the evidence first, then some of the others."""
    places = evidence_places(gold)
    for doc, text in gold.texts.items():
        units = sentences(text)
        pieces = places.get(doc, [])
        for at, unit in enumerate(units):
            is_evidence = any(unit.overlaps(piece) for piece in pieces)
            if not is_evidence and int(stable_id(gold.part, doc, unit.start), 16) % _ONE_IN:
                continue
            sentence = cleaned(unit.of(text))
            language = language_of(sentence)
            if not is_claim(sentence, language):
                continue
            claim = claim_of(gold.part, doc, text, units, (at, at), sentence, language)
            if len(claim.passage) >= _SHORTEST:
                yield claim


def evidence_places(gold: GoldTexts) -> dict[str, list[Span]]:
    """Where evidence stands, by document; a piece without offsets at the first place that has its text."""
    found: dict[str, list[Span]] = {}
    for case in gold.cases:
        for piece in case.evidence:
            if (span := place_of(piece, gold.texts)) is not None:
                found.setdefault(piece.doc, []).append(span)
    return found


def place_of(piece: EvidencePiece, texts: Mapping[str, str]) -> Span | None:
    """The piece's span, or nothing when its words are not there."""
    text = texts.get(piece.doc, "")
    if not isinstance(piece.text, str) or not piece.text:
        return None
    start = text.find(piece.text) if piece.start is None else piece.start
    end = start + len(piece.text)
    return Span(start, end) if start >= 0 and text[start:end] == piece.text else None


def cleaned(sentence: str) -> str:
    """Without the marks before it and with single spaces."""
    return re.sub(r"[ \u3000]+", " ", _LEAD.sub("", sentence)).strip()


def is_claim(sentence: str, language: str) -> bool:
    """Whether it is one whole sentence that states something: no heading, question, table row or debris."""
    if language not in _SIZES or _JUNK.search(sentence) or not sentence.endswith(_ENDS):
        return False
    least, most = _SIZES[language]
    if not least <= len(sentence) <= most or sentence[0] in "，。、；,.;)]）":
        return False
    return language == "zh" or (sentence[0].isalpha() and _VERBS.search(sentence) is not None)


def claim_of(
    part: str, doc: str, text: str, units: Sequence[Span], core: tuple[int, int], sentence: str, lang: str,
    origin: str = "source",
) -> Claim:  # fmt: skip
    """The claim that ``units[core[0] : core[1] + 1]`` carry, with a passage around them."""
    passage = around(units, core, stable_id("passage", part, doc, sentence))
    return Claim(
        part=part, doc=doc, lang=lang, sentence=sentence, origin=origin,
        passage=passage, passage_text=passage.of(text),
        key=key_of(part, doc, sentence, origin), half=half_of(part, doc),
    )  # fmt: skip


def key_of(part: str, doc: str, sentence: str, origin: str) -> str:
    """What tells a claim from all others, the same on every machine."""
    return stable_id("claim", part, doc, origin, sentence)


def around(units: Sequence[Span], core: tuple[int, int], chance: str) -> Span:
    """``core`` and its neighbours on both sides, as long as no more than ``LONGEST`` characters."""
    first, last = core
    least, most = _WANTED
    wanted = least + int(chance, 16) % (most - least)
    takes_left = int(chance, 16) % 2 == 0
    stuck = 0
    while units[last].end - units[first].start < wanted and stuck < 2:
        lower, upper = (first - 1, last) if takes_left else (first, last + 1)
        takes_left = not takes_left
        fits = lower >= 0 and upper < len(units) and units[upper].end - units[lower].start <= LONGEST
        first, last = (lower, upper) if fits else (first, last)
        stuck = 0 if fits else stuck + 1
    return Span(units[first].start, units[last].end)
