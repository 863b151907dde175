"""Compares the local index with LangChain's FAISS, BM25Retriever and EnsembleRetriever, in one run.

    python scripts/bench_index.py --chunks 100000 --questions 200

Texts are words drawn by Zipf's law, Chinese and English; vectors are made up. Both get the same texts,
search tokens, vectors and questions, each in a process of its own. Prints a Markdown table. Times are
without the embedding of questions and passages.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.chunk import Chunk, Parent  # noqa: E402
from core.document import Document  # noqa: E402
from core.hashing import sha256, stable_id  # noqa: E402
from core.language import language_of  # noqa: E402
from core.protocols import Vectors  # noqa: E402
from core.settings import Settings  # noqa: E402
from core.span import Span  # noqa: E402
from core.store import PreparedDocument, Store  # noqa: E402
from core.store.records import embed_hash_of  # noqa: E402
from ingest.calibration import Aim  # noqa: E402
from ingest.indexes.analyzer import analyze  # noqa: E402
from ingest.indexes.cache import LocalIndexes  # noqa: E402
from ingest.indexes.search_index import SearchIndex  # noqa: E402
from retrieval.candidates import LOOKED_AT, lexical_weight  # noqa: E402
from retrieval.fuse import reciprocal_rank_fusion  # noqa: E402

DIMENSION = 384
A_DOCUMENT = 50
WORDS = 40_000
WORDS_A_CHUNK = 110
LIMIT = 50
# Share of the documents that a filtered search may see.
SEEN = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """``texts[i]`` has the vector ``vectors[i]``; ``A_DOCUMENT`` texts in a row are a document."""

    texts: list[str]
    vectors: Vectors
    questions: list[str]
    question_vectors: Vectors

    @classmethod
    def drawn(cls, chunks: int, questions: int) -> Corpus:
        """The same on every machine. One chunk in four is English."""
        rng = np.random.default_rng(7)
        weights = 1 / np.arange(1, WORDS + 1) ** 1.07
        vocabulary = _words(rng)
        drawn = rng.choice(WORDS, (chunks, WORDS_A_CHUNK), p=weights / weights.sum()).tolist()
        texts = []
        for number in range(chunks):
            english = number // A_DOCUMENT % 4 == 0
            texts.append((" " if english else "").join(vocabulary[english][word] for word in drawn[number]))
        asked = rng.integers(0, chunks, questions)
        # A question is a piece of a text.
        pieces = [texts[i][20:45] for i in asked]
        vectors = _unit(rng.standard_normal((chunks, DIMENSION), dtype=np.float32))
        noise = 0.05 * rng.standard_normal((questions, DIMENSION), dtype=np.float32)
        return cls(
            texts=texts, vectors=vectors, questions=pieces, question_vectors=_unit(vectors[asked] + noise)
        )


def _words(rng: np.random.Generator) -> tuple[list[str], list[str]]:
    """Made-up Chinese and English words."""
    han = [chr(code) for code in rng.choice(np.arange(0x4E00, 0x9FA5), 2500, replace=False)]
    syllables = [a + b for a in "bcdfghjklmnprstvwz" for b in "aeiou"]
    chinese = ["".join(rng.choice(han, rng.integers(1, 4))) for _ in range(WORDS)]
    english = ["".join(rng.choice(syllables, rng.integers(1, 5))) for _ in range(WORDS)]
    return chinese, english


def _unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


class Ours:
    """The store and its local index under one folder."""

    fingerprint, dimension = "made-up", DIMENSION

    def __init__(self, corpus: Corpus, home: Path) -> None:
        self._corpus = corpus
        self._home = home

    def build(self) -> None:
        store = Store(self._home)
        for start in range(0, len(self._corpus.texts), A_DOCUMENT):
            self._put(store, start, f"{start}.txt")
        with store.read() as reader:
            LocalIndexes(Settings(home=self._home), store, self).at(reader)  # type: ignore[arg-type]
        store.close()

    def open(self) -> None:
        self._store = Store(self._home)
        self._indexes = LocalIndexes(Settings(home=self._home), self._store, self)  # type: ignore[arg-type]
        self._reader = self._store.read()
        self._open = self._reader.__enter__()
        self._index: SearchIndex = self._indexes.at(self._open)
        versions = [row.version_id for row in self._open.current_versions()]
        self._some = frozenset(versions[:: round(1 / SEEN)])
        assert len(self._index) == len(self._corpus.texts)

    def dense(self, question: int, seen: frozenset[str] | None = None) -> Any:
        aim = Aim(vector=self._corpus.question_vectors[question], offset=0.0)
        return self._index.dense(dict.fromkeys(self._index.mean_by_language, aim), LIMIT, seen)

    def lexical(self, question: int, seen: frozenset[str] | None = None) -> Any:
        return self._index.lexical(analyze(self._corpus.questions[question]), LIMIT, seen)

    def both(self, question: int, seen: frozenset[str] | None = None) -> Any:
        rankings = {"dense": self.dense(question, seen), "lexical": self.lexical(question, seen)}
        first = self._open.chunks([hit.chunk_id for hit in rankings["lexical"][:LOOKED_AT]])
        tokens = analyze(self._corpus.questions[question])
        held = [analyze(chunk.embed_text) for chunk in first.values()]
        weights = {"lexical": lexical_weight(self._index, tokens, held)}
        return reciprocal_rank_fusion(rankings, k=10, weights=weights)

    def filtered(self, question: int) -> Any:
        return self.both(question, self._some)

    def add(self) -> None:
        self._put(self._store, 0, "added.txt")
        self._refresh()

    def delete(self) -> None:
        with self._store.write() as writer:
            writer.remove([writer.reader.document(f"{A_DOCUMENT}.txt").id])
        self._refresh()

    def _refresh(self) -> None:
        with self._store.read() as reader:
            self._indexes.at(reader)

    def _put(self, store: Store, start: int, name: str) -> None:
        with store.write() as writer:
            writer.put(_prepared(self._corpus, start, name))


def _prepared(corpus: Corpus, start: int, name: str) -> PreparedDocument:
    texts = corpus.texts[start : start + A_DOCUMENT]
    version = stable_id("version", name)
    spans, text = [], ""
    for part in texts:
        spans.append(Span(len(text), len(text) + len(part)))
        text += f"{part}\n"
    chunks = tuple(
        Chunk(
            id=stable_id("chunk", version, i), parent_id=f"{version}-{i // 4}", section_id=version, ordinal=i,
            span=spans[i], section_path=(), kinds=("paragraph",), embed_text=part, token_count=200,
            previous_id=None, next_id=None,
        )
        for i, part in enumerate(texts)
    )  # fmt: skip
    parents = tuple(
        Parent(id=f"{version}-{i}", ordinal=i, span=spans[4 * i], section_path=(), token_count=800)
        for i in range((len(texts) + 3) // 4)
    )
    vectors = {embed_hash_of(part): corpus.vectors[start + i] for i, part in enumerate(texts)}
    document = Document(text=text, title=name, language=language_of(text), media_type="text/plain", blocks=())
    return PreparedDocument(
        collection="default", name=name, source_sha256=sha256(text.encode()), source_bytes=len(text),
        fingerprint="", version_id=version, document=document, chunks=chunks, parents=parents,
        model=Ours.fingerprint, vectors=vectors,
    )  # fmt: skip


class LangChain:
    """Its FAISS store, BM25Retriever and EnsembleRetriever; BM25 gets our tokens, or it would find no Chinese."""

    def __init__(self, corpus: Corpus, home: Path) -> None:
        warnings.simplefilter("ignore")
        from langchain_core.embeddings import Embeddings

        vectors = dict(zip(corpus.questions, corpus.question_vectors, strict=True))

        class Known(Embeddings):
            def embed_query(self, text: str) -> list[float]:
                return [float(value) for value in vectors[text]]

            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                raise NotImplementedError

        self._corpus, self._home, self._embeddings = corpus, home, Known()

    def build(self) -> None:
        from langchain_community.vectorstores import FAISS

        self._home.mkdir(parents=True)
        texts = self._corpus.texts
        pairs = list(zip(texts, self._corpus.vectors.tolist(), strict=True))
        tags = [self._tags(i // A_DOCUMENT) for i in range(len(texts))]
        FAISS.from_embeddings(
            pairs, self._embeddings, metadatas=tags, ids=[str(i) for i in range(len(texts))]
        ).save_local(str(self._home))

    def open(self) -> None:
        from langchain_community.vectorstores import FAISS

        self._faiss = FAISS.load_local(
            str(self._home), self._embeddings, allow_dangerous_deserialization=True
        )
        self._rebuild_words()

    def _rebuild_words(self) -> None:
        """It keeps no index by words and changes none: all texts are analysed and counted anew."""
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.retrievers import BM25Retriever

        documents = list(self._faiss.docstore._dict.values())
        self._words = BM25Retriever.from_documents(documents, preprocess_func=analyze, k=LIMIT)
        meaning = self._faiss.as_retriever(search_kwargs={"k": LIMIT})
        self._ensemble = EnsembleRetriever(retrievers=[self._words, meaning], weights=[0.5, 0.5])

    def dense(self, question: int) -> Any:
        return self._faiss.similarity_search(self._corpus.questions[question], k=LIMIT)

    def lexical(self, question: int) -> Any:
        return self._words.invoke(self._corpus.questions[question])

    def both(self, question: int) -> Any:
        return self._ensemble.invoke(self._corpus.questions[question])

    def filtered(self, question: int) -> Any:
        """Only by meaning, and after the search: BM25Retriever has no filter."""
        text = self._corpus.questions[question]
        return self._faiss.similarity_search(text, k=LIMIT, filter={"some": True}, fetch_k=LIMIT * 20)

    def add(self) -> None:
        texts, vectors = self._corpus.texts[:A_DOCUMENT], self._corpus.vectors[:A_DOCUMENT].tolist()
        tags = [self._tags(-1)] * A_DOCUMENT
        self._faiss.add_embeddings(list(zip(texts, vectors, strict=True)), metadatas=tags)
        self._keep()

    def delete(self) -> None:
        self._faiss.delete([str(i) for i in range(A_DOCUMENT, 2 * A_DOCUMENT)])
        self._keep()

    def _keep(self) -> None:
        self._faiss.save_local(str(self._home))
        self._rebuild_words()

    def _tags(self, document: int) -> dict[str, object]:
        return {"document": document, "some": document % round(1 / SEEN) == 0}


CONTENDERS = {"youju": Ours, "langchain": LangChain}
ROWS = {
    "open_s": "open (s)",
    "dense": "by meaning, p50 / p95 (ms)",
    "lexical": "by words, p50 / p95 (ms)",
    "both": "both, fused, p50 / p95 (ms)",
    "cpu_ms": "both, fused, processor time (ms)",
    "filtered": "both, a tenth of the documents allowed, p50 / p95 (ms)",
    "memory_mb": "memory (MB RSS)",
    "add_s": f"add a document of {A_DOCUMENT} chunks (s)",
    "delete_s": "delete a document (s)",
}


def measured(name: str, corpus: Corpus, home: Path) -> dict[str, object]:
    """What one contender takes, in this process."""
    contender = CONTENDERS[name](corpus, home)
    found: dict[str, object] = {"open_s": _seconds(contender.open)}
    for search in ("dense", "lexical", "both", "filtered"):
        found[search] = _percentiles(getattr(contender, search), range(len(corpus.questions)))
    started = time.process_time()
    for question in range(len(corpus.questions)):
        contender.both(question)
    found["cpu_ms"] = (time.process_time() - started) * 1000 / len(corpus.questions)
    # The corpus itself belongs to the benchmark.
    own = corpus.vectors.nbytes + sum(map(sys.getsizeof, corpus.texts))
    found["memory_mb"] = (psutil.Process().memory_info().rss - own) / 1e6
    found["add_s"] = _seconds(contender.add)
    found["delete_s"] = _seconds(contender.delete)
    return found


def _seconds(run: Callable[[], None]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _percentiles(search: Callable[[int], Any], questions: Sequence[int]) -> tuple[float, float]:
    search(0)
    times = [_seconds(lambda question=question: search(question)) * 1000 for question in questions]  # type: ignore[misc]
    return float(np.percentile(times, 50)), float(np.percentile(times, 95))


def table(results: dict[str, dict[str, Any]]) -> str:
    """Markdown, with how many times as much LangChain takes."""
    lines = ["| | Youju | LangChain | ratio |", "|---|---|---|---|"]
    for key, title in ROWS.items():
        ours, theirs = (results[name].get(key) for name in CONTENDERS)
        lines.append(f"| {title} | {_cell(ours)} | {_cell(theirs)} | {_ratio(ours, theirs)} |")
    return "\n".join(lines)


def _cell(value: Any) -> str:
    return "-" if value is None else " / ".join(f"{part:.3g}" for part in np.atleast_1d(value))


def _ratio(ours: Any, theirs: Any) -> str:
    return (
        "-"
        if ours is None or theirs is None
        else f"{np.atleast_1d(theirs)[-1] / np.atleast_1d(ours)[-1]:.3g}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only", choices=list(CONTENDERS))
    parser.add_argument(
        "--home", type=Path, help="for --only: a folder filled by an earlier run is used again"
    )
    options = parser.parse_args()
    corpus = Corpus.drawn(options.chunks, options.questions)
    if options.only:
        home = options.home or Path(tempfile.mkdtemp()) / "home"
        if not home.exists():
            CONTENDERS[options.only](corpus, home).build()
            # A process of its own for the searches: what building took does not count.
            os.execv(sys.executable, [sys.executable, *sys.argv, "--home", str(home)])
        sys.stdout.write(json.dumps(measured(options.only, corpus, home)))
        return
    results = {}
    for name in CONTENDERS:
        command = [sys.executable, __file__, "--only", name, "--chunks", str(options.chunks)]
        done = subprocess.run(
            [*command, "--questions", str(options.questions)], check=True, stdout=subprocess.PIPE, text=True
        )
        results[name] = json.loads(done.stdout)
    sys.stdout.write(f"{options.chunks} chunks, {DIMENSION} dimensions, {os.cpu_count()} processors\n\n")
    sys.stdout.write(table(results) + "\n")


if __name__ == "__main__":
    main()
