"""Counter-evidence end to end: what was found and not cited, and what an earlier version said."""

from __future__ import annotations

from pathlib import Path

from core.verdict import Aspect
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest

RULE = "# 差旅规定\n\n经理在一线城市出差的住宿标准为每晚{amount}元。\n"


def store(base: KnowledgeBase, folder: Path, name: str, amount: int) -> None:
    path = folder / name
    path.write_text(RULE.format(amount=amount), "utf-8")
    make_ingest(base).add_sources([Source(name=name, path=path)], "default")


def test_another_edition_speaks_against_the_answer(base: KnowledgeBase, tmp_path: Path) -> None:
    store(base, tmp_path, "规定2023.md", 500)
    store(base, tmp_path, "规定2024.md", 600)
    answer = base.ask("经理在一线城市出差的住宿标准是多少？")
    assert answer.checks
    counter = answer.counter[0]
    assert counter.reason.aspect is Aspect.NUMBER
    own = answer.checks[counter.check].citations
    assert counter.passage not in {answer.citations[place].passage for place in own}
    assert counter.doc == answer.search.passages[counter.passage].doc


def test_an_earlier_version_speaks_against_the_answer(base: KnowledgeBase, tmp_path: Path) -> None:
    store(base, tmp_path, "规定.md", 500)
    store(base, tmp_path, "规定.md", 600)
    answer = base.ask("经理在一线城市出差的住宿标准是多少？")
    (counter,) = answer.counter
    assert (counter.passage, counter.doc) == (-1, "规定.md")
    assert (counter.reason.said, counter.reason.found) == ("600元", "500元")
    with base.workspace.store.read() as reader:
        assert counter.span.of(reader.version(counter.version_id).text) == counter.text
