"""Selection and expansion: inside the section, within the budget, the best hit never dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.answer import Hit
from core.span import Span
from core.store import Reader
from retrieval.knowledge_base import KnowledgeBase
from retrieval.select import ENOUGH, OVER_BUDGET, REPEATED, Selector
from tests.support import HANDBOOK, make_ingest


def _assert_lawful(base: KnowledgeBase, question: str, passages: int, max_tokens: int) -> None:
    result = base.search(question, passages=passages, max_tokens=max_tokens)
    assert 1 <= len(result.passages) <= passages
    count = base.workspace.embedder.count
    with base.workspace.store.read() as reader:
        texts = {p.version_id: reader.version(p.version_id).text for p in result.passages}
        for p in result.passages:
            assert p.span.of(texts[p.version_id]) == p.text
            sections = {c.section_path for c in reader.chunks_of(p.version_id) if c.span.overlaps(p.span)}
            assert sections == {p.section_path}
    total = sum(count([p.text for p in result.passages]))
    assert total <= max(max_tokens, 4)
    for i, p in enumerate(result.passages):
        assert not any(p.span.overlaps(q.span) for q in result.passages[:i] if q.version_id == p.version_id)


@pytest.mark.parametrize(
    "question", ["病假需要什么条件", "经理在一线城市的住宿标准", "How often is the filter replaced?"]
)
@pytest.mark.parametrize(
    ("passages", "max_tokens"), [(1, 20), (1, 3000), (3, 90), (5, 200), (5, 3000), (20, 1000)]
)
def test_passages_are_lawful(filled: KnowledgeBase, question: str, passages: int, max_tokens: int) -> None:
    _assert_lawful(filled, question, passages, max_tokens)


def test_more_budget_never_shows_less_of_the_best_passage(filled: KnowledgeBase) -> None:
    before = Span(0, 1)
    for max_tokens in (60, 120, 400, 2000):
        best = filled.search("急诊请病假的规定", max_tokens=max_tokens).passages[0]
        assert len(best.span) >= len(before)
        before = best.span


def test_one_document_does_not_fill_all_places(base: KnowledgeBase, tmp_path: Path) -> None:
    copies = "\n\n".join(f"## 第{i}节\n\n病假须提前通知直属上级，编号{i}。" for i in range(30))
    (tmp_path / "many.md").write_text(f"# 重复\n\n{copies}", "utf-8")
    (tmp_path / "one.md").write_text(HANDBOOK, "utf-8")
    make_ingest(base).add([tmp_path / "many.md", tmp_path / "one.md"], "default")
    found = base.search("病假通知直属上级", passages=12)
    docs = [p.doc for p in found.passages]
    assert docs.count("many.md") == base.settings.retrieval.max_passages_per_document
    assert "one.md" in docs
    assert any(dict(step.counts).get("capped") for step in found.trace)


def test_with_one_document_alone_the_cap_does_not_apply(base: KnowledgeBase, tmp_path: Path) -> None:
    parts = "\n\n".join(f"## 第{i}节\n\n病假须提前通知直属上级，编号{i}。" for i in range(30))
    (tmp_path / "many.md").write_text(f"# 重复\n\n{parts}", "utf-8")
    make_ingest(base).add([tmp_path / "many.md"], "default")
    assert len(base.search("病假通知直属上级", passages=8).passages) == 8


def test_a_copy_of_a_document_takes_no_place(base: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text(HANDBOOK, "utf-8")
    make_ingest(base).add([tmp_path / "one.md"], "default")
    make_ingest(base).add([tmp_path / "one.md"], "kept")
    question = "员工请病假须满足什么条件？"
    found = base.search(question)
    texts = [passage.text for passage in found.passages]
    assert len(set(texts)) == len(texts) > 1
    reasons = {reason for step in found.trace for _, reason in step.dropped}
    assert REPEATED in reasons
    answer = base.ask(question)
    assert len({citation.text for citation in answer.citations}) == len(answer.citations)


def _selector(
    base: KnowledgeBase, reader: Reader, read: list[str], passages: int, core_tokens: int
) -> Selector:
    """One over all chunks; ``read`` is told of every document whose text is asked for."""

    def text_of(version_id: str) -> str:
        read.append(version_id)
        return reader.version(version_id).text

    return Selector(
        chunks={chunk.id: chunk for chunk in reader.all_chunks()},
        text_of=text_of,
        tokens=base.workspace.embedder,
        passages=passages,
        core_tokens=core_tokens,
        max_tokens=core_tokens,
        per_document=passages,
    )


def _many(base: KnowledgeBase, tmp_path: Path) -> None:
    """Twenty documents of one chunk each, Chinese under an English name and the other way round."""
    for at in range(10):
        (tmp_path / f"Regulations on leave number {at}.txt").write_text(
            f"第{at}类假期须提前{at}天申请。", "utf-8"
        )
        (tmp_path / f"假期管理制度第{at}号.txt").write_text(f"Leave {at} takes {at} days of notice.", "utf-8")
    make_ingest(base).add(sorted(tmp_path.glob("*.txt")), "default")


def test_documents_of_what_cannot_be_taken_are_not_read(base: KnowledgeBase, tmp_path: Path) -> None:
    _many(base, tmp_path)
    with base.workspace.store.read() as reader:
        read: list[str] = []
        selector = _selector(base, reader, read, passages=3, core_tokens=1000)
        hits = [
            Hit(chunk_id=i, score=1.0, rank=n, source="rrf") for n, i in enumerate(selector.chunks, start=1)
        ]
        found = selector.select(hits)
        assert len(found.cores) == 3
        assert [reason for _, reason in found.dropped] == [ENOUGH] * 17
        assert len(set(read)) == 3


def test_what_fits_to_the_token_is_taken(base: KnowledgeBase, tmp_path: Path) -> None:
    _many(base, tmp_path)
    with base.workspace.store.read() as reader:
        ample = _selector(base, reader, [], passages=20, core_tokens=10_000)
        hits = [Hit(chunk_id=i, score=1.0, rank=n, source="rrf") for n, i in enumerate(ample.chunks, start=1)]
        sizes = [core.tokens for core in ample.select(hits).cores]
        assert len(sizes) == 20
        for wanted in range(1, 21):
            exact = _selector(base, reader, [], passages=20, core_tokens=sum(sizes[:wanted]))
            found = exact.select(hits)
            assert len(found.cores) >= wanted
            assert [core.chunk.id for core in found.cores[:wanted]] == [hit.chunk_id for hit in hits[:wanted]]
            assert {reason for _, reason in found.dropped} <= {OVER_BUDGET}
