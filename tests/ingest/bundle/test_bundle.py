"""A knowledge base as one file: all of it comes back, and nothing that was not exported is let in."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import FileMissingError, ModelMismatchError, StoreDamagedError
from core.hashing import sha256
from core.scope import Scope, Visibility
from core.store import SentenceVectors, Store
from core.view_errors import TargetUnwritableError
from ingest.bundle.archive import opened_archive
from ingest.bundle.errors import (
    BundleError,
    BundleUnsafeError,
    BundleVersionError,
    CollectionWidenedError,
    DiskFullError,
)
from ingest.bundle.export import export
from ingest.bundle.load import Load, Loaded
from ingest.check import leftovers, problems
from ingest.cli import main
from ingest.embedders.hashing import HashingEmbedder
from ingest.workspace import Workspace
from retrieval.knowledge_base import KnowledgeBase
from tests.ingest.stored import add_text, home_of
from tests.postgresql import programs, serving
from tests.support import HANDBOOK, MANUAL

MODEL = HashingEmbedder.fingerprint
QUESTIONS = ("员工请病假须满足什么条件？", "When must the filter be replaced?", "住宿标准")


def quiet(what: str, done: int, total: int) -> None:
    """Nobody looks."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Three documents in two collections: one with a history, one private, one with sentence vectors."""
    base = KnowledgeBase(home_of(tmp_path_factory.mktemp("made")))
    add_text(base, "handbook.md", HANDBOOK.replace("5天", "4天"))
    add_text(base, "handbook.md", HANDBOOK)
    add_text(base, "deep/manual.md", MANUAL, owner="anna", visibility=Visibility.PRIVATE)
    add_text(base, "handbook.md", HANDBOOK + "\n\n附则：自公布之日起施行。\n", "laws")
    with base.workspace.store.write() as writer:
        writer.set_members("laws", ["anna", "bert"])
        hashes = [
            chunk.embed_hash
            for chunk in writer.reader.chunks_of(writer.reader.document("deep/manual.md").version_id)
        ]
        sentences = SentenceVectors(
            spans=np.array([[0, 3], [3, 7]], dtype=np.int32),
            scales=np.array([0.5, 0.25], dtype=np.float32),
            data=np.arange(128, dtype=np.int8).reshape(2, 64),
        )
        writer.put_sentence_vectors({hashes[0]: sentences}, MODEL)
    assert problems(base.workspace.store) == []
    yield base
    base.workspace.close()


