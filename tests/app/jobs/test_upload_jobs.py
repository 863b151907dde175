"""Orders carried out by the process: in line, at a time, cancelled, unlocked, and taken up after a kill."""

from __future__ import annotations

import json
import threading
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.jobs.job import TRIES, Job, Phase
from app.jobs.order import Order, order_of
from app.jobs.queue import Jobs
from app.jobs.spool import Spool
from app.uploads.table import upload_shown
from core.registry import REGISTRY
from core.scope import Scope
from ingest.report import Outcome
from ingest.sources import Source
from ingest.workspace import Workspace
from retrieval.knowledge_base import KnowledgeBase
from tests.app.jobs.uploads import order, wait_until

# What the stub of a locked file opens with.
PASSWORD = "open"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    for name in ("a.md", "b.md", "c.md"):
        (made / name).write_text(f"# {name}\n\n关于{name}的规定自发布之日起施行。\n", "utf-8")
    return made


@pytest.fixture
def _locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text files are locked."""
    monkeypatch.setitem(REGISTRY["parser"], "text", "tests.stub_parsers:Locked")


def source(path: Path) -> Source:
    return Source(name=path.name, path=path)


class Gate:
    """A workspace that is handed out when the gate opens: whoever asks for it waits until then."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.opened = threading.Event()
        self.asked = 0

    def __call__(self) -> Workspace:
        self.asked += 1
        assert self.opened.wait(30)
        return self._workspace


def test_a_job_tells_what_became_of_each_file_also_inside_an_archive(
    base: KnowledgeBase, folder: Path
) -> None:
    (folder / "empty.txt").write_bytes(b" ")
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        archive.write(folder / "b.md", "in/b.md")
    files = [folder / "a.md", folder / "empty.txt", folder / "z.zip"]
    job = Job(order(*(path.name for path in files)), [source(path) for path in files])
    assert [now.name for now in job.files()] == ["a.md", "empty.txt", "z.zip"]
    job.run(base.workspace)
    assert job.phase is Phase.ENDED
    outcomes = {now.name: now.result.outcome for now in job.files() if now.result}
    assert outcomes == {
        "a.md": Outcome.ADDED,
        "empty.txt": Outcome.REFUSED,
        "z.zip/in/b.md": Outcome.ADDED,
    }
    assert job.is_usable
    # It runs once.
    job.run(base.workspace)
    assert len(job.results) == 3


def test_what_was_finished_before_a_cancel_stays_and_the_rest_is_told(
    base: KnowledgeBase, folder: Path
) -> None:
    names = ("a.md", "b.md", "c.md")
    job = Job(order(*names), [source(folder / name) for name in names])
    heard = job._finished

    def stop_after_first(result: object) -> None:
        heard(result)  # type: ignore[arg-type]
        job.cancel()

    job._finished = stop_after_first  # type: ignore[method-assign]
    job.run(base.workspace)
    assert job.phase is Phase.CANCELLED
    rows = upload_shown(job, 0)["files"]
    assert isinstance(rows, list)
    assert [row["state"] for row in rows] == ["done", "left", "left"]
    with base.workspace.store.read() as reader:
        assert reader.find("a.md", "chat:t1") is not None
        assert reader.find("b.md", "chat:t1") is None


@pytest.mark.usefixtures("_locked")
def test_a_locked_file_opens_with_its_password_which_nobody_keeps(
    base: KnowledgeBase, folder: Path, tmp_path: Path
) -> None:
    paths = [folder / "a.md", folder / "locked.txt"]
    paths[1].write_text("Salaries are kept by the personnel department.", "utf-8")
    jobs = Jobs(lambda: base.workspace, Spool(tmp_path / "spool"))
    job = jobs.start(order("a.md", "locked.txt"), paths)
    wait_until(lambda: job.is_over)
    assert job.is_locked
    jobs.settle(job)
    assert not job.open_with("a.md", PASSWORD)
    assert job.open_with("locked.txt", "wrong")
    jobs.again(job)
    wait_until(lambda: job.is_over)
    assert [(now.locked, now.tries) for now in job.files()] == [(False, 0), (True, 1)]
    assert job.open_with("locked.txt", PASSWORD)
    assert "password" not in repr(job._todo)
    jobs.again(job)
    wait_until(lambda: job.is_over)
    assert job._todo == ()
    assert [result.outcome for result in job.results] == [Outcome.ADDED, Outcome.ADDED]
    assert not job.is_locked
    assert PASSWORD not in json.dumps(upload_shown(job, 0)["files"])
    jobs.settle(job)
    assert list((tmp_path / "spool").iterdir()) == []


