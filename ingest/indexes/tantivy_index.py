"""BM25 through tantivy, for bases of many chunks: on disk, and changed without being made anew.

Tantivy's segment files never change once written, so a folder of hard links to them is a copy that can be
committed into while readers of the former one go on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import tantivy

from core.store.blobs import sync_folder
from ingest.indexes.lexical import Entry
from ingest.indexes.linking import link_tree
from ingest.indexes.search_index import Allowed

_ANALYZER: Final = "our-tokens"
# Tantivy drops tokens above 65,530 bytes; what is longer than this tells nothing more.
_MAX_TOKEN_CHARS: Final = 255
_HEAP_BYTES: Final = 64_000_000


class TantivyIndex:
    """Ties in the order of tantivy's documents. Scores are those of its BM25 (k1 1.2, b 0.75).

    Its inverse document frequencies count chunks that were taken out until their segment is merged, which
    shifts scores a little and membership never; ``document_frequency`` counts only what is there.
    """

    name = "tantivy"

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._index = None if folder is None else _opened(folder)
        self._searcher = None if self._index is None else _searcher(self._index)

    def __len__(self) -> int:
        return 0 if self._searcher is None else int(self._searcher.num_docs)

    def search(self, tokens: Sequence[str], limit: int, allowed: Allowed = None) -> list[tuple[str, float]]:
        """Chunk ids and scores (> 0), best first."""
        words = dict.fromkeys(token[:_MAX_TOKEN_CHARS] for token in tokens)
        if self._searcher is None or limit < 1 or not words or (allowed is not None and not allowed):
            return []
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, self._term(word)) for word in words])
        if allowed is not None:
            versions = tantivy.Query.term_set_query(_schema(), "version", list(allowed))
            inside = tantivy.Query.const_score_query(versions, 0.0)
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, inside)])
        found = self._searcher.search(query, limit, count=False)
        return [(_chunk_id(self._searcher.doc(address)), score) for score, address in found.hits]

    def document_frequency(self, token: str) -> int:
        """How many chunks hold the token; those taken out are not counted."""
        if self._searcher is None:
            return 0
        word = token[:_MAX_TOKEN_CHARS]
        if self._searcher.doc_freq("every", "1") == len(self):
            return int(self._searcher.doc_freq("tokens", word))
        # What tantivy has at hand counts chunks that were taken out: go through the list of the token.
        return int(self._searcher.search(self._term(word), 1, count=True).count)

    def changed(self, gone: Collection[str], came: Iterable[Entry], folder: Path) -> TantivyIndex:
        """The index under ``folder``: links to the files of this one, and what is new."""
        folder.mkdir(parents=True, exist_ok=True)
        if self._folder is not None:
            link_tree(self._folder, folder)
        try:
            writer = _opened(folder).writer(heap_size=_HEAP_BYTES, num_threads=1)
            for version_id in gone:
                writer.delete_documents_by_term("version", version_id)
            for entry in came:
                writer.add_document(_document(entry))
            writer.commit()
            writer.wait_merging_threads()
            return TantivyIndex(folder)
        except ValueError as exc:
            # What tantivy says of a full disk, or of a folder that cannot be written or read.
            raise OSError(str(exc)) from exc

    def save(self, folder: Path) -> None:
        """Everything is there already; only the names are made durable."""
        sync_folder(folder)

    @classmethod
    def open(cls, folder: Path) -> TantivyIndex:
        """What ``changed`` left under ``folder``."""
        if not tantivy.Index.exists(str(folder)):
            raise ValueError(f"no index under {folder.name}")
        return cls(folder)

    def _term(self, token: str) -> Any:
        return tantivy.Query.term_query(_schema(), "tokens", token, "freq")


@cache
def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_bytes_field("chunk", stored=True)
    builder.add_text_field("version", tokenizer_name="raw", index_option="basic")
    # Every chunk has the same word here: so many are there together with those that were taken out.
    builder.add_text_field("every", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("tokens", tokenizer_name=_ANALYZER, index_option="freq")
    return builder.build()


def _opened(folder: Path) -> Any:
    """The index under ``folder``, made when there is none."""
    index = tantivy.Index(_schema(), path=str(folder))
    # Our tokens, one after the other with a space between them: no filter of tantivy's own touches them.
    words = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_ANALYZER, words)
    return index


def _searcher(index: Any) -> Any:
    # Without a thread that watches the folder: what is under it never changes again.
    index.config_reader(reload_policy="manual")
    index.reload()
    return index.searcher()


def _document(entry: Entry) -> Any:
    tokens = " ".join(token[:_MAX_TOKEN_CHARS] for token in entry.tokens)
    return tantivy.Document(chunk=entry.chunk_id.encode(), version=entry.version_id, every="1", tokens=tokens)


def _chunk_id(document: Any) -> str:
    return bytes(document["chunk"][0]).decode()