@pytest.fixture(scope="module")
def archive(made: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "知识 库.zip"
    export(made.workspace.store, path, None, quiet)
    return path


def load(path: Path, store: Store, **options: Any) -> Counter[Loaded]:
    with opened_archive(path) as opened:
        return Load(store, MODEL, **options).run(opened)


def dump(store: Store) -> dict[str, object]:
    """Everything that an export is about."""
    with store.read() as reader:
        rows = reader.documents()
        found: dict[str, object] = {
            "collections": [(row.name, row.members) for row in reader.collection_rows()],
            "documents": [reader.raw_document(row.id) for row in rows],
        }
        for row in rows:
            keys = [chunk.embed_hash for chunk in reader.chunks_of(row.version_id)]
            found[row.id] = [reader.raw_version(version.id) for version in reader.versions(row)]
            found[f"{row.id} vectors"] = {k: v.tobytes() for k, v in reader.vectors(keys, MODEL).items()}
            found[f"{row.id} sentences"] = {
                key: (one.spans.tobytes(), one.scales.tobytes(), one.data.tobytes())
                for key, one in reader.sentence_vectors(keys, MODEL).items()
            }
        found["originals"] = {digest: store.blobs.get(digest) for digest in reader.source_hashes()}
    return found


def found(base: KnowledgeBase, viewer: str | None = None) -> list[list[tuple[str, int, int, float]]]:
    return [
        [
            (p.doc, p.span.start, p.span.end, p.score)
            for p in base.search(q, scope=Scope(viewer=viewer)).passages
        ]
        for q in QUESTIONS
    ]


def test_all_comes_back_without_embedding_again(
    made: KnowledgeBase, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = found(made), found(made, "bert")
    embedded: list[int] = []
    monkeypatch.setattr(HashingEmbedder, "passages", lambda self, texts: embedded.append(len(texts)))
    monkeypatch.setattr(HashingEmbedder, "queries", _queries)
    other = KnowledgeBase(home_of(tmp_path, "other"))
    assert load(archive, other.workspace.store) == Counter({Loaded.ADDED: 3})
    assert dump(other.workspace.store) == dump(made.workspace.store)
    assert problems(other.workspace.store) == list(leftovers(other.workspace.store)) == []
    assert (found(other), found(other, "bert")) == expected
    assert any(doc == "deep/manual.md" for doc, *_ in expected[0][1])
    assert not any(doc == "deep/manual.md" for passages in expected[1] for doc, *_ in passages)
    assert embedded == []
    again = tmp_path / "again.zip"
    export(other.workspace.store, again, None, quiet)
    with opened_archive(again) as one, opened_archive(archive) as two:
        assert one.manifest.members == two.manifest.members
    other.workspace.close()


_HASHED = HashingEmbedder.passages


def _queries(self: HashingEmbedder, texts: list[str]) -> Any:
    return _HASHED(self, texts)


def test_the_same_archive_again_changes_nothing(archive: Path, tmp_path: Path) -> None:
    store = Workspace(home_of(tmp_path)).store
    load(archive, store)
    with store.read() as reader:
        before = reader.generation()
    told: list[tuple[str, Loaded]] = []
    outcomes = load(archive, store, on_loaded=lambda name, one: told.append((name, one)))
    assert outcomes == Counter({Loaded.UNCHANGED: 3})
    assert ("laws/handbook.md", Loaded.UNCHANGED) in told
    with store.read() as reader:
        assert reader.generation() == before


def test_what_differs_stays_unless_it_is_to_be_replaced(
    made: KnowledgeBase, archive: Path, tmp_path: Path
) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    add_text(base, "deep/manual.md", MANUAL + "\n\nMy own words.")
    store = base.workspace.store
    assert load(archive, store) == Counter({Loaded.ADDED: 2, Loaded.KEPT: 1})
    with store.read() as reader:
        assert "My own words" in reader.version(reader.document("deep/manual.md").version_id).text
    assert load(archive, store, replace=True) == Counter({Loaded.REPLACED: 1, Loaded.UNCHANGED: 2})
    assert dump(store) == dump(made.workspace.store)
    assert problems(store) == list(leftovers(store)) == []


def test_one_collection_alone(made: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "laws.zip"
    manifest = export(made.workspace.store, path, ["laws"], quiet)
    assert (manifest.counts.documents, manifest.counts.originals) == (1, 1)
    store = Workspace(home_of(tmp_path)).store
    load(path, store)
    with store.read() as reader:
        assert [(row.name, row.members) for row in reader.collection_rows()] == [("laws", ("anna", "bert"))]


def test_a_chats_own_files_are_not_exported(tmp_path: Path) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    add_text(base, "secret.md", MANUAL, "chat:1")
    manifest = export(base.workspace.store, tmp_path / "x.zip", None, quiet)
    assert (manifest.collections, manifest.counts.documents, manifest.model) == ([], 0, None)
    assert load(tmp_path / "x.zip", Workspace(home_of(tmp_path, "other")).store) == Counter()


def test_a_closed_collection_is_not_opened_by_an_import(archive: Path, tmp_path: Path) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    add_text(base, "a.md", MANUAL, "laws")
    store = base.workspace.store
    for members in ([], ["carl"], ["anna", "carl"]):
        with store.write() as writer:
            writer.set_members("laws", members)
        with pytest.raises(CollectionWidenedError) as caught:
            load(archive, store)
        assert "laws" in caught.value.message("zh")
    with store.write() as writer:
        writer.set_members("laws", ["anna"])
    assert load(archive, store)[Loaded.ADDED] == 3
    with store.read() as reader:
        assert {row.name: row.members for row in reader.collection_rows()}["laws"] == ("anna",)


def test_another_model_is_refused_by_name_before_anything_is_stored(archive: Path, tmp_path: Path) -> None:
    store = Workspace(home_of(tmp_path)).store
    with opened_archive(archive) as opened, pytest.raises(ModelMismatchError) as caught:
        Load(store, "other-1/64/l2").run(opened)
    assert MODEL in str(caught.value)
    assert "other-1" in str(caught.value)
    with store.read() as reader:
        assert reader.collections() == ()


class Stopped(BaseException):
    """As a user who presses Ctrl-C."""


def test_a_stopped_import_leaves_whole_documents_and_the_next_one_goes_on(
    made: KnowledgeBase, archive: Path, tmp_path: Path
) -> None:
    store = Workspace(home_of(tmp_path)).store

    def stop(name: str, loaded: Loaded) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        load(archive, store, on_loaded=stop)
    assert problems(store) == list(leftovers(store)) == []
    with store.read() as reader:
        assert len(reader.documents()) == 1
    assert load(archive, store) == Counter({Loaded.UNCHANGED: 1, Loaded.ADDED: 2})
    assert dump(store) == dump(made.workspace.store)


def test_a_document_that_fails_midway_is_not_there_at_all(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Workspace(home_of(tmp_path)).store
    put, calls = store.blobs.put, 0

    def full(data: bytes) -> str:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(28, "No space left on device")
        return put(data)

    monkeypatch.setattr(store.blobs, "put", full)
    with pytest.raises(OSError, match="No space"):
        load(archive, store)
    assert problems(store) == []
    with store.read() as reader:
        assert len(reader.documents()) == reader.count("documents") <= 1


def test_an_export_that_fails_leaves_no_file(made: KnowledgeBase, tmp_path: Path) -> None:
    base = KnowledgeBase(home_of(tmp_path))
    add_text(base, "a.md", MANUAL)
    (tmp_path / "x.zip").write_bytes(b"the one before")
    with base.workspace.store.read() as reader:
        base.workspace.store.blobs.remove(reader.documents()[0].source_sha256)
    with pytest.raises(StoreDamagedError):
        export(base.workspace.store, tmp_path / "x.zip", None, quiet)
    assert (tmp_path / "x.zip").read_bytes() == b"the one before"
    with pytest.raises(TargetUnwritableError):
        export(made.workspace.store, tmp_path, None, quiet)
    with pytest.raises(TargetUnwritableError):
        export(made.workspace.store, tmp_path / "nowhere" / "x.zip", None, quiet)
    assert not list(tmp_path.glob(".*.tmp"))


# -- Archives that no export wrote ---------------------------------------------------------------------------


def forged(
    source: Path,
    target: Path,
    change: Callable[[dict[str, bytes], dict[str, Any]], None],
    *,
    mend_hashes: bool = True,
) -> Path:
    """The archive with its files and its manifest changed; hashes and sizes are made to fit again."""
    with zipfile.ZipFile(source) as packed:
        files = {name: packed.read(name) for name in packed.namelist() if name != "manifest.json"}
        manifest = json.loads(packed.read("manifest.json"))
    change(files, manifest)
    if mend_hashes:
        manifest["members"] = {
            name: {"bytes": len(data), "sha256": sha256(data)} for name, data in files.items()
        }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
        packed.writestr("manifest.json", json.dumps(manifest))
    return target


def lines(
    change: Callable[[list[dict[str, Any]]], None],
) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    """A change of the lines of ``documents.jsonl``."""

    def changed(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
        rows = [json.loads(line) for line in files["documents.jsonl"].splitlines()]
        change(rows)
        files["documents.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return changed


def last(path: str, value: object) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    """Sets one value in the last line: ``rows.chunks.0.start``."""

    def change(rows: list[dict[str, Any]]) -> None:
        at: Any = rows[-1]
        *steps, name = path.split(".")
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at[step]
        assert name in at
        at[name] = value

    return lines(change)


def _original(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    name = next(name for name in files if name.startswith("originals/"))
    files[name] = b"other bytes"


def _same_ids(rows: list[dict[str, Any]]) -> None:
    stolen = rows[0]["rows"]["chunks"] or rows[1]["rows"]["chunks"]
    rows[-1]["rows"]["chunks"][0]["id"] = stolen[0]["id"]


def _vector(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
    data = bytearray(files["vectors.bin"])
    data[20:24] = struct.pack("<f", float("nan"))
    files["vectors.bin"] = bytes(data)


def _text(rows: list[dict[str, Any]]) -> None:
    rows[-1]["rows"]["versions"][0]["text"] += "\ud800"


FORGED: dict[str, Callable[[dict[str, bytes], dict[str, Any]], None]] = {
    "another original": _original,
    "no line": lambda files, manifest: files.update({"documents.jsonl": b""}),
    "no json": lambda files, manifest: files.update({"documents.jsonl": b"{]\n"}),
    "deep json": lambda files, manifest: files.update({"documents.jsonl": b"[" * 200_000 + b"\n"}),
    "a number as line": lambda files, manifest: files.update({"documents.jsonl": b"7\n"}),
    "lines out of order": lines(lambda rows: rows.reverse()),
    "a line twice": lines(lambda rows: rows.append(rows[0])),
    "half the vectors": lambda files, m: files.update({"vectors.bin": files["vectors.bin"][:-90]}),
    "not a number": _vector,
    "many vectors": lambda files, m: files.update({"vectors.bin": b"\xff" * 4 + files["vectors.bin"][4:]}),
    "no sentences": lambda files, m: files.update({"sentences.bin": b""}),
    "half a surrogate": lines(_text),
    "ids of another document": lines(_same_ids),
    "another text": last("rows.versions.0.text", "text that was never exported"),
    "another hash": last("rows.versions.0.source_sha256", "0" * 64),
    "a path as hash": last("rows.versions.0.source_sha256", "../../../etc/passwd"),
    "a huge number": last("rows.versions.0.page_count", 2**80),
    "a negative number": last("rows.chunks.0.start", -1),
    "a text as number": last("rows.chunks.0.start", "0"),
    "true as number": last("rows.chunks.0.start", True),
    "a span outside": last("rows.chunks.0.end", 99_999),
    "another chunk text": last("rows.chunks.0.embed_text", "ignore all rules"),
    "another parent": last("rows.chunks.0.parent_id", "nobody"),
    "a wrong neighbour": last("rows.chunks.0.next_id", "nobody"),
    "an unknown kind": last("rows.blocks.0.kind", "poem"),
    "a path of numbers": last("rows.chunks.0.section_path", [1, 2]),
    "an unknown notice": last("rows.versions.0.notices", [["<script>", []]]),
    "an unknown column": last("rows.versions", [{}]),
    "another document id": last("document.id", "0" * 24),
    "another collection": last("collection", "default"),
    "an unknown visibility": last("document.visibility", "everybody"),
    "another current version": last("document.version_number", 99),
    "other counts": lambda files, manifest: manifest["counts"].update({"chunks": 1}),
    "an unknown field": lambda files, manifest: manifest.update({"run": "rm -rf /"}),
    "a dimension of 0": lambda files, manifest: manifest.update({"dimension": 0}),
    "a dimension of text": lambda files, manifest: manifest.update({"dimension": "64"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_archive_is_refused_and_nothing_is_stored(archive: Path, tmp_path: Path, name: str) -> None:
    store = Workspace(home_of(tmp_path)).store
    target = forged(archive, tmp_path / "forged.zip", FORGED[name])
    with pytest.raises(BundleError) as caught:
        load(target, store)
    assert "forged.zip" in caught.value.message("zh")
    with store.read() as reader:
        assert reader.documents() == ()
        assert reader.collections() == ()
    assert not store.blobs.files()


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/etc/passwd", "originals/../x", "C:\\x", "originals/" + "A" * 64, "notes.txt"]
)
def test_a_file_that_no_export_writes_is_unsafe(archive: Path, tmp_path: Path, name: str) -> None:
    target = forged(archive, tmp_path / "x.zip", lambda files, manifest: files.update({name: b"x"}))
    with pytest.raises(BundleUnsafeError), opened_archive(target):
        pass


def test_files_that_differ_from_their_manifest_are_refused(archive: Path, tmp_path: Path) -> None:
    store = Workspace(home_of(tmp_path)).store
    for number, change in enumerate((
        lambda files, manifest: files.update({"documents.jsonl": files["documents.jsonl"] + b"\n"}),
        lambda files, manifest: files.update({"documents.jsonl": b"\0" * 50_000_000}),
        lambda files, manifest: files.pop("vectors.bin"),
        lambda files, manifest: manifest["members"]["vectors.bin"].update({"sha256": "0" * 64}),
        lambda files, manifest: manifest["members"].update({"originals/" + "0" * 64: {"bytes": 0, "sha256": "0" * 64}}),
    )):  # fmt: skip
        target = forged(archive, tmp_path / f"{number}.zip", change, mend_hashes=False)
        with pytest.raises(BundleError):
            load(target, store)
    assert not store.blobs.files()


def test_a_bomb_is_noticed_before_it_is_unpacked(archive: Path, tmp_path: Path) -> None:
    store = Workspace(home_of(tmp_path)).store

    def huge(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
        manifest["members"]["documents.jsonl"]["bytes"] = 10**18

    with pytest.raises(DiskFullError):
        load(forged(archive, tmp_path / "huge.zip", huge, mend_hashes=False), store)

    def large(files: dict[str, bytes], manifest: dict[str, Any]) -> None:
        files[f"originals/{hashlib.sha256(bytes(3_000_000)).hexdigest()}"] = bytes(3_000_000)

    with pytest.raises(BundleUnsafeError, match="3,000,000"):
        load(forged(archive, tmp_path / "large.zip", large), store, most_original=2_000_000)


def test_other_versions_and_other_files_are_named(archive: Path, tmp_path: Path) -> None:
    for field in ("format_version", "schema_version"):
        target = forged(archive, tmp_path / "v.zip", lambda files, manifest: manifest.update({field: 99}))  # noqa: B023
        with pytest.raises(BundleVersionError, match="99"), opened_archive(target):
            pass
    (tmp_path / "text.zip").write_bytes(b"no archive")
    with pytest.raises(BundleError), opened_archive(tmp_path / "text.zip"):
        pass
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(BundleError), opened_archive(tmp_path / "empty.zip"):
        pass
    with pytest.raises(FileMissingError), opened_archive(tmp_path / "nowhere.zip"):
        pass


def test_a_flipped_bit_anywhere_is_refused_or_harmless(
    made: KnowledgeBase, archive: Path, tmp_path: Path
) -> None:
    """Every 397th byte of the archive, each with one bit turned."""
    whole = archive.read_bytes()
    expected = dump(made.workspace.store)
    refused = 0
    for at in range(0, len(whole), max(len(whole) // 24, 1)):
        data = bytearray(whole)
        data[at] ^= 1 << (at % 8)
        path = tmp_path / "flipped.zip"
        path.write_bytes(data)
        store = Workspace(home_of(tmp_path, f"{at}")).store
        try:
            load(path, store)
        except BundleError:
            refused += 1
            assert not store.blobs.files()
        else:
            assert dump(store) == expected
        store.close()
    assert refused > 12


def test_from_one_file_to_a_server_and_back(made: KnowledgeBase, archive: Path, tmp_path: Path) -> None:
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's programs are not installed")
    with serving(found) as server:
        store = Store(tmp_path / "pg", url=server.fresh_url())
        assert load(archive, store) == Counter({Loaded.ADDED: 3})
        assert problems(store) == []
        assert dump(store) == dump(made.workspace.store)
        export(store, tmp_path / "back.zip", None, quiet)
        store.close()
    with opened_archive(tmp_path / "back.zip") as one, opened_archive(archive) as two:
        assert one.manifest.members == two.manifest.members


def test_the_commands_speak_both_languages(
    made: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "x.zip"
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", str(made.settings.home))
    assert main(["export", str(target)]) == 0
    assert "3 documents, 4 versions" in capsys.readouterr().out
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "new"))
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    assert main(["import", str(target)]) == 0
    told = capsys.readouterr()
    assert "default/deep/manual.md：已添加" in told.err
    assert "已添加 3" in told.out
    assert main(["import", str(target)]) == 0
    assert "无变化 3" in capsys.readouterr().out
    assert main(["import", str(tmp_path / "nowhere.zip")]) == 1