@pytest.mark.usefixtures("_locked")
def test_a_password_may_be_tried_three_times_or_left(base: KnowledgeBase, folder: Path) -> None:
    paths = [folder / "one.txt", folder / "two.txt"]
    for path in paths:
        path.write_text(f"The words of {path.name}.", "utf-8")
    job = Job(order("one.txt", "two.txt"), [source(path) for path in paths])
    job.run(base.workspace)
    for _ in range(TRIES):
        assert job.open_with("one.txt", "wrong")
        job.run(base.workspace)
    assert [now.locked for now in job.files()] == [False, True]
    assert not job.open_with("one.txt", PASSWORD)
    job.leave_locked("two.txt")
    assert not job.is_locked


def test_so_many_at_a_time_and_the_others_know_their_place(
    base: KnowledgeBase, folder: Path, tmp_path: Path
) -> None:
    gate = Gate(base.workspace)
    jobs = Jobs(gate, Spool(tmp_path / "spool"), at_once=1)
    started = [jobs.start(order(name), [folder / name]) for name in ("a.md", "b.md", "c.md")]
    wait_until(lambda: gate.asked == 1)
    assert [jobs.ahead_of(job) for job in started[1:]] == [1, 2]
    assert "前面还有 1 个任务" in str(upload_shown(started[1], 1)["said"])
    started[1].cancel()
    assert started[1].is_over
    gate.opened.set()
    wait_until(lambda: all(job.is_over for job in started))
    assert [job.phase for job in started] == [Phase.ENDED, Phase.CANCELLED, Phase.ENDED]
    assert started[1].results == []


def test_a_failure_of_one_order_is_not_the_next_ones(
    base: KnowledgeBase, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[int] = []

    def workspace() -> Workspace:
        asked.append(1)
        if len(asked) == 1:
            raise ZeroDivisionError
        return base.workspace

    jobs = Jobs(workspace, Spool(tmp_path / "spool"), at_once=1)
    first = jobs.start(order("a.md"), [folder / "a.md"])
    second = jobs.start(order("b.md"), [folder / "b.md"])
    wait_until(lambda: first.is_over and second.is_over)
    assert second.is_usable
    assert not first.is_usable
    assert "an upload failed" in caplog.text


def test_an_order_that_a_dead_server_left_is_carried_out_and_others_are_left_alone(
    base: KnowledgeBase, folder: Path, tmp_path: Path
) -> None:
    spool_folder = tmp_path / "spool"
    dead, alive = Spool(spool_folder), Spool(spool_folder)
    left, theirs, broken = order("a.md"), order("b.md"), order("c.md")
    for spool, given in ((dead, left), (alive, theirs), (dead, broken)):
        spool.put(given, [folder / given.files[0]])
    (spool_folder / broken.id / "order.json").write_text("{", "utf-8")
    for lock in dead._locks.values():
        lock.release()
    jobs = Jobs(lambda: base.workspace, Spool(spool_folder))
    assert jobs.is_lost(broken.id) is False
    taken = jobs.go_on()
    assert [job.order for job in taken] == [left]
    wait_until(lambda: taken[0].is_over)
    with base.workspace.store.read() as reader:
        rows = reader.visible_documents(Scope(chat="chat:t1", viewer="ann"))
    assert [row.name for row in rows] == ["a.md"]
    assert jobs.find(theirs.id) is None
    assert not jobs.is_lost(theirs.id)
    assert jobs.is_lost(broken.id)
    jobs.settle(taken[0])
    assert [path.name for path in spool_folder.iterdir()] == [theirs.id]


def test_an_order_is_the_same_after_it_was_written_down() -> None:
    given = order("甲.pdf", "b.md")
    assert order_of(json.loads(json.dumps(given.as_json()))) == given


def test_old_orders_are_forgotten_with_their_files(base: KnowledgeBase, folder: Path, tmp_path: Path) -> None:
    jobs = Jobs(lambda: base.workspace, Spool(tmp_path / "spool"), kept=2)
    given: Sequence[Order] = [order("a.md", thread=str(number)) for number in range(5)]
    for one in given:
        job = jobs.start(one, [folder / "a.md"])
        wait_until(lambda job=job: job.is_over)  # type: ignore[misc]
    assert jobs.find(given[0].id) is None
    assert not (tmp_path / "spool" / given[0].id).exists()
    assert jobs.find(given[4].id) is not None
