"""A small knowledge base of known texts, what is done to it, and whether it still tells the truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.settings import Settings
from core.store import Reader, schema
from ingest.calibration import Aim
from ingest.check import index_problems, leftovers, problems
from ingest.indexes.analyzer import analyze
from ingest.mending import mend
from ingest.pipeline import Ingest
from ingest.report import FileResult
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase

OnDone = Callable[[], None]


def rules(*words: str) -> str:
    """A text with a paragraph of two sentences for each word; no other text holds the word."""
    lines = (f"设备 {word} 每 30 天检查一次。The part {word} is replaced every year." for word in words)
    return "# 办法\n\n" + "\n\n".join(f"## {word}\n\n{line}" for word, line in zip(words, lines, strict=True))


APPLE: Final = rules("apple11", "apple12", "apple13")
PEAR: Final = rules("pear21", "pear22")
PLUM: Final = rules("plum31", "plum32", "plum33")
NEW_APPLE: Final = rules("apple11", "quince41", "apple13")


def settings_of(home: Path, lexical: str = "bm25plus") -> Settings:
    """Settings of a knowledge base with the model-free embedder."""
    return Settings(home=home, embedding={"name": "hashing"}, index={"lexical": lexical})


@contextmanager
def opened(home: Path, lexical: str = "bm25plus") -> Iterator[KnowledgeBase]:
    """The knowledge base, closed at the end whatever happens."""
    base = KnowledgeBase(settings_of(home, lexical))
    try:
        yield base
    finally:
        if "store" in vars(base.workspace):
            base.workspace.close()


def add(base: KnowledgeBase, name: str, text: str, on_done: OnDone = lambda: None) -> None:
    """Add or replace a document; ``on_done`` is called when that is acknowledged. Raises what refused it."""
    path = base.settings.home.parent / f"{name}.written"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    refused: list[FileResult] = []

    def on_result(result: FileResult) -> None:
        if result.error is None:
            on_done()
        else:
            refused.append(result)

    Ingest(base.workspace, on_result=on_result).add_sources([Source(name=name, path=path)], "default")
    for result in refused:
        assert result.error is not None
        raise result.error


def remove(base: KnowledgeBase, name: str, on_done: OnDone = lambda: None) -> None:
    """Delete a document; ``on_done`` is called when that is acknowledged."""
    base.workspace.remove([name])
    on_done()


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something done to the small base; ``gone`` is a word that nothing may hold afterwards."""

    run: Callable[[KnowledgeBase, OnDone], None]
    gone: str = ""


ACTIONS: Final = {
    "add": Action(run=lambda base, on_done: add(base, "plum.md", PLUM, on_done)),
    "replace": Action(run=lambda base, on_done: add(base, "apple.md", NEW_APPLE, on_done)),
    "delete": Action(run=lambda base, on_done: remove(base, "apple.md", on_done), gone="apple12"),
}


def make(home: Path, lexical: str = "bm25plus") -> None:
    """Two documents, one of them in its second version."""
    with opened(home, lexical) as base:
        add(base, "apple.md", rules("apple10", "apple11"))
        add(base, "apple.md", APPLE)
        add(base, "pear.md", PEAR)


@dataclass(frozen=True, slots=True)
class State:
    """What is stored: the texts of all versions by document, and the rows of every table."""

    texts: Mapping[str, tuple[str, ...]]
    rows: Mapping[str, int]


def state_of(reader: Reader) -> State:
    """The state that ``reader`` sees."""
    texts = {
        row.name: tuple(reader.version(version.id).text for version in reader.versions(row))
        for row in reader.documents()
    }
    return State(texts, {table: reader.count(table) for table in schema.metadata.tables})


def lies(base: KnowledgeBase) -> Iterator[str]:
    """Where search does not find exactly what is stored, or shows what is not the document's text."""
    with base.workspace.store.read() as reader:
        index = base.workspace.indexes.at(reader)
        chunks = {chunk.id: chunk for chunk in reader.all_chunks()}
        texts = {row.version_id: reader.version(row.version_id).text for row in reader.documents()}
        for chunk in chunks.values():
            if (
                chunk.version_id not in texts
                or chunk.span.of(texts[chunk.version_id]) not in chunk.embed_text
            ):
                yield f"chunk {chunk.id} is not its document's text"
        aims = {
            language: Aim(vector=vector, offset=0.0) for language, vector in index.mean_by_language.items()
        }
        if {hit.chunk_id for hit in index.dense(aims, 1000)} != chunks.keys():
            yield "search by meaning does not find every chunk and nothing else"
        words = {word for text in texts.values() for word in words_of(text)}
        for word in words | {word for text in (APPLE, NEW_APPLE, PEAR, PLUM) for word in words_of(text)}:
            holding = {chunk.id for chunk in chunks.values() if word in chunk.embed_text}
            if {hit.chunk_id for hit in index.lexical(analyze(word), 1000)} != holding:
                yield f"search by words does not find {word} where it stands"
    yield from passage_lies(base, sorted(words)[:1], set(texts.values()))


def passage_lies(base: KnowledgeBase, asked: list[str], texts: set[str]) -> Iterator[str]:
    """Words asked for that no passage holds, and passages that are no document's text."""
    for word in asked:
        passages = base.search(f"{word} 多久检查一次").passages
        if not any(word in passage.text for passage in passages):
            yield f"the answer about {word} is not found"
        for passage in passages:
            if not any(passage.span.of(text) == passage.text for text in texts):
                yield f"a passage about {word} is no document's text"


def words_of(text: str) -> list[str]:
    """The words that were given to ``rules``."""
    return re.findall(r"^## (\w+)$", text, re.MULTILINE)


def unmended(base: KnowledgeBase) -> list[str]:
    """What ``check`` still finds after ``rebuild``; which is not run when ``check`` found nothing."""
    store = base.workspace.store
    found = [*problems(store), *leftovers(store)]
    with store.read() as reader:
        found += index_problems(reader, base.workspace.indexes.at(reader))
    if found:
        _, left = mend(base.workspace, lambda key, **values: None)
        found = [*left, *leftovers(store)]
    return [str(problem) for problem in found]


def traces(home: Path, word: str) -> list[str]:
    """Files that still hold the bytes of ``word``."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.relative_to(home).as_posix() for path in files if word.encode() in path.read_bytes()]
