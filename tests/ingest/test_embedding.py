"""Vectors of chunks and sentences: each text once, in batches of like length, small and close to the truth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.protocols import Vectors
from core.settings import Settings
from core.store import ChunkRow
from ingest.calibration import Aim
from ingest.embed_again import embed_again
from ingest.embedders.hashing import HashingEmbedder
from ingest.embedding import headed_sentences
from ingest.indexes.sentence_scores import sentence_scores
from ingest.report import Stage
from ingest.sentences import sentences
from retrieval.knowledge_base import KnowledgeBase
from tests.support import HANDBOOK, make_ingest

RULES = "# 办法\n\n第一条 设备每七天检查一次。检查结果应当记录在册。记录保存三年。\n\n第二条 只有一句。\n"


class Counting(HashingEmbedder):
    """Remembers what it was given."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.batches: list[list[str]] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        return super().passages(texts)

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


def made(home: Path, **embedding: object) -> tuple[KnowledgeBase, Counting]:
    options = {"name": "hashing"} | embedding
    base = KnowledgeBase(Settings(home=home, embedding=options))  # type: ignore[arg-type]
    embedder = Counting(base.settings)
    base.workspace.__dict__["embedder"] = embedder
    return base, embedder


def add(base: KnowledgeBase, folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    report = make_ingest(base).add([folder / f"{name}.md" for name in texts], "default")
    assert not any(result.error for result in report.files)


def chunks_of(base: KnowledgeBase) -> list[ChunkRow]:
    with base.workspace.store.read() as reader:
        return list(reader.all_chunks())


def test_every_sentence_of_a_chunk_has_its_place_and_a_vector_close_to_its_own(tmp_path: Path) -> None:
    base, embedder = made(tmp_path / "home")
    add(base, tmp_path, rules=RULES, handbook=HANDBOOK)
    several = 0
    with base.workspace.store.read() as reader:
        for chunk in reader.all_chunks():
            text = reader.version(chunk.version_id).text
            spans = sentences(text, chunk.span.start, chunk.span.end)
            found = reader.sentence_vectors([chunk.embed_hash], embedder.fingerprint)
            if len(spans) < 2:
                assert found == {}
                continue
            several += 1
            stored = found[chunk.embed_hash]
            places = [(span.start - chunk.span.start, span.end - chunk.span.start) for span in spans]
            assert [tuple(pair) for pair in stored.spans.tolist()] == places
            headed = headed_sentences(chunk.embed_text, chunk.span, spans, text)
            assert all(span.of(text) in sentence for span, sentence in zip(spans, headed, strict=True))
            exact = HashingEmbedder(base.settings).passages(headed)
            near = stored.data * stored.scales[:, None]
            assert (near * exact).sum(axis=1) == pytest.approx(np.ones(len(spans)), abs=0.01)
    assert several >= 2


def test_each_text_is_embedded_once_and_in_batches_of_like_length(tmp_path: Path) -> None:
    base, embedder = made(tmp_path / "home", batch_size=4)
    add(base, tmp_path, one=RULES + HANDBOOK)
    assert len(embedder.texts) == len(set(embedder.texts))
    assert [len(text) for text in embedder.texts] == sorted(len(text) for text in embedder.texts)
    before = len(embedder.texts)
    add(base, tmp_path, one=RULES + HANDBOOK + "\n\n新的一句。又是新的一句。\n")
    new = embedder.texts[before:]
    assert not any(text.endswith("\n检查结果应当记录在册。") for text in new)
    assert "又是新的一句。" in "".join(new)


def test_progress_counts_sentences_and_the_setting_turns_them_off(tmp_path: Path) -> None:
    totals = {}
    for sentences_too in (True, False):
        base, embedder = made(tmp_path / str(sentences_too), batch_size=2, sentences=sentences_too)
        told: list[tuple[int, int]] = []
        (tmp_path / "rules.md").write_text(RULES, "utf-8")
        make_ingest(
            base, on_progress=lambda p, told=told: told.append((p.done, p.total)) if p.stage is Stage.EMBED else None
        ).add([tmp_path / "rules.md"], "default")  # fmt: skip
        assert [done for done, _ in told] == list(range(0, len(embedder.texts), 2))
        totals[sentences_too] = told[0][1]
        with base.workspace.store.read() as reader:
            assert (reader.count("sentence_vectors") > 0) is sentences_too
    assert totals[True] > totals[False]


def test_the_best_sentence_scores_on_the_scale_of_the_chunks(tmp_path: Path) -> None:
    base, embedder = made(tmp_path / "home")
    add(base, tmp_path, rules=RULES, handbook=HANDBOOK)
    question = HashingEmbedder(base.settings).queries(["办法 (rules)\n记录保存三年。"])[0]
    with base.workspace.store.read() as reader:
        chunks = list(reader.all_chunks())
        aims = {"zh": Aim(vector=question, offset=0.25)}
        scores = sentence_scores(reader, embedder.fingerprint, aims, chunks)
        has_several = reader.sentence_vectors((c.embed_hash for c in chunks), embedder.fingerprint)
        assert scores.keys() == {chunk.id for chunk in chunks if chunk.embed_hash in has_several}
        best = max(scores, key=lambda chunk_id: scores[chunk_id])
        assert "记录保存三年。" in reader.chunks([best])[best].embed_text
        assert scores[best] == pytest.approx(0.75, abs=0.01)
        assert sentence_scores(reader, "another-model", aims, chunks) == {}
        assert sentence_scores(reader, embedder.fingerprint, {}, chunks) == {}


def test_embedding_again_makes_the_sentences_anew(tmp_path: Path) -> None:
    base, _ = made(tmp_path / "home")
    add(base, tmp_path, rules=RULES, handbook=HANDBOOK)
    with base.workspace.store.read() as reader:
        hashes = [chunk.embed_hash for chunk in reader.all_chunks()]
        before = reader.sentence_vectors(hashes, HashingEmbedder.fingerprint)

    class Other(HashingEmbedder):
        fingerprint = "other-1/64/l2"

    other = KnowledgeBase(base.settings)
    other.workspace.__dict__["embedder"] = Other(base.settings)
    embed_again(other.workspace)
    with other.workspace.store.read() as reader:
        after = reader.sentence_vectors(hashes, Other.fingerprint)
        assert reader.sentence_vectors(hashes, HashingEmbedder.fingerprint) == {}
    assert after.keys() == before.keys() != set()
    for key, sentence in after.items():
        assert np.array_equal(sentence.spans, before[key].spans)
        assert np.array_equal(sentence.data, before[key].data)
