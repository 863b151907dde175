"""What is put in comes out again, the same on every database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from core.errors import DocumentOwnedError, ModelMismatchError, StoreDamagedError, UnknownDocumentError
from core.scope import Visibility
from core.span import Span
from core.store import Store
from core.store.records import embed_hash_of
from tests.core.store.documents import MODEL, prepared, sentences_of, vector_of


def test_a_document_comes_back_as_it_was_put(store: Store) -> None:
    wanted = prepared("手册.md", "员工请假。", "The pump.", owner="ann", visibility=Visibility.PRIVATE)
    with store.write() as writer:
        assert writer.put(wanted) == 1
    with store.read() as reader:
        row = reader.document("手册.md", "default")
        version = reader.version(row.version_id)
        assert (row.owner, row.visibility, row.chunk_count) == ("ann", Visibility.PRIVATE, 2)
        assert row.notices == wanted.document.notices
        assert version.text == wanted.document.text
        assert reader.blocks(row.version_id) == wanted.document.blocks
        assert reader.lines(row.version_id, Span(0, 1)) == wanted.document.lines
        assert reader.parents(row.version_id) == wanted.parents
        chunks = reader.chunks_of(row.version_id)
        assert [(c.embed_text, c.language, c.dates) for c in chunks] == [
            ("员工请假。", "zh", ("2024-05",)),
            ("The pump.", "en", ("2024-05",)),
        ]
        assert tuple(reader.children([chunks[0].parent_id])[chunks[0].parent_id]) == chunks
        assert reader.chunks([chunks[1].id, "none"]) == {chunks[1].id: chunks[1]}
        assert list(reader.all_chunks()) == list(chunks)
        assert reader.generation() == 1


def test_vectors_of_chunks_and_of_their_sentences_come_back(store: Store) -> None:
    with store.write() as writer:
        writer.put(prepared("a", "一句。二句。", "另一段。"))
    keys = [embed_hash_of("一句。二句。"), embed_hash_of("另一段。")]
    with store.read() as reader:
        vectors = reader.vectors([*keys, "none", keys[0]], MODEL)
        sentences = reader.sentence_vectors([*keys, "none"], MODEL)
        assert reader.vectors(keys, "model-b") == {} == reader.sentence_vectors(keys, "model-b")
    assert vectors.keys() == sentences.keys() == set(keys)
    for key in keys:
        np.testing.assert_array_equal(vectors[key], vector_of(key), strict=True)
        expected = sentences_of(key)
        np.testing.assert_array_equal(sentences[key].spans, expected.spans, strict=True)
        np.testing.assert_array_equal(sentences[key].scales, expected.scales, strict=True)
        np.testing.assert_array_equal(sentences[key].data, expected.data, strict=True)


def test_vectors_stay_as_long_as_some_chunk_has_their_text(store: Store) -> None:
    with store.write() as writer:
        writer.put(prepared("a", "甲", "乙"))
        writer.put(prepared("b", "乙", "丙"))
        assert writer.put(prepared("a", "丁", "戊")) == 2
    with store.read() as reader:
        kept = reader.vectors(map(embed_hash_of, "甲乙丙丁戊"), MODEL)
        assert kept.keys() == set(map(embed_hash_of, "乙丙丁戊"))
        assert reader.sentence_vectors(map(embed_hash_of, "甲乙"), MODEL).keys() == {embed_hash_of("乙")}
    with store.write() as writer:
        gone = writer.remove([writer.reader.document("a").id])
        assert gone == {prepared("a", "甲", "乙").source_sha256, prepared("a", "丁", "戊").source_sha256}
    with store.read() as reader:
        assert reader.count("vectors") == reader.count("sentence_vectors") == 2
        for table in ("documents", "versions", "parents", "blocks", "page_lines"):
            assert reader.count(table) == 1, table


def test_chunks_of_many_versions_come_in_the_order_asked_for(store: Store) -> None:
    with store.write() as writer:
        for number in range(120):
            writer.put(prepared(f"{number}", f"甲{number}", f"乙{number}"))
    with store.read() as reader:
        ids = [row.version_id for row in reader.current_versions()]
        assert ids == sorted(ids)
        wanted = [*ids[100:], *ids[:100]]
        chunks = list(reader.chunks_of_versions(wanted))
    assert [chunk.version_id for chunk in chunks] == [key for key in wanted for _ in range(2)]
    assert [chunk.ordinal for chunk in chunks] == [0, 1] * 120


def test_names_are_ordered_by_code_points_whatever_the_server_prefers(store: Store) -> None:
    names = ["b", "A", "Z", "a", "一", "é", "_"]
    with store.write() as writer:
        for name in names:
            writer.put(prepared(name, "x"))
    with store.read() as reader:
        assert [row.name for row in reader.documents()] == sorted(names)


def test_text_may_hold_any_character(store: Store) -> None:
    text = "a\0b \x01 \ud7ff \ue000 \U0010ffff 'quoted' \\ %s :name"
    with store.write() as writer:
        writer.put(prepared("nul\0name", text, "c\0"))
    with store.read() as reader:
        row = reader.document("nul\0name")
        assert reader.version(row.version_id).text == f"{text}\nc\0"
        assert [chunk.embed_text for chunk in reader.chunks_of(row.version_id)] == [text, "c\0"]


def test_a_collection_of_one_chat_is_forgotten_and_others_are_not(store: Store) -> None:
    with store.write() as writer:
        for name in ("chat:1", "CHAT:2", "chat_3", "chat:4"):
            writer.ensure_collection(name)
        writer.put(prepared("a", "x", collection="chat:4"))
        writer.drop_empty_collections("chat:")
    with store.read() as reader:
        assert reader.collections() == ("CHAT:2", "chat:4", "chat_3")


def test_removing_a_collection_takes_its_documents_with_it(store: Store) -> None:
    with store.write() as writer:
        writer.put(prepared("a", "x", collection="one"))
        writer.put(prepared("a", "x", collection="two"))
        assert writer.remove_collection("one") == frozenset()
    with store.write() as writer:
        assert writer.reader.collections() == ("two",)
        assert writer.remove_collection("two") == {prepared("a", "x").source_sha256}
    with store.read() as reader:
        assert {t: reader.count(t) for t in ("documents", "versions", "chunks", "vectors")} == {
            "documents": 0, "versions": 0, "chunks": 0, "vectors": 0,
        }  # fmt: skip


def test_another_model_is_refused_with_both_names(store: Store) -> None:
    with store.write() as writer:
        writer.put(prepared("a", "x"))
    with pytest.raises(ModelMismatchError) as caught, store.write() as writer:
        writer.put(prepared("b", "y", model="model-b"))
    assert caught.value.details == {"stored": MODEL, "current": "model-b"}
    with store.write() as writer:
        writer.change_model("model-b")
    with store.read() as reader:
        assert reader.count("vectors") == reader.count("sentence_vectors") == 0


def test_another_users_document_is_not_replaced(store: Store) -> None:
    with store.write() as writer:
        writer.put(prepared("plan", "ann's", owner="ann", visibility=Visibility.PRIVATE))
    with pytest.raises(DocumentOwnedError), store.write() as writer:
        writer.put(prepared("plan", "bob's", owner="bob"))
    with store.write() as writer:
        writer.put(prepared("plan", "ann's second", owner="ann"))
        assert writer.put(prepared("plan", "the operator's")) == 3
    with store.read() as reader:
        row = reader.document("plan")
        assert (row.owner, row.visibility) == ("ann", Visibility.PRIVATE)


@pytest.mark.parametrize(
    ("damage", "table"),
    [
        ("text = 'another text'", "versions"),
        ("embed_text = 'another text'", "chunks"),
        ("section_path = 'no json'", "chunks"),
        ('"end" = start', "chunks"),
        ("section_path = 'null'", "parents"),
        ("kind = 'nonsense'", "blocks"),
        ("visibility = 'nobody'", "documents"),
        ("spans = substr(spans, 2)", "sentence_vectors"),
        ("scales = substr(scales, 2)", "sentence_vectors"),
        ("data = substr(data, 2)", "vectors"),
    ],
)
def test_what_was_changed_on_the_disk_is_refused(tmp_path: Path, damage: str, table: str) -> None:
    store = Store(tmp_path)
    with store.write() as writer:
        writer.put(prepared("a", "x"))
    with sqlite3.connect(tmp_path / "youju.db") as connection:
        connection.execute(f"UPDATE {table} SET {damage}")
    connection.close()
    version_id = prepared("a", "x").version_id
    with pytest.raises(StoreDamagedError), store.read() as reader:
        reader.documents()
        reader.version(version_id)
        reader.blocks(version_id)
        reader.parents(version_id)
        reader.chunks_of(version_id)
        reader.vectors([embed_hash_of("x")], MODEL)
        reader.sentence_vectors([embed_hash_of("x")], MODEL)


def test_what_is_gone_is_unknown(store: Store) -> None:
    with store.read() as reader:
        with pytest.raises(UnknownDocumentError):
            reader.version("none")
        with pytest.raises(UnknownDocumentError):
            reader.document("none")
        assert reader.find("none") is None
