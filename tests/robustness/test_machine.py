"""Adding, replacing, deleting, sharing, searching, crashing and reopening in any order, beside a plain dictionary.

More of it: ``HYPOTHESIS_PROFILE=long pytest tests/robustness/test_machine.py``.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings as run
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.scope import Scope, Visibility
from ingest.check import problems
from ingest.indexes.analyzer import analyze
from ingest.mending import mend
from ingest.pipeline import Ingest
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.robustness.small_base import lies, opened, rules, settings_of

NAMES = st.sampled_from(("a.md", "b.md", "c.md", "d.md"))
USERS = (None, "ann", "bob")
LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"


class Model(RuleBasedStateMachine):
    """``documents`` says what is stored: by name the words of every version, the owner and who sees it."""

    @initialize(lexical=st.sampled_from(("bm25plus", "tantivy")))
    def start(self, lexical: str) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.lexical = lexical
        self.documents: dict[str, list[tuple[str, ...]]] = {}
        self.owners: dict[str, tuple[str, Visibility]] = {}
        self.count = 0
        self.base = self._open()

    def _open(self) -> KnowledgeBase:
        return KnowledgeBase(settings_of(self.folder / "知识 库", self.lexical))

    @rule(name=NAMES, count=st.integers(1, 3), kept=st.integers(0, 2))
    def put(self, name: str, count: int, kept: int) -> None:
        """Words that were never used before, and some of the version that is replaced."""
        former = self.documents.get(name, [()])[-1]
        self.count += count
        new = tuple(f"word{self.count - i}x" for i in range(count))
        self._add(name, former[:kept] + new)
        self.documents.setdefault(name, []).append(former[:kept] + new)
        self.owners.setdefault(name, ("", Visibility.COLLECTION))

    @rule(name=NAMES)
    def put_again(self, name: str) -> None:
        """The same bytes change nothing."""
        if name in self.documents:
            self._add(name, self.documents[name][-1])

    @rule(name=NAMES, number=st.integers(0, 9))
    def go_back(self, name: str, number: int) -> None:
        """The bytes of an earlier version again, as a new version."""
        if name in self.documents:
            versions = self.documents[name]
            words = versions[number % len(versions)]
            self._add(name, words)
            if words != versions[-1]:
                versions.append(words)

    @rule(name=NAMES, other=NAMES)
    def copy(self, name: str, other: str) -> None:
        """The same bytes under a new name are not stored twice; a document that is there is replaced."""
        if name in self.documents:
            words = self.documents[name][-1]
            self._add(other, words)
            if other in self.documents and self.documents[other][-1] != words:
                self.documents[other].append(words)

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        if self.documents.pop(name, None):
            del self.owners[name]
            self.base.workspace.remove([name])

    @rule(name=NAMES, owner=st.sampled_from(("", "ann", "bob")), visibility=st.sampled_from(Visibility))
    def share(self, name: str, owner: str, visibility: Visibility) -> None:
        if name in self.documents:
            with self.base.workspace.store.write() as writer:
                writer.share(writer.reader.document(name).id, owner=owner, visibility=visibility)
            self.owners[name] = (owner, visibility)

    @rule()
    def reopen(self) -> None:
        self.base.workspace.close()
        self.base = self._open()

    @rule(damage=st.sampled_from(("none", "cut", "gone", "flipped")), seed=st.integers(0, 99))
    def crash(self, damage: str, seed: int) -> None:
        """The objects are dropped without a word, and something may have happened to a file of the index."""
        self.left = self.base
        files = sorted(path for path in (self.folder / "知识 库" / "index").rglob("*") if path.is_file())
        if files and damage != "none":
            spoil(files[seed % len(files)], damage)
        self.base = self._open()

    @rule()
    def rebuild(self) -> None:
        assert mend(self.base.workspace, lambda key, **values: None)[1] == []

    @rule()
    def another_process_reads(self) -> None:
        with opened(self.folder / "知识 库", self.lexical) as other:
            assert list(lies(other)) == []

    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        if not hasattr(self, "base"):
            return
        store = self.base.workspace.store
        with store.read() as reader:
            found = {
                row.name: [reader.version(version.id).text for version in reader.versions(row)]
                for row in reader.documents()
            }
        assert found == {
            name: [rules(*words) for words in versions] for name, versions in self.documents.items()
        }
        assert list(lies(self.base)) == []
        assert problems(store) == []

    @invariant()
    def each_user_finds_what_he_may_see(self) -> None:
        if not hasattr(self, "base"):
            return
        known = sorted({word for versions in self.documents.values() for words in versions for word in words})
        for word in [*random.Random(self.count).sample(known, min(2, len(known))), "word999x"]:
            for user in USERS:
                holding = {name for name, all_of in self.documents.items() if word in all_of[-1]}
                assert self._found(word, user) == {name for name in holding if self._sees(name, user)}

    def teardown(self) -> None:
        if hasattr(self, "base"):
            self.base.workspace.close()
            shutil.rmtree(self.folder)

    def _add(self, name: str, words: tuple[str, ...]) -> None:
        path = self.folder / "written.md"
        path.write_text(rules(*words), "utf-8")
        report = Ingest(self.base.workspace).add_sources([Source(name=name, path=path)], "default")
        assert report.files[0].error is None

    def _sees(self, name: str, user: str | None) -> bool:
        owner, visibility = self.owners[name]
        return user is None or visibility is not Visibility.PRIVATE or owner == user

    def _found(self, word: str, user: str | None) -> set[str]:
        """The documents in which the word is found: by words and, all chunks looked at, by meaning."""
        with self.base.workspace.store.read() as reader:
            index = self.base.workspace.indexes.at(reader)
            allowed = reader.visible_versions(Scope(viewer=user))
            hits = index.lexical(analyze(word), 100, allowed)
            named = {
                reader.version(chunk.version_id).name
                for chunk in reader.chunks([hit.chunk_id for hit in hits]).values()
            }
        passages = self.base.search(word, scope=Scope(viewer=user), passages=20).passages
        shown = {passage.doc for passage in passages if word in passage.text}
        assert all(self._sees(passage.doc, user) for passage in passages)
        assert shown == named
        return named


def spoil(path: Path, damage: str) -> None:
    """Take a file away, cut it, or flip a bit of it."""
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif data:
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


TestModel = Model.TestCase
TestModel.settings = run(
    max_examples=300 if LONG else 4, stateful_step_count=40 if LONG else 12, deadline=None
)
