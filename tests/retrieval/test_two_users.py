"""Two users and a canary in what only one of them may see: no path leads the other to it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.panel.contents import panel
from app.panel.place import place_asked
from core.answer import Answer
from core.errors import UnknownCollectionError, UnknownDocumentError
from core.scope import EPHEMERAL_PREFIX, Scope, Visibility
from core.settings import Settings
from ingest.calibration import Aim
from ingest.indexes.analyzer import analyze
from ingest.report import Outcome
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from retrieval.retriever import YoujuRetriever
from tests.support import HANDBOOK, make_ingest, pdf_bytes

CANARY = "金丝雀KX7741"
QUESTION = f"{CANARY}的密码是什么？"
CHAT = f"{EPHEMERAL_PREFIX}ann"
ANN, BOB = Scope(viewer="ann"), Scope(viewer="bob")
PRIVATE = Visibility.PRIVATE


def _two_users(folder: Path) -> KnowledgeBase:
    """Ann's private PDF, her closed collection, the files of her chat; the handbook is for both."""
    base = KnowledgeBase(Settings(home=folder / "home", embedding={"name": "hashing"}))  # type: ignore[arg-type]
    for name, collection, owner, visibility in (
        ("handbook.md", "default", None, None),
        ("private.pdf", "default", "ann", PRIVATE),
        ("closed.md", "ann's", "ann", Visibility.COLLECTION),
        ("chat.md", CHAT, "ann", PRIVATE),
    ):
        text = f"{CANARY}的密码是芝麻开门，见{name}。"
        data = pdf_bytes(f"<p>{text}</p>") if name.endswith("pdf") else f"# {CANARY}\n\n{text}\n".encode()
        (folder / name).write_bytes(data if owner else HANDBOOK.encode())
        source = Source(name=name, path=folder / name)
        report = make_ingest(base).add_sources([source], collection, owner=owner, visibility=visibility)
        assert [result.outcome for result in report.files] == [Outcome.ADDED]
    with base.workspace.store.write() as writer:
        writer.set_members("ann's", ["ann"])
    return base


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """For tests that only read."""
    base = _two_users(tmp_path_factory.mktemp("shared"))
    yield base
    base.workspace.close()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """For a test that changes something; its files lie in ``tmp_path``."""
    base = _two_users(tmp_path)
    yield base
    base.workspace.close()


def everything_of(answer: Answer) -> str:
    """All that an answer shows, traces included, but the question itself."""
    search = dataclasses.replace(answer.search, question="", searched="", trace=())
    return repr(dataclasses.replace(answer, search=search))


def test_the_owner_finds_it(shared: KnowledgeBase) -> None:
    docs = {passage.doc for passage in shared.ask(QUESTION, scope=ANN).search.passages}
    assert {"private.pdf", "closed.md"} <= docs
    assert "chat.md" not in docs
    in_chat = shared.search(QUESTION, scope=Scope(viewer="ann", chat=CHAT), passages=50)
    assert "chat.md" in {passage.doc for passage in in_chat.passages}


@pytest.mark.parametrize(
    "scope",
    [BOB, Scope(viewer="bob", collections=("default",)), Scope(viewer="bob", chat=CHAT), Scope(viewer="")],
)
def test_no_question_leads_another_user_to_it(shared: KnowledgeBase, scope: Scope) -> None:
    settings = shared.settings
    wide = {"parent_weight": 1.0, "passages": 50, "max_tokens": 100_000}
    retrieval = settings.retrieval.model_copy(update=wide)
    base = KnowledgeBase(settings.model_copy(update={"retrieval": retrieval}))
    for question in (QUESTION, "芝麻开门", "年休假有几天？"):
        answer = base.ask(question, scope=scope)
        assert answer.search.passages
        assert CANARY not in everything_of(answer)
        assert "芝麻" not in everything_of(answer)
    base.workspace.close()


def test_every_ranking_of_the_index_is_filtered(shared: KnowledgeBase) -> None:
    workspace = shared.workspace
    with workspace.store.read() as reader:
        index, allowed = workspace.indexes.at(reader), reader.visible_versions(BOB)
        assert allowed is not None
        vector = workspace.embedder.queries([QUESTION])[0]
        aims = {language: Aim(vector=vector, offset=0.0) for language in index.mean_by_language}
        rankings = (
            index.dense(aims, 1000, allowed),
            index.parents(aims, 1000, allowed),
            index.lexical(analyze(QUESTION), 1000, allowed),
        )
        for hits in rankings:
            chunks = reader.chunks([hit.chunk_id for hit in hits])
            assert {chunk.version_id for chunk in chunks.values()} <= allowed
        assert index.lexical(analyze(CANARY), 1000, None)
        assert rankings[0]
        assert rankings[1]


