"""Failures of programs like this one, in public reports, that no other test repeats; the others are in

B36 (a crash between two files): ``test_faults``, ``test_kills``, ``tests/ingest/indexes/test_cache.py``
B38 (ids shift): ``test_machine``; B39 (a file cut): ``test_damage``, ``test_cache``; B41 (a full disk): ``test_faults``
B42 (another model): ``tests/ingest/indexes/test_cache.py``, ``tests/ingest/test_embed_again.py``
B43, B44 (empty, k beyond n, scores): ``tests/ingest/indexes/test_dense.py``, ``tests/contracts/test_search_index.py``
B57 (the window): ``tests/core/chat/test_model.py``; B58, B59 (marks): ``tests/retrieval/test_cited_ids.py``
B60, B61 (replies that end early or say nothing): ``tests/retrieval/test_fault_matrix.py``
B64 (words nobody sees): ``test_injection``
B65 (owners): ``tests/retrieval/test_two_users.py``, ``tests/app/test_two_chats.py``
B67 (long work): ``test_two_chats``; B68 (uploads): ``test_two_chats``; B71 (the data layer): ``tests/app/history``
B73 (the same file again): ``tests/ingest/test_pipeline.py``
"""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app import state
from app.form.filters import Filter
from core.answer import Answer, Route, SearchResult
from core.errors import EmbeddingError, ModelError
from core.protocols import Vectors
from core.scope import Scope, Visibility
from ingest.pipeline import Ingest
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.robustness.small_base import add, lies, opened, remove, rules

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("lexical", ["bm25plus", "tantivy"])
def test_b38_what_is_left_is_found_under_its_own_text(tmp_path: Path, lexical: str) -> None:
    with opened(tmp_path / "home", lexical) as base:
        for name in ("a", "b", "c"):
            add(base, f"{name}.md", rules(f"{name}word1", f"{name}word2"))
        remove(base, "a.md")
        passages = base.search("cword2 多久检查一次？").passages
        assert {passage.doc for passage in passages if "cword2" in passage.text} == {"c.md"}
        assert not any("aword" in passage.text for passage in passages)
        assert list(lies(base)) == []


@pytest.mark.parametrize("count", [2, 8])
def test_b37_uploads_at_once_are_all_there(base: KnowledgeBase, tmp_path: Path, count: int) -> None:
    barrier, errors = threading.Barrier(count + 2), list[BaseException]()
    uploading = threading.Event()

    def upload(number: int) -> None:
        path = tmp_path / f"{number}.md"
        path.write_text(rules(f"word{number}a", f"word{number}b"), "utf-8")
        barrier.wait()
        report = Ingest(base.workspace).add_sources([Source(name=path.name, path=path)], "default")
        assert report.files[0].error is None

    def ask(_: int) -> None:
        barrier.wait()
        while not uploading.is_set():
            assert all("word" in passage.text for passage in base.search("多久检查一次？").passages)

    def guarded(work: object, number: int) -> None:
        try:
            work(number)  # type: ignore[operator]
        except BaseException as exc:  # noqa: BLE001 - whatever it is, the test shows it
            errors.append(exc)

    writers = [threading.Thread(target=guarded, args=(upload, n)) for n in range(count)]
    readers = [threading.Thread(target=guarded, args=(ask, n)) for n in range(2)]
    for thread in (*writers, *readers):
        thread.start()
    for thread in writers:
        thread.join()
    uploading.set()
    for thread in readers:
        thread.join()
    assert errors == []
    with base.workspace.store.read() as reader:
        assert {row.name for row in reader.documents()} == {f"{n}.md" for n in range(count)}
    assert list(lies(base)) == []


class Failing:
    """An embedder whose questions fail; everything else is another one's."""

    def __init__(self, whole: object) -> None:
        self._whole = whole

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)

    def queries(self, texts: Sequence[str]) -> Vectors:
        raise EmbeddingError(name="fake", reason="it is away")


