"""The card of an upload in words, and who may keep files where."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from app.jobs.job import Job, Phase
from app.uploads.table import Target, lost_shown, upload_shown, usable_names
from app.uploads.targets import targets_for
from core.document import Notice
from core.store.waiting import Holder
from ingest.report import FileResult, Outcome, Progress, Stage
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.app.jobs.uploads import order


def job_of(*names: str) -> Job:
    return Job(order(*names), [Source(name=name, path=Path(name)) for name in names])


def rows_of(job: Job) -> list[dict[str, object]]:
    rows = upload_shown(job, 0)["files"]
    assert isinstance(rows, list)
    return rows


def test_each_stage_has_its_words_and_its_share() -> None:
    job = job_of("a.pdf", "b.pdf")
    told = []
    for stage, done, total in (
        (Stage.PARSE, 12, 80),
        (Stage.CHUNK, 0, 1),
        (Stage.EMBED, 300, 900),
        (Stage.SAVE, 0, 1),
    ):
        job._progressed(Progress(name="a.pdf", stage=stage, done=done, total=total, file=1, files=2))
        row = rows_of(job)[0]
        told.append((row["words"], row["share"]))
    assert told == [("解析 12 / 80 页", 0.15), ("分块", None), ("生成向量 300 / 900", 0.333), ("保存", None)]
    assert rows_of(job)[1]["words"] == "排队"


def test_the_table_says_what_was_read_how_and_why_not() -> None:
    job = job_of("a.pdf", "b.pdf")
    notice = Notice(code="pages_without_text", details=(("pages", "2-4"),))
    job._finished(FileResult(name="a.pdf", outcome=Outcome.ADDED, chunks=2, pages=5, notices=(notice,)))
    job._finished(FileResult(name="b.pdf", outcome=Outcome.DUPLICATE, same_as="a.pdf"))
    job.phase = Phase.ENDED
    first, second = rows_of(job)
    assert (first["words"], first["pages"], first["chunks"]) == ("已添加", 5, 2)
    assert "第 2-4 页没有文字层" in str(first["details"])
    assert "a.pdf" in str(second["words"])
    shown = upload_shown(job, 0, [Target(collection="hr"), Target(collection="default", is_private=True)])
    labels = [target["label"] for target in shown["targets"]]  # type: ignore[attr-defined]
    assert labels == ["hr", "default（仅自己可见）"]
    assert usable_names(shown) == ["a.pdf", "b.pdf"]
    job.kept = "hr"
    assert upload_shown(job, 0, [Target(collection="hr")])["targets"] == []


def test_waiting_for_another_program_is_told() -> None:
    job = job_of("a.pdf")
    job.phase = Phase.RUNNING
    assert "可以照常提问" in str(upload_shown(job, 0)["said"])
    job._waits(Holder(pid=77, host="h", since=datetime.now(UTC)))
    assert "77" in str(upload_shown(job, 0)["said"])


def test_a_card_that_nobody_works_on_says_so_and_asks_for_nothing() -> None:
    job = job_of("a.pdf", "b.pdf")
    job._finished(FileResult(name="a.pdf", outcome=Outcome.ADDED))
    job.phase = Phase.RUNNING
    lost = lost_shown(upload_shown(job, 0), "en")
    assert lost["phase"] == "cancelled"
    assert "restarted" in str(lost["said"])
    assert [row["state"] for row in lost["files"]] == ["done", "left"]  # type: ignore[attr-defined]
    job.phase = Phase.ENDED
    over = upload_shown(job, 0)
    assert lost_shown(over, "en") == over


def test_a_user_adds_for_his_colleagues_where_he_is_a_member_else_for_himself(base: KnowledgeBase) -> None:
    with base.workspace.store.write() as writer:
        for name, members in (("hr", ["ann"]), ("law", ["bob"]), ("open", []), ("chat:t9", [])):
            writer.ensure_collection(name)
            writer.set_members(name, members)
    with base.workspace.store.read() as reader:
        anns = targets_for(reader, "ann", is_admin=False)
        operators = targets_for(reader, None, is_admin=True)
    assert [(target.collection, target.is_private) for target in anns] == [
        ("default", True),
        ("hr", False),
        ("open", True),
    ]
    assert [target.collection for target in operators] == ["default", "hr", "law", "open"]
    assert not any(target.is_private for target in operators)
