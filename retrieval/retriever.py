"""The knowledge base as a LangChain retriever, for programs that are built on LangChain."""

from __future__ import annotations

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from core.scope import Scope
from retrieval.knowledge_base import KnowledgeBase


class YoujuRetriever(BaseRetriever):
    """Passages as LangChain documents, best first; ``metadata`` says where each one stands.

    >>> retriever = YoujuRetriever(base=KnowledgeBase(load_settings()), passages=3)  # doctest: +SKIP
    >>> retriever.invoke("年休假有几天？")[0].metadata["doc"]  # doctest: +SKIP
    '员工手册.md'
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    base: KnowledgeBase
    passages: int = 5
    collections: tuple[str, ...] | None = None
    # File extensions or media types, and the dates (ISO 8601) that a document must speak of.
    kinds: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None
    # The user whose question it is; None sees everything.
    viewer: str | None = None

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        scope = Scope(
            collections=self.collections,
            viewer=self.viewer,
            kinds=self.kinds,
            since=self.since,
            until=self.until,
        )
        result = self.base.search(query, scope=scope, passages=self.passages)
        return [
            Document(
                page_content=passage.text,
                metadata={
                    "doc": passage.doc,
                    "title": passage.title,
                    "section_path": list(passage.section_path),
                    "start": passage.span.start,
                    "end": passage.span.end,
                    "pages": list(passage.pages),
                    "score": passage.score,
                },
            )
            for passage in result.passages
        ]