def test_a_citation_opens_for_whom_it_was_made_alone(own: KnowledgeBase) -> None:
    """The panel shows the text around, the page's picture and, through it, the original file."""
    store = own.workspace.store
    with own.workspace.store.read() as reader:
        private = reader.document("private.pdf")
        answer = own.ask(QUESTION, scope=Scope(viewer="ann", documents=(private.id,)))
    assert answer.search.passages[0].doc == "private.pdf"
    place = place_asked(answer, {"passage": 0})
    assert place is not None
    shown = panel(answer, place, store, ANN, "zh")
    assert CANARY in repr(shown["here"])
    [page] = shown["pageViews"]  # type: ignore[misc]
    assert page["image"].startswith("data:image/")  # type: ignore[has-type]
    for scope in (BOB, Scope(viewer="ann", collections=("ann's",))):
        with pytest.raises(UnknownDocumentError):
            panel(answer, place, store, scope, "zh")
    with own.workspace.store.write() as writer:
        writer.share(private.id, visibility=Visibility.ALL)
    assert panel(answer, place, store, BOB, "zh")["pageViews"]


def test_the_original_is_reached_through_what_may_be_seen(shared: KnowledgeBase) -> None:
    store = shared.workspace.store
    with store.read() as reader:
        version_id = reader.document("private.pdf").version_id
        assert store.blobs.get(reader.version(version_id, ANN).source_sha256).startswith(b"%PDF")
        with pytest.raises(UnknownDocumentError):
            reader.version(version_id, BOB)


def test_a_closed_collection_is_not_there_for_others(shared: KnowledgeBase) -> None:
    with pytest.raises(UnknownCollectionError) as caught:
        shared.search(QUESTION, scope=Scope(viewer="bob", collections=("ann's",)))
    assert "ann's" not in str(caught.value.details["known"])


def test_langchain_programs_search_as_a_user_too(shared: KnowledgeBase) -> None:
    found = {
        viewer: "".join(d.page_content for d in YoujuRetriever(base=shared, viewer=viewer).invoke(QUESTION))
        for viewer in ("ann", "bob", None)
    }
    assert CANARY in found["ann"]
    assert CANARY not in found["bob"]
    assert CANARY in found[None]


def test_adding_tells_nothing_of_what_others_hide(own: KnowledgeBase, tmp_path: Path) -> None:
    """The same bytes are a twin only of what the user sees, and his names do not reach others' documents."""
    copy = Source(name="copy.pdf", path=tmp_path / "private.pdf")
    same_name = Source(name="private.pdf", path=tmp_path / "closed.md")
    report = make_ingest(own).add_sources([copy, same_name], "default", owner="bob", visibility=PRIVATE)
    assert [result.outcome for result in report.files] == [Outcome.ADDED, Outcome.REFUSED]
    assert report.files[1].error is not None
    assert report.files[1].error.code == "document_owned"
    again = make_ingest(own).add_sources([Source(name="c.pdf", path=copy.path)], "default", owner="ann")
    assert (again.files[0].outcome, again.files[0].same_as) == (Outcome.DUPLICATE, "private.pdf")


def test_adding_the_same_again_may_share_it(own: KnowledgeBase, tmp_path: Path) -> None:
    source = Source(name="private.pdf", path=tmp_path / "private.pdf")
    for visibility, owner in ((Visibility.ALL, "ann"), (None, "ann")):
        report = make_ingest(own).add_sources([source], "default", owner=owner, visibility=visibility)
        assert report.files[0].outcome is Outcome.UNCHANGED
        assert CANARY in everything_of(own.ask(QUESTION, scope=BOB))


def test_only_who_may_open_a_collection_may_add_to_it(shared: KnowledgeBase) -> None:
    with shared.workspace.store.read() as reader:
        for viewer in ("ann", None):
            reader.require_open("ann's", viewer)
        reader.require_open("default", "bob")
        for name in ("ann's", "nowhere"):
            with pytest.raises(UnknownCollectionError) as caught:
                reader.require_open(name, "bob")
            assert "ann's" not in str(caught.value.details["known"])
