"""LangChain's EnsembleRetriever over FAISS and BM25, and its ParentDocumentRetriever, on our texts."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from core.span import Span
from evaluation.alignment import align
from evaluation.passage import Place
from evaluation.peers_langchain import splitter
from evaluation.retrieval.base import Base
from evaluation.retrieval.questions import Question
from evaluation.retrieval.systems import QuestionClock, Returned
from evaluation.vector_cache import MeasuredEmbedder


class LangChainSystem:
    """A retriever of LangChain's; the last turn of a conversation alone is its question."""

    def __init__(self, name: str, retriever: Any, clock: QuestionClock, build_s: float) -> None:
        self.name, self.build_s = name, build_s
        self._retriever, self._clock = retriever, clock

    def search(self, question: Question) -> Returned:
        self._clock.reset()
        started = time.perf_counter()
        found: list[Document] = self._retriever.invoke(question.case.question)
        latency_ms = (time.perf_counter() - started) * 1000
        places = tuple(_place(document) for document in found)
        return Returned(places=places, latency_ms=latency_ms, embed_ms=self._clock.spent_ms)

    def deeper(self, question: Question) -> Sequence[Place]:
        return self.search(question).places

    def close(self) -> None:
        """Nothing is open."""


def ensemble(
    base: Base, name: str, *, zh_chars: float = 500, en_chars: float = 1200, candidates: float = 10
) -> LangChainSystem:
    """Chunks of so many characters, ``candidates`` of them by vectors and as many by words, fused equally.

    BM25 gets rjieba's words in lower case, in both languages: without them it would find no Chinese.
    """
    community, retrievers = _community(), _classic()
    clock = QuestionClock(base.model.embedder)
    started = time.perf_counter()
    chunks = list(_chunks(base, zh_chars, en_chars))
    vectors = community.vectorstores.FAISS.from_documents(chunks, _Adapter(base.model.remembering, clock))
    words = community.retrievers.BM25Retriever.from_documents(chunks, preprocess_func=_words)
    words.k = int(candidates)
    near = vectors.as_retriever(search_kwargs={"k": int(candidates)})
    both = retrievers.EnsembleRetriever(retrievers=[words, near], weights=[0.5, 0.5], id_key="id")
    return LangChainSystem(name, both, clock, time.perf_counter() - started)


def parent(
    base: Base, name: str, *, zh_chars: float = 1000, en_chars: float = 2000, zh_child: float = 200,
    en_child: float = 400, candidates: float = 20,
) -> LangChainSystem:  # fmt: skip
    """Parents of so many characters, found by the best ``candidates`` of their children's vectors."""
    import faiss
    from langchain_classic.storage import InMemoryStore

    community, retrievers = _community(), _classic()
    clock = QuestionClock(base.model.embedder)
    started = time.perf_counter()
    vectors = community.vectorstores.FAISS(
        embedding_function=_Adapter(base.model.remembering, clock),
        index=faiss.IndexFlatL2(base.model.embedder.dimension),
        docstore=community.docstore.in_memory.InMemoryDocstore(),
        index_to_docstore_id={},
    )
    stored: Any = InMemoryStore()
    retriever: Any = None
    for language, size in (("zh", zh_child), ("en", en_child)):
        # One store for both: a question is asked to the whole base.
        retriever = retrievers.ParentDocumentRetriever(
            vectorstore=vectors,
            docstore=stored,
            child_splitter=splitter(size, language),
            search_kwargs={"k": int(candidates)},
        )
        parents = [d for d in _chunks(base, zh_chars, en_chars) if d.metadata["language"] == language]
        if parents:
            retriever.add_documents(parents, ids=[parent.metadata["id"] for parent in parents])
    return LangChainSystem(name, retriever, clock, time.perf_counter() - started)


def _chunks(base: Base, zh_chars: float, en_chars: float) -> Iterator[Document]:
    """The chunks of all documents, each with its place in our text."""
    for key, stored in base.texts.items():
        language = "zh" if stored.language == "zh" else "en"
        size = zh_chars if language == "zh" else en_chars
        made = splitter(size, language).split_text(stored.text)
        for span in align(stored.text, made, int(size) // 10).spans:
            place = {"doc": key, "start": span.start, "end": span.end, "language": language}
            yield Document(
                page_content=span.of(stored.text), metadata=place | {"id": f"{key}#{span.start}-{span.end}"}
            )


def _place(document: Document) -> Place:
    where = document.metadata
    return Place(where["doc"], Span(where["start"], where["end"]))


def _words(text: str) -> list[str]:
    import rjieba

    return [word for word in rjieba.cut(text.lower()) if word.strip()]


def _community() -> Any:
    # Its import says that the package is in maintenance.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import langchain_community.docstore.in_memory
        import langchain_community.retrievers
        import langchain_community.vectorstores

        return langchain_community


def _classic() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import langchain_classic.retrievers

        return langchain_classic.retrievers


class _Adapter(Embeddings):
    """Our embedder: chunks from the cache, questions from the model itself, so that their time counts."""

    def __init__(self, remembering: MeasuredEmbedder, clock: QuestionClock) -> None:
        self._remembering, self._clock = remembering, clock

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._remembering.passages(self._remembering.fitted(texts)).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        vector: list[float] = self._clock.queries([text])[0].tolist()
        return vector
