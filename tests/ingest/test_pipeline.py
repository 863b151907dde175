"""Adding files: every outcome, nothing half, nothing lost, nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.document import Document
from core.errors import DocumentError, FileMissingError, ModelMismatchError, UnknownDocumentError
from core.reading import DEFAULT_READING, Reading
from core.settings import Settings
from core.store.writer import document_id_of
from ingest.check import problems
from ingest.embed_again import embed_again
from ingest.embedders.hashing import HashingEmbedder
from ingest.focus import make_focus
from ingest.prepare import make_splitter, prepare
from ingest.report import Outcome, Progress, Stage
from ingest.sources import sources_of
from ingest.workspace import Workspace
from retrieval.knowledge_base import KnowledgeBase
from tests.support import HANDBOOK, MANUAL, make_ingest


def outcomes(base: KnowledgeBase, *paths: Path) -> dict[str, Outcome]:
    report = make_ingest(base).add(list(paths), "default")
    return {result.name: result.outcome for result in report.files}


def test_the_same_file_again_does_nothing_and_says_so(base: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HANDBOOK, "utf-8")
    assert outcomes(base, path) == {"a.md": Outcome.ADDED}
    with base.workspace.store.read() as reader:
        before = (reader.generation(), reader.count("chunks"), reader.count("vectors"))
    for _ in range(3):
        assert outcomes(base, path) == {"a.md": Outcome.UNCHANGED}
    with base.workspace.store.read() as reader:
        assert (reader.generation(), reader.count("chunks"), reader.count("vectors")) == before


def test_a_copy_under_another_name_names_its_twin(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(HANDBOOK, "utf-8")
    (tmp_path / "b.md").write_text(HANDBOOK, "utf-8")
    report = make_ingest(base).add([tmp_path / "a.md", tmp_path / "b.md"], "default")
    assert report.files[1].outcome is Outcome.DUPLICATE
    assert report.files[1].same_as == "a.md"


def test_an_edited_file_replaces_its_chunks_and_reuses_vectors(base: KnowledgeBase, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HANDBOOK, "utf-8")
    outcomes(base, path)
    path.write_text(HANDBOOK.replace("每年享受5天", "每年享受6天"), "utf-8")
    report = make_ingest(base).add([path], "default")
    assert report.files[0].outcome is Outcome.REPLACED
    assert report.embedded_texts == 1
    texts = [passage.text for passage in base.search("每年享受几天年休假").passages]
    assert any("享受6天" in text for text in texts)
    assert not any("享受5天" in text for text in texts)
    assert problems(base.workspace.store) == []
    # Back to the first bytes: the earlier version id comes again.
    path.write_text(HANDBOOK, "utf-8")
    assert outcomes(base, path) == {"a.md": Outcome.REPLACED}
    assert problems(base.workspace.store) == []


def test_a_bad_file_is_refused_with_a_reason_and_the_others_go_on(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    (folder / "1.txt").write_bytes(b"")
    (folder / "2.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "deep" / "3.md").write_text(MANUAL)
    (folder / ".hidden.md").write_text("hidden")
    (folder / "4.exe").write_bytes(b"MZ")
    assert outcomes(base, folder) == {
        "1.txt": Outcome.REFUSED,
        "2.pdf": Outcome.REFUSED,
        "deep/3.md": Outcome.ADDED,
    }
    assert outcomes(base, folder / "4.exe") == {"4.exe": Outcome.REFUSED}


class BrokenParser:
    version = "broken-1"
    media_type = "text/plain"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        raise ZeroDivisionError("deep inside a library")


def test_whatever_a_parser_trips_over_refuses_its_file_alone(settings: Settings) -> None:
    embedder, splitter = HashingEmbedder(settings), make_splitter(Workspace(settings))
    with pytest.raises(DocumentError) as caught:
        prepare(
            b"x",
            "odd.md",
            "v",
            BrokenParser(),
            splitter,
            make_focus(settings),
            settings,
            embedder,
            lambda stage, seconds: None,
            Reading(),
        )
    assert "odd.md" in caught.value.message("zh")
    assert "deep inside" not in caught.value.message("en")


def test_a_missing_path_stores_nothing(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(MANUAL)
    with pytest.raises(FileMissingError):
        make_ingest(base).add([tmp_path / "a.md", tmp_path / "nowhere"], "default")
    with base.workspace.store.read() as reader:
        assert reader.documents() == ()


def test_a_file_over_the_limit_is_refused(settings: Settings, tmp_path: Path) -> None:
    limits = settings.limits.model_copy(update={"max_file_mb": 1})
    base = KnowledgeBase(settings.model_copy(update={"limits": limits}))
    (tmp_path / "big.txt").write_bytes(b"a " * 500_001)
    report = make_ingest(base).add([tmp_path / "big.txt"], "default")
    assert report.files[0].error is not None
    assert report.files[0].error.code == "document_too_large"


def test_progress_names_every_stage_and_cancelling_keeps_what_was_finished(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text(f"# {name}\n\n{MANUAL}")
    seen: list[Progress] = []
    ingest = make_ingest(base, on_progress=seen.append, cancelled=lambda: any(p.file == 2 for p in seen))
    report = ingest.add([tmp_path / "a.md", tmp_path / "b.md", tmp_path / "c.md"], "default")
    assert report.cancelled
    assert [result.name for result in report.files] == ["a.md"]
    assert {p.stage for p in seen if p.file == 1} == set(Stage) - {Stage.INDEX}
    assert problems(base.workspace.store) == []
    assert all(seconds >= 0 for seconds in report.seconds.values())


def test_removing_makes_text_unreachable_and_frees_its_file(filled: KnowledgeBase) -> None:
    store = filled.workspace.store
    with store.read() as reader:
        digest = reader.document("manual.md").source_sha256
    assert store.blobs.path(digest).exists()
    assert filled.workspace.remove(["manual.md"]) == ["manual.md"]
    assert not store.blobs.path(digest).exists()
    assert all(p.doc != "manual.md" for p in filled.search("replace the filter").passages)
    assert problems(store) == []
    with pytest.raises(UnknownDocumentError):
        filled.workspace.remove(["handbook.md", "manual.md"])
    with store.read() as reader:
        assert [row.name for row in reader.documents()] == ["handbook.md"]
        assert reader.count("vectors") == reader.count("chunks")


def test_ids_are_the_same_on_any_machine_in_any_order(tmp_path: Path) -> None:
    ids = []
    for home, order in (("one", ["a.md", "b.md"]), ("two", ["b.md", "a.md"])):
        base = KnowledgeBase(Settings(home=tmp_path / home, embedding={"name": "hashing"}))  # type: ignore[arg-type]
        (tmp_path / "a.md").write_text(HANDBOOK, "utf-8")
        (tmp_path / "b.md").write_text(MANUAL, "utf-8")
        make_ingest(base).add([tmp_path / name for name in order], "default")
        with base.workspace.store.read() as reader:
            ids.append({chunk.id for chunk in reader.all_chunks()})
    assert ids[0] == ids[1]


class OtherEmbedder(HashingEmbedder):
    """The same dimension, another model: the silent kind of mistake."""

    fingerprint = "other-1/64/l2"


def test_another_model_is_refused_by_name_until_everything_is_embedded_again(
    filled: KnowledgeBase, tmp_path: Path
) -> None:
    other = KnowledgeBase(filled.settings)
    other.workspace.__dict__["embedder"] = OtherEmbedder(filled.settings)
    with pytest.raises(ModelMismatchError) as caught:
        other.search("年休假")
    assert HashingEmbedder.fingerprint in caught.value.message("zh")
    assert "other-1" in caught.value.message("zh")
    (tmp_path / "c.md").write_text("# C\n\nNew text.")
    with pytest.raises(ModelMismatchError):
        make_ingest(other).add([tmp_path / "c.md"], "default")
    assert embed_again(other.workspace) > 0
    assert other.search("年休假").passages
    assert problems(other.workspace.store) == []


def test_names_are_relative_to_the_folder_and_the_same_everywhere(tmp_path: Path) -> None:
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "x" / "y" / "e\u0301.md").write_text("a")
    assert [source.name for source in sources_of([tmp_path / "x"])] == ["y/\u00e9.md"]
    assert document_id_of("default", "y/é.md") == document_id_of("default", "y/\u00e9.md")


def test_an_original_that_came_back_before_it_was_deleted_stays(
    filled: KnowledgeBase, tmp_path: Path
) -> None:
    """Another program adds the same bytes between the commit of a removal and the deletion of the file."""
    store = filled.workspace.store
    with store.write() as writer:
        orphans = writer.remove([writer.reader.document("manual.md").id])
    assert len(orphans) == 1
    assert outcomes(filled, tmp_path / "docs" / "manual.md") == {"manual.md": Outcome.ADDED}
    filled.workspace.drop_originals(orphans)
    assert problems(store) == []
