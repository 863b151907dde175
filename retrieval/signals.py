"""What is known of each candidate besides its text: how near, how many of the words, how exact."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from core.answer import Hit
from core.protocols import Signals
from core.store import ChunkRow, Reader
from ingest.indexes.analyzer import analyze
from ingest.indexes.search_index import Aims, SearchIndex
from ingest.indexes.sentence_scores import sentence_scores
from retrieval.candidates import rarities_of, share_held
from retrieval.query.boost import Candidate, exactness
from retrieval.query.understood import Understood

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question as it is searched: its search tokens with their rarity, its numbers, what was understood."""

    text: str
    tokens: tuple[str, ...]
    rarities: Mapping[str, float]
    numbers: frozenset[str]
    understood: Understood


def asked(text: str, index: SearchIndex, understood: Understood) -> Asked:
    """The question ``text`` prepared for the candidates of one search."""
    tokens = tuple(analyze(text))
    rarities = rarities_of(index, tokens)
    return Asked(text=text, tokens=tokens, rarities=rarities, numbers=numbers_of(text), understood=understood)


def signals_of(
    question: Asked,
    chunks: Sequence[ChunkRow],
    rankings: Mapping[str, Sequence[Hit]],
    aims: Aims,
    reader: Reader,
    model: str,
    *,
    by_sentence: bool = True,
) -> list[Signals]:
    """One for each chunk; ``rankings`` are those of "dense" and "lexical", for the scores that are there.

    ``model`` is the fingerprint of the embedding model. Without ``by_sentence`` a chunk is as near as a whole.
    """
    near = {hit.chunk_id: hit.score for hit in rankings.get("dense", ())}
    near |= _nearness([chunk for chunk in chunks if chunk.id not in near], aims, reader, model)
    best = sentence_scores(reader, model, aims, chunks) if by_sentence else {}
    words = {hit.chunk_id: hit.score for hit in rankings.get("lexical", ())}
    exact = exactness(question.understood, [_candidate(chunk) for chunk in chunks])
    lowest = min(near.values(), default=0.0)
    return [
        Signals(
            whole=(whole := near.get(chunk.id, lowest)),
            sentence=best.get(chunk.id, whole),
            lexical=words.get(chunk.id, 0.0),
            coverage=share_held(question.rarities, search_tokens(chunk.embed_text)),
            numbers=_share(question.numbers, numbers_of(chunk.embed_text)),
            exactness=exactly,
        )
        for chunk, exactly in zip(chunks, exact, strict=True)
    ]


def numbers_of(text: str) -> frozenset[str]:
    """The numbers of ``text`` in NFKC, without separators of thousands."""
    found = _NUMBER.findall(unicodedata.normalize("NFKC", text))
    return frozenset(number.replace(",", "") for number in found)


@lru_cache(maxsize=4096)
def search_tokens(text: str) -> frozenset[str]:
    """The distinct search tokens of a chunk; the same chunks are candidates again and again."""
    return frozenset(analyze(text))


def _nearness(chunks: Sequence[ChunkRow], aims: Aims, reader: Reader, model: str) -> dict[str, float]:
    """Of the candidates that only their words brought."""
    wanted = [chunk for chunk in chunks if chunk.language in aims]
    vectors = reader.vectors((chunk.embed_hash for chunk in wanted), model)
    return {
        chunk.id: float(vectors[chunk.embed_hash] @ aims[chunk.language].vector) - aims[chunk.language].offset
        for chunk in wanted
        if chunk.embed_hash in vectors
    }


def _share(wanted: frozenset[str], held: frozenset[str]) -> float:
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _candidate(chunk: ChunkRow) -> Candidate:
    return Candidate(
        document_id=chunk.document_id,
        section_path=chunk.section_path,
        text=chunk.embed_text,
        dates=chunk.dates,
    )
