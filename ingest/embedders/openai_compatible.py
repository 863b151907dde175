"""Any OpenAI-compatible embeddings endpoint, through LangChain's client (batching and retries are its)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import openai
from langchain_openai import OpenAIEmbeddings
from pydantic import SecretStr

from core.errors import EmbeddingError, SettingsError
from core.protocols import Vectors
from core.settings import Settings


class OpenAIEmbedder:
    """The dimension is learned from the first answer; the window is a setting.

    Tokens are counted as bytes over two, never less than the model's own count for the tokenizers in
    use, so that no text is cut by the endpoint.
    """

    def __init__(self, settings: Settings) -> None:
        embedding = settings.embedding
        if not embedding.model:
            raise SettingsError(name="YOUJU_EMBEDDING__MODEL", reason="name the endpoint's embedding model")
        self._name = embedding.model
        self._prefixes = (embedding.query_prefix, embedding.passage_prefix)
        base_url = embedding.base_url or settings.openai_base_url
        self._client = OpenAIEmbeddings(
            model=embedding.model,
            openai_api_base=base_url,
            openai_api_key=settings.openai_api_key or SecretStr("none"),
            chunk_size=embedding.batch_size,
            request_timeout=embedding.timeout_s,
            max_retries=3,
            # Plain texts, as every compatible server takes them, not OpenAI's token ids.
            check_embedding_ctx_length=False,
        )
        self.max_tokens = embedding.max_tokens
        self.dimension = len(self._call(["dimension"])[0])
        prefixes = "|".join(self._prefixes)
        self.fingerprint = f"openai/{base_url or 'default'}/{embedding.model}/{self.dimension}/{prefixes}/l2"

    def count(self, texts: Sequence[str]) -> list[int]:
        prefix = len(self._prefixes[1].encode())
        return [2 + (prefix + len(text.encode("utf-8", "surrogatepass")) + 1) // 2 for text in texts]

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._encode([self._prefixes[1] + text for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode([self._prefixes[0] + text for text in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = np.asarray(self._call(texts), dtype=np.float32)
        if vectors.shape != (len(texts), self.dimension) or not np.isfinite(vectors).all():
            raise EmbeddingError(name=self._name, reason=f"unexpected vectors of shape {vectors.shape}")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)

    def _call(self, texts: list[str]) -> list[list[float]]:
        try:
            return self._client.embed_documents(texts)
        except openai.OpenAIError as exc:
            raise EmbeddingError(name=self._name, reason=str(exc).splitlines()[0]) from exc
