"""The three collections of one knowledge base and model on the server, and the rows that lie in them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from core.hashing import stable_id
from ingest.indexes.analyzer import ANALYZER_VERSION
from ingest.indexes.milvus.server import Server

FORMAT_VERSION: Final = f"1.{ANALYZER_VERSION}"
# BM25 as the local index has it.
_K1, _B = 1.5, 0.75
_MOST_BYTES: Final = 65_535
_BYTES_A_WORD: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """``chunks`` and ``parents`` are searched; ``ledger`` says which versions in them are complete.

    The names carry the knowledge base's own and the model's, so that neither two knowledge bases nor two
    models ever meet in one collection.
    """

    base: str
    family: str

    @classmethod
    def of(cls, prefix: str, identity: str, model: str, dimension: int) -> Names:
        family = f"{prefix}_{stable_id('store', identity)[:12]}_"
        return cls(base=family + stable_id("index", FORMAT_VERSION, model, dimension)[:12], family=family)

    @property
    def chunks(self) -> str:
        return self.base

    @property
    def parents(self) -> str:
        return f"{self.base}_parents"

    @property
    def ledger(self) -> str:
        return f"{self.base}_ledger"

    @property
    def all(self) -> tuple[str, str, str]:
        return self.chunks, self.parents, self.ledger

    @property
    def indexes(self) -> tuple[tuple[str, int], ...]:
        """How many indexes each collection has."""
        return (self.chunks, 2), (self.parents, 1), (self.ledger, 1)


def ready(server: Server, names: Names) -> bool:
    """Whether all the collections are there, each made to its end; if so they can be searched now."""
    known = set(server.names())
    if not all(name in known and server.indexes(name) == count for name, count in names.indexes):
        return False
    for name in names.all:
        server.load(name)
    return True


def create(server: Server, names: Names, dimension: int) -> None:
    """Make the collections anew, empty; what was there is dropped."""
    drop(server, reversed(names.all))
    # Milvus Lite looks at every vector: its graph lost most of the rows behind a narrow filter.
    dense = "FLAT" if server.is_lite else "AUTOINDEX"
    server.create(names.chunks, *_chunks(dimension, dense))
    server.create(names.parents, *_parents(dimension, dense))
    server.create(names.ledger, *_ledger())
    for name in names.all:
        server.load(name)


def drop(server: Server, names: Iterable[str]) -> None:
    """Remove those of the collections that exist."""
    known = set(server.names())
    for name in names:
        if name in known:
            server.drop(name)


def former(server: Server, names: Names) -> list[str]:
    """Collections of the same knowledge base for other models or formats."""
    return [
        name for name in server.names() if name.startswith(names.family) and not name.startswith(names.base)
    ]


def words_text(tokens: Sequence[str]) -> str:
    """Search tokens as a text that every tokenizer of Milvus cuts the same way: eight letters or digits each.

    Hashed, because Milvus Lite knows no whitespace tokenizer and others would cut "GB/T" or "2.13.0"; nor
    does a word of a document lie on the server then. A text with more tokens than a field holds (7,281)
    keeps each of them once before it keeps repetitions.
    """
    most = _MOST_BYTES // _BYTES_A_WORD
    if len(tokens) > most:
        seen: set[str] = set()
        repeated = [token for token in tokens if token in seen or seen.add(token)]  # type: ignore[func-returns-value]
        tokens = [*dict.fromkeys(tokens), *repeated][:most]
    return " ".join(map(word_of, tokens))


@lru_cache(maxsize=200_000)
def word_of(token: str) -> str:
    """A token as it lies on the server: 40 bits of its hash, more than the 32 that Milvus itself keeps."""
    digest = hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=5).digest()
    return base64.b32encode(digest).decode("ascii").lower()


def _schema(dimension: int, texts: Sequence[str], numbers: Sequence[str]) -> Any:
    from pymilvus import DataType, MilvusClient

    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.VARCHAR, max_length=64, is_primary=True)
    for name in texts:
        schema.add_field(name, DataType.VARCHAR, max_length=1024)
    for name in numbers:
        schema.add_field(name, DataType.INT64)
    schema.add_field("dense", DataType.FLOAT_VECTOR, dim=dimension)
    return schema


def _indexes(dense: str) -> Any:
    from pymilvus import MilvusClient

    indexes = MilvusClient.prepare_index_params()
    indexes.add_index("dense", index_type=dense, metric_type="IP")
    return indexes


def _chunks(dimension: int, dense: str) -> tuple[Any, Any]:
    from pymilvus import DataType, Function, FunctionType

    schema, indexes = _parents(dimension, dense)
    schema.add_field("parent", DataType.VARCHAR, max_length=64)
    schema.add_field(
        "words",
        DataType.VARCHAR,
        max_length=_MOST_BYTES,
        enable_analyzer=True,
        analyzer_params={"tokenizer": "standard"},
    )
    schema.add_field("sparse", DataType.SPARSE_FLOAT_VECTOR)
    schema.add_function(
        Function(
            name="bm25",
            function_type=FunctionType.BM25,
            input_field_names=["words"],
            output_field_names=["sparse"],
        )
    )
    indexes.add_index(
        "sparse",
        index_type="SPARSE_INVERTED_INDEX",
        metric_type="BM25",
        params={"inverted_index_algo": "TAAT_NAIVE", "bm25_k1": _K1, "bm25_b": _B},
    )
    return schema, indexes


def _parents(dimension: int, dense: str) -> tuple[Any, Any]:
    return _schema(dimension, ("item", "version", "language"), ("seq",)), _indexes(dense)


def _ledger() -> tuple[Any, Any]:
    # Milvus wants a vector in every collection; this one is never searched.
    return _schema(2, ("note",), ("seq", "gone")), _indexes("FLAT")
