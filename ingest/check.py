"""Proof that what is stored belongs together."""

from __future__ import annotations

from collections.abc import Iterator

from core.errors import StoreDamagedError
from core.span import Span, is_blank
from core.store import DocumentRow, Reader, Store


def problems(store: Store) -> list[str]:
    """Every broken invariant in words; empty when all hold.

    Looked at: originals and their hashes, spans inside their text, every visible character inside a
    chunk, every chunk inside its parent, a vector for every chunk, no vector without a chunk.
    """
    with store.read() as reader:
        found: list[str] = []
        for row in reader.documents():
            found += (
                f"{row.collection}/{row.name}: {problem}" for problem in _of_document(store, reader, row)
            )
        found += _of_vectors(reader)
    return found


def _of_document(store: Store, reader: Reader, row: DocumentRow) -> Iterator[str]:
    try:
        store.blobs.get(row.source_sha256)
    except StoreDamagedError as exc:
        yield str(exc.details["reason"])
    text = reader.version(row.version_id).text
    chunks = reader.chunks_of(row.version_id)
    parents = {parent.id: parent for parent in reader.parents(row.version_id)}
    if not chunks:
        yield "no chunk"
    for chunk in chunks:
        if chunk.span.end > len(text):
            yield f"chunk {chunk.id} ends at {chunk.span.end}, the text at {len(text)}"
        parent = parents.get(chunk.parent_id)
        if parent is None or not parent.span.contains(chunk.span):
            yield f"chunk {chunk.id} is outside its parent"
    uncovered = uncovered_characters(text, [chunk.span for chunk in chunks])
    if uncovered:
        yield f"{uncovered} characters are in no chunk"


def uncovered_characters(text: str, spans: list[Span]) -> int:
    """How many visible characters of ``text`` lie in none of the spans (ascending by start)."""
    covered_to, missing = 0, 0
    for span in spans:
        missing += sum(not is_blank(char) for char in text[covered_to : span.start])
        covered_to = max(covered_to, span.end)
    return missing + sum(not is_blank(char) for char in text[covered_to:])


def _of_vectors(reader: Reader) -> Iterator[str]:
    model = reader.embedding_model()
    hashes = {chunk.embed_hash for chunk in reader.all_chunks()}
    if not hashes:
        return
    if model is None:
        yield "chunks without an embedding model"
        return
    vectors = reader.vectors(hashes, model)
    if missing := len(hashes) - len(vectors):
        yield f"{missing} chunks have no vector of {model}"
    if len({len(vector) for vector in vectors.values()}) > 1:
        yield "vectors of different dimension"
