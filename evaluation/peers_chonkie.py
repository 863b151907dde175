"""chonkie's SemanticChunker with our embedder."""

from __future__ import annotations

from typing import Any, Final

from evaluation.peers import PeerModel, PeerSplitter

_MARKS: Final = (". ", "! ", "? ", "\n")
_CHINESE_MARKS: Final = ("。", "！", "？", *_MARKS)


def semantic(model: PeerModel, *, tokens: float = 400, threshold: float = 0.8) -> PeerSplitter:
    """At most ``tokens`` a chunk; ``threshold`` is chonkie's own (0..1). Chinese marks end sentences too."""
    from chonkie import SemanticChunker

    embeddings = _embeddings(model)

    def split(text: str, language: str) -> list[str]:
        chunker = SemanticChunker(
            embedding_model=embeddings,
            chunk_size=int(tokens),
            threshold=threshold,
            delim=list(_CHINESE_MARKS if language == "zh" else _MARKS),
        )
        return [str(chunk.text) for chunk in chunker.chunk(text)]

    return PeerSplitter(split=split)


def _embeddings(model: PeerModel) -> Any:
    from chonkie.embeddings import BaseEmbeddings

    base: Any = BaseEmbeddings

    class Embeddings(base):  # type: ignore[misc]
        """Batches go to our embedder as they come."""

        def embed(self, text: str) -> Any:
            return model.embed([text])[0]

        def embed_batch(self, texts: list[str]) -> list[Any]:
            return list(model.embed(texts))

        @property
        def dimension(self) -> int:
            return model.dimension

        def get_tokenizer(self) -> Any:
            return model.count

    return Embeddings()
