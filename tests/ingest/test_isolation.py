"""The parsing process: whatever a file does to its parser, that file alone is refused, and the next one works."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.document import Block, BlockKind, Document, Line, Notice
from core.errors import (
    CancelledError,
    DocumentError,
    MissingExtraError,
    ParserCrashedError,
    ParserFailedError,
    ParserMemoryError,
    ParserTimeoutError,
    PasswordNeededError,
    TooManyPagesError,
    WrongPasswordError,
    YoujuError,
)
from core.messages import LANGUAGES
from core.reading import Reading
from core.registry import REGISTRY
from core.settings import ParsingSettings, Settings
from core.span import Span
from ingest.cli import main
from ingest.isolation import Worker
from ingest.pipeline import Ingest
from ingest.report import FileResult, Outcome, Progress, Stage
from ingest.transfer import (
    from_bytes,
    packed_document,
    packed_error,
    to_bytes,
    unpacked_document,
    unpacked_error,
)
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest

ROOT = Path(__file__).resolve().parents[2]
STUBS = "tests.stub_parsers"


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as made:
        yield made


def parse(worker: Worker, stub: str, data: bytes, reading: Reading | None = None) -> Document:
    return worker.parse(f"{STUBS}:{stub}", data, "文件.x", reading or Reading())


def limited(**limits: float) -> Reading:
    return Reading(settings=ParsingSettings(**limits))


@pytest.mark.parametrize(
    ("stub", "data", "reading", "error"),
    [
        ("Crashing", b"crash", Reading(), ParserCrashedError),
        ("Exiting", b"", Reading(), ParserCrashedError),
        ("Hanging", b"", limited(timeout_s=0.3), ParserTimeoutError),
        ("Greedy", b"slow", limited(memory_mb=256), ParserMemoryError),
        ("Greedy", b"at once", limited(memory_mb=256), ParserMemoryError),
        ("Paged", b"6", limited(max_pages=5), TooManyPagesError),
        ("Faulty", b"", Reading(), ParserFailedError),
        ("Locked", b"", Reading(), PasswordNeededError),
        ("Locked", b"", Reading(password="shut"), WrongPasswordError),
    ],
)
def test_a_file_that_ruins_its_parser_is_refused_and_the_next_one_works(
    worker: Worker, stub: str, data: bytes, reading: Reading, error: type[DocumentError]
) -> None:
    with pytest.raises(error) as caught:
        parse(worker, stub, data, reading)
    assert type(caught.value) is error
    for language in LANGUAGES:
        message = caught.value.message(language)
        assert "文件.x" in message
        assert "?" not in message
        assert "deep inside" not in message
    assert parse(worker, "Good", b"next").text == "next"


def test_one_process_serves_many_files_and_knows_no_secret(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with Worker() as fresh:
        told = {parse(fresh, "Telling", b"").text for _ in range(3)}
    assert len(told) == 1
    process, parent, key = told.pop().split(maxsplit=2)
    assert int(parent) == os.getpid() != int(process)
    assert key == "no key"
    assert not Path(f"/proc/{process}").exists()


def test_what_earlier_files_left_behind_is_not_charged_to_the_next_one() -> None:
    with Worker() as fresh:
        processes = [parse(fresh, "Hoarding", b"", limited(memory_mb=600)).text for _ in range(8)]
    assert len(set(processes)) > 2


def test_a_parser_is_described_without_being_imported_here(worker: Worker) -> None:
    assert worker.describe(f"{STUBS}:Good", "a.x") == ("stub-1", "text/plain")
    with pytest.raises(MissingExtraError, match="pip install package_that_is_missing"):
        worker.describe("package_that_is_missing:Parser", "a.x")
    assert parse(worker, "Good", b"next").text == "next"


def test_what_a_library_prints_does_not_reach_the_output(
    worker: Worker, capfd: pytest.CaptureFixture[str]
) -> None:
    assert parse(worker, "Printing", b"text").text == "text"
    assert "chatter" not in capfd.readouterr().out


def test_progress_comes_while_the_file_is_read_and_can_stop_it(worker: Worker) -> None:
    seen: list[tuple[int, int]] = []
    reading = Reading(on_page=lambda done, total: seen.append((done, total)))
    assert parse(worker, "Paged", b"12", reading).text == "12"
    assert [page for page in dict.fromkeys(seen) if page[1] == 12] == [(n, 12) for n in range(13)]

    def stop(done: int, total: int) -> None:
        if (done, total) == (1, 9):
            raise CancelledError

    started = time.monotonic()
    with pytest.raises(CancelledError):
        parse(worker, "Hanging", b"", Reading(on_page=stop))
    assert time.monotonic() - started < 10
    assert parse(worker, "Good", b"next").text == "next"


def test_a_page_in_time_keeps_the_parser_going(worker: Worker) -> None:
    """The limit is for standing still: a thousand pages may take longer than one."""
    reading = limited(timeout_s=0.4)
    started = time.monotonic()
    with pytest.raises(ParserTimeoutError):
        parse(worker, "Stalling", b"4", reading)
    assert time.monotonic() - started > 0.8


def test_an_error_of_the_caller_is_not_taken_for_a_crash(worker: Worker) -> None:
    def fail(done: int, total: int) -> None:
        raise BrokenPipeError("the user's terminal is gone")

    with pytest.raises(BrokenPipeError):
        parse(worker, "Paged", b"3", Reading(on_page=fail))


_PARENT = """
import sys, threading
from core.reading import Reading
from ingest.cli import main
from ingest.isolation import Worker
from ingest.pipeline import Ingest
worker = Worker()
print(worker.parse("tests.stub_parsers:Telling", b"", "a", Reading()).text.split()[0], flush=True)
threading.Thread(
    target=worker.parse, args=("tests.stub_parsers:Hanging", b"", "b", Reading()), daemon=True
).start()
sys.stdin.readline()
import os
os._exit(1)
"""


def test_the_process_dies_with_its_parent() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _PARENT],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert parent.stdout is not None
    child = Path("/proc") / parent.stdout.readline().strip()
    assert (child / "stat").exists()
    parent.communicate("now\n")
    deadline = time.monotonic() + 5
    while child.exists() and "Z" not in (child / "stat").read_text() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not child.exists() or ") Z" in (child / "stat").read_text()


# Every field filled, none with its default: a field that is new in core.document fails here until it crosses.
DOCUMENT = Document(
    text="第一章\n\n正文 text",
    title="题",
    language="zh",
    media_type="application/pdf",
    page_count=2,
    blocks=(
        Block(kind=BlockKind.HEADING, span=Span(0, 3), level=1, section_path=("第一章",)),
        Block(kind=BlockKind.PARAGRAPH, span=Span(5, 12), section_path=("第一章",)),
    ),
    lines=(Line(span=Span(5, 12), page=2, x0=0.1, y0=1 / 3, x1=99.5, y1=1e-9),),
    notices=(Notice(code="decoded_as", details=(("encoding", "GB18030"),)),),
)


def test_every_field_of_a_document_crosses() -> None:
    for part in (DOCUMENT, DOCUMENT.blocks[0], DOCUMENT.lines[0], DOCUMENT.notices[0]):
        for field in dataclasses.fields(part):
            assert getattr(part, field.name) != field.default, field.name
    assert unpacked_document(from_bytes(to_bytes(packed_document(DOCUMENT)))) == DOCUMENT


def test_half_a_character_keeps_every_place_where_it_is() -> None:
    broken = dataclasses.replace(DOCUMENT, text="第一章\n\n正\ud83d text", notices=())
    crossed = unpacked_document(from_bytes(to_bytes(packed_document(broken))))
    assert crossed.text == "第一章\n\n正\ufffd text"
    assert crossed.blocks == broken.blocks


def test_a_span_beyond_the_text_is_no_document() -> None:
    packed = packed_document(DOCUMENT) | {"text": "short"}
    with pytest.raises(ValueError, match="within 5 characters"):
        unpacked_document(from_bytes(to_bytes(packed)))


def test_every_error_crosses_as_its_own_class_with_its_details() -> None:
    def classes(base: type[YoujuError]) -> Iterator[type[YoujuError]]:
        yield base
        for child in base.__subclasses__():
            yield from classes(child)

    for made in classes(YoujuError):
        if not made.__module__.startswith("core."):
            continue
        error = made(name="文件", pages=7)
        crossed = unpacked_error(from_bytes(to_bytes(packed_error(error))), "文件")
        assert type(crossed) is made
        assert crossed.details == error.details
    assert type(unpacked_error({"error": "Unheard", "details": {}}, "x")) is DocumentError


def test_a_document_of_400_pages_crosses_in_well_under_a_second() -> None:
    line = "The quick brown fox jumps over the lazy dog, 然后说你好。\n"
    spans = [Span(i * len(line), (i + 1) * len(line)) for i in range(20_000)]
    document = dataclasses.replace(
        DOCUMENT,
        text=line * 20_000,
        blocks=tuple(
            Block(kind=BlockKind.PARAGRAPH, span=s, section_path=(f"{n // 90}",)) for n, s in enumerate(spans)
        ),
        lines=tuple(
            Line(span=s, page=1 + n // 50, x0=72.1, y0=n / 7, x1=540.9, y1=9) for n, s in enumerate(spans)
        ),
    )
    started = time.process_time()
    crossed = unpacked_document(from_bytes(to_bytes(packed_document(document))))
    # Half a second on an idle machine; a busy one counts more for the same work.
    assert time.process_time() - started < 3
    assert crossed == document


def test_the_whole_ingest_survives_a_crash_and_reports_in_the_users_language(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY["parser"], "image", f"{STUBS}:Crashing")
    chinese = settings.model_copy(update={"language": "zh"})
    base = KnowledgeBase(chinese)
    for name, data in (
        ("1.png", b"\x89PNG\r\nfirst"),
        ("2.png", b"\x89PNG\r\ncrash"),
        ("3.png", b"\x89PNG\r\nthird"),
    ):
        (tmp_path / name).write_bytes(data)
    report = make_ingest(base).add([tmp_path / f"{n}.png" for n in (1, 2, 3)], "default")
    outcomes = [result.outcome for result in report.files]
    assert outcomes == [Outcome.ADDED, Outcome.REFUSED, Outcome.ADDED]
    error = report.as_json("zh")["files"][1]["error"]  # type: ignore[index]
    assert error == {"code": "parser_crashed", "message": report.files[1].error.message("zh")}  # type: ignore[union-attr]
    assert "崩溃" in error["message"]
    assert "2.png" in error["message"]
    base.workspace.close()


def test_a_file_that_hangs_can_be_cancelled_and_progress_is_said_once(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY["parser"], "image", f"{STUBS}:Hanging")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n")
    seen: list[Progress] = []
    started = time.monotonic()
    ingest = make_ingest(
        base, on_progress=seen.append, cancelled=lambda: len(seen) > 1 and time.monotonic() > started + 1
    )
    assert ingest.add([tmp_path / "a.png"], "default").cancelled
    assert [(p.stage, p.done, p.total) for p in seen] == [(Stage.PARSE, 0, 1), (Stage.PARSE, 1, 9)]
    with base.workspace.store.read() as reader:
        assert reader.documents() == ()


def test_a_password_is_asked_for_until_the_file_opens(
    base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY["parser"], "image", f"{STUBS}:Locked")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n1")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n2")
    answers = {"a.png": iter(["shut", "open"]), "b.png": iter(["shut", ""])}
    results: list[FileResult] = []
    ingest = Ingest(base.workspace, on_result=results.append, on_password=lambda name: next(answers[name]))
    ingest.add([tmp_path / "a.png", tmp_path / "b.png"], "default")
    assert [(r.name, r.outcome) for r in results] == [("a.png", Outcome.ADDED), ("b.png", Outcome.REFUSED)]
    assert isinstance(results[1].error, WrongPasswordError)


@pytest.mark.parametrize("password", ["open", "a.png=open"])
def test_passwords_come_from_the_command_line(
    password: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(REGISTRY["parser"], "image", f"{STUBS}:Locked")
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n1")
    given = ["--password", "b.png=x", "--password", "shut", "--password", password]
    assert main(["add", str(tmp_path / "a.png"), "--password", "shut"]) == 1
    assert "does not open it" in capsys.readouterr().err
    assert main(["add", str(tmp_path / "a.png"), *given]) == 0