def test_b65_no_search_goes_on_without_the_filter_when_a_part_of_it_fails(
    base: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "secret.md"
    path.write_text(rules("canary77"), "utf-8")
    Ingest(base.workspace).add_sources(
        [Source(name="secret.md", path=path)], "default", owner="ann", visibility=Visibility.PRIVATE
    )
    add(base, "shown.md", rules("shown88"))
    base.workspace.__dict__["embedder"] = Failing(base.workspace.embedder)
    for question in ("canary77", "shown88"):
        try:
            found = base.search(question, scope=Scope(viewer="bob"))
        except ModelError as exc:
            assert "canary77" not in str(exc)
        else:
            assert not any("canary77" in passage.text for passage in found.passages)


def answer(question: str) -> Answer:
    result = SearchResult(
        question=question, searched=question, passages=(), route=Route.WEAK, trace=(), latency_ms=0.0
    )
    return Answer(
        text=f"to {question}",
        answered=False,
        citations=(),
        search=result,
        method="x",
        notes=(),
        latency_ms=0.0,
    )


def test_b66_two_sessions_in_turn_keep_what_is_theirs() -> None:
    from chainlit.context import init_http_context

    turn = asyncio.Barrier(2)

    async def client(name: str) -> tuple[str, str]:
        init_http_context()
        state.choose_filter(Filter())
        for number in range(5):
            await turn.wait()
            kept = state.remember(f"{name} {number}", answer(f"{name} {number}"))
            await turn.wait()
            assert [one.text.split()[-2] for one in state.history()] == [name] * (2 * number + 2)
            found = state.answer_of(kept)
            assert found is not None
            assert found.text == f"to {name} {number}"
        return state.chat_collection(), kept

    async def both() -> tuple[tuple[str, str], tuple[str, str]]:
        return await asyncio.gather(client("ann"), client("bob"))

    # In a thread of its own: the browser tests may have left an event loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        (first, kept_first), (second, kept_second) = pool.submit(lambda: asyncio.run(both())).result()
    assert first != second
    assert kept_first != kept_second


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for package in ("core", "ingest", "retrieval", "app"):
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path, ast.parse(path.read_text("utf-8"))


def test_b66_no_module_keeps_state_that_sessions_would_share() -> None:
    """Tables of constants are full when they are made; what begins empty is filled later."""
    # In a thread of its own: Python 3.11 parses wrongly below what the browser tests left on the stack.
    with ThreadPoolExecutor(1) as pool:
        parsed = pool.submit(lambda: list(modules())).result()
    for path, tree in parsed:
        assert not any(isinstance(node, ast.Global) for node in ast.walk(tree)), path
        for node in tree.body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            empty = isinstance(value, ast.List | ast.Dict | ast.Set) and not ast.unparse(value).strip("[]{}")
            begun = isinstance(value, ast.Call) and not value.args and ast.unparse(value.func).split("[")[0]
            assert not empty, (path, node.lineno)
            assert begun not in ("list", "dict", "set", "defaultdict", "OrderedDict", "Counter", "deque"), (
                path
            )


def test_b69_nothing_of_the_chat_is_found_by_its_name_in_a_text() -> None:
    """Chainlit makes a link of every word that is the name of an element shown beside its message: ours stand in it."""
    with ThreadPoolExecutor(1) as pool:
        parsed = pool.submit(lambda: [found for found in modules() if found[0].is_relative_to(ROOT / "app")])
    made = [
        node
        for _, tree in parsed.result()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("cl.")
    ]
    plain = {"cl.Text", "cl.Pdf", "cl.Image", "cl.File", "cl.Dataframe", "cl.Element"}
    assert not [ast.unparse(call) for call in made if ast.unparse(call.func) in plain]
    ours = [call for call in made if ast.unparse(call.func) == "cl.CustomElement"]
    told = [{k.arg: ast.unparse(k.value).strip("'") for k in call.keywords} for call in ours]
    assert len(told) >= 6
    # The panel alone stands beside, and belongs to no message.
    assert [one["name"] for one in told if one["display"] != "inline"] == ["Passage"]
    assert all((ROOT / "public" / "elements" / f"{one['name']}.jsx").is_file() for one in told)
