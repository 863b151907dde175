"""LlamaIndex's SemanticSplitterNodeParser with our embedder."""

from __future__ import annotations

import re
from typing import Any, Final

from evaluation.peers import PeerModel, PeerSplitter

# Its own way of finding sentences wants a download, and knows no Chinese; white space stays, as it joins by none.
_SENTENCE: Final = re.compile(r".+?(?:[。？！]+[”’」』）]*|[.?!]+\s+|\n+|$)\s*", re.S)


def semantic(model: PeerModel, *, percentile: float = 95) -> PeerSplitter:
    """Cuts where neighbouring groups of three sentences differ most; it knows no largest size."""
    from llama_index.core.node_parser import SemanticSplitterNodeParser
    from llama_index.core.schema import Document

    parser = SemanticSplitterNodeParser.from_defaults(
        embed_model=_embedding(model),
        breakpoint_percentile_threshold=int(percentile),
        sentence_splitter=_SENTENCE.findall,
    )

    def split(text: str, language: str) -> list[str]:
        del language
        nodes = parser.build_semantic_nodes_from_documents([Document(text=text)])
        return [str(node.get_content()) for node in nodes]

    return PeerSplitter(split=split)


def _embedding(model: PeerModel) -> Any:
    from llama_index.core.base.embeddings.base import BaseEmbedding

    base: Any = BaseEmbedding

    class Embedding(base):  # type: ignore[misc]
        """Batches go to our embedder as they come."""

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [vector.tolist() for vector in model.embed(texts)]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return Embedding(embed_batch_size=64)
