"""One archived document with its history: proved to be whole before any of it is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from core.document import BlockKind
from core.errors import StoreDamagedError
from core.hashing import stable_id
from core.messages import MESSAGES
from core.protocols import Vectors
from core.scope import Visibility
from core.store import SentenceVectors
from core.store.raw_rows import VERSION_TABLES, RowValues, checked_rows, records_of, strings
from core.store.records import text_hash_of
from core.store.writer import document_id_of
from ingest.bundle.manifest import ORIGINALS, Manifest
from ingest.checks.structure import Structure, spans_outside, structure_problems

_TABLES: Final = ("versions", *VERSION_TABLES)

Tables = Mapping[str, Sequence[RowValues]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDocument:
    """The rows of a document by table (``documents`` first), with the vectors of its current version."""

    collection: str
    rows: dict[str, list[RowValues]]
    vectors: dict[str, Vectors]
    sentences: dict[str, SentenceVectors]

    @property
    def id(self) -> str:
        return str(self.rows["documents"][0]["id"])

    @property
    def name(self) -> str:
        return str(self.rows["documents"][0]["name"])

    @property
    def versions(self) -> tuple[tuple[str, int], ...]:
        """Id and number of each version, the oldest first."""
        return tuple((str(row["id"]), int(str(row["number"]))) for row in self.rows["versions"])

    @property
    def originals(self) -> tuple[str, ...]:
        """The SHA-256 of every file that its versions were made from, each once."""
        return tuple(dict.fromkeys(str(row["source_sha256"]) for row in self.rows["versions"]))


def line_of(collection: str, document: RowValues, version: Tables) -> dict[str, object]:
    """What stands in one line of ``documents.jsonl``."""
    return {"collection": collection, "document": document, "rows": version}


def read_line(value: object) -> tuple[str, RowValues, dict[str, list[RowValues]]]:
    """Collection, document row and the rows of one version. Raises ``ValueError`` for anything else."""
    if not isinstance(value, dict) or value.keys() != {"collection", "document", "rows"}:
        raise ValueError("a line that is no version of a document")
    rows = value["rows"]
    if not isinstance(rows, dict) or rows.keys() != set(_TABLES) or not isinstance(value["collection"], str):
        raise ValueError("a line that is no version of a document")
    document = checked_rows("documents", [value["document"]])[0]
    checked = {table: checked_rows(table, rows[table]) for table in _TABLES}
    if len(checked["versions"]) != 1:
        raise ValueError("a line with more than one version")
    return value["collection"], document, checked


def proved(document: ArchivedDocument, manifest: Manifest) -> ArchivedDocument:
    """The document. Raises ``ValueError`` where it is not what a store would have exported."""
    row, versions = document.rows["documents"][0], document.rows["versions"]
    _require(document.collection in {one.name for one in manifest.collections}, "an unknown collection")
    _require(row["id"] == document_id_of(document.collection, document.name), "a document with a wrong id")
    _require(row["collection_id"] == stable_id("collection", document.collection), "a wrong collection")
    _require(row["visibility"] in set(Visibility), "an unknown visibility")
    _require(document.versions[-1] == (row["version_id"], row["version_number"]), "a wrong current version")
    _require(all(a[1] < b[1] for a, b in pairwise(document.versions)), "versions out of order")
    _require(len({key for key, _ in document.versions}) == len(versions), "a version twice")
    for version in versions:
        _prove_version(document, version, manifest)
    _prove_vectors(document)
    return document


def _prove_version(document: ArchivedDocument, version: RowValues, manifest: Manifest) -> None:
    name = document.name
    original = manifest.members.get(f"{ORIGINALS}{version['source_sha256']}")
    _require(version["document_id"] == document.id, f"a version that is not of {name}")
    _require(text_hash_of(str(version["text"])) == version["text_sha256"], f"a changed text of {name}")
    _require(original is not None, f"no original of {name}")
    _require(original is None or original.bytes == version["source_bytes"], f"a wrong size of {name}")
    _require(all(_is_notice(notice) for notice in _list(version["notices"])), f"an unknown notice of {name}")
    for problem in _structure_problems(document, version):
        raise ValueError(f"{name}: {problem}")


def _structure_problems(document: ArchivedDocument, version: RowValues) -> Iterator[str]:
    rows = {table: _of_version(document.rows[table], version) for table in VERSION_TABLES}
    for row in (row for table in VERSION_TABLES for row in rows[table]):
        if not all(strings(row.get(name, [])) for name in ("section_path", "kinds", "reasons", "dates")):
            yield "a list that is none of texts"
    _require(all(row["kind"] in set(BlockKind) for row in rows["blocks"]), "an unknown kind of block")
    try:
        blocks, lines, parents, chunks = records_of(rows, document.id)
    except StoreDamagedError as exc:
        yield str(exc.details["reason"])
        return
    structure = Structure(
        text=str(version["text"]), blocks=blocks, lines=lines, parents=parents, chunks=chunks
    )
    if version["id"] == document.versions[-1][0]:
        yield from map(str, structure_problems(structure))
    else:
        yield from map(str, spans_outside(structure))
        if lines or parents or chunks:
            yield "chunks of an earlier version"


def _prove_vectors(document: ArchivedDocument) -> None:
    lengths = {
        str(row["embed_hash"]): _int(row["end"]) - _int(row["start"]) for row in document.rows["chunks"]
    }
    _require(document.vectors.keys() == lengths.keys(), f"vectors that are not those of {document.name}")
    _require(document.sentences.keys() <= lengths.keys(), f"sentences that are not of {document.name}")
    for key, sentences in document.sentences.items():
        _require(int(sentences.spans.max(initial=0)) <= lengths[key], f"sentences outside {document.name}")


def _of_version(rows: Sequence[RowValues], version: RowValues) -> list[RowValues]:
    return [row for row in rows if row["version_id"] == version["id"]]


def _is_notice(notice: Any) -> bool:
    """``[code, [[name, value], ...]]`` of a message that this program knows."""
    return (
        isinstance(notice, list)
        and len(notice) == 2
        and notice[0] in MESSAGES
        and isinstance(notice[1], list)
        and all(strings(pair) and len(pair) == 2 for pair in notice[1])
    )


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _int(value: object) -> int:
    return int(str(value))


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
