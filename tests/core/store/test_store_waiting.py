"""A second writer waits, says for whom, and is let in when the first is done or dead."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import StoreBusyError
from core.store import Store
from core.store.waiting import UNKNOWN, Holder, waiting_text

ROOT = Path(__file__).parents[3]
_HOLD = """
import sys, time
from pathlib import Path
from core.store import Store
with Store(Path(sys.argv[1])).write() as writer:
    writer.ensure_collection("half")
    print("holding", flush=True)
    time.sleep(60)
"""


def hold(home: Path) -> subprocess.Popen[str]:
    """Another program that writes until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, home], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "holding\n"
    return process


def test_the_waiting_one_is_told_once_who_writes_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    store = Store(tmp_path)
    process = hold(tmp_path)
    told: list[Holder] = []

    def told_then_kill(holder: Holder) -> None:
        told.append(holder)
        process.send_signal(signal.SIGKILL)

    started = time.monotonic()
    with store.write(on_wait=told_then_kill) as writer:
        writer.ensure_collection("after")
    assert time.monotonic() - started >= 1
    assert process.wait() == -signal.SIGKILL
    assert [holder.pid for holder in told] == [process.pid]
    for language in ("zh", "en"):
        assert str(process.pid) in waiting_text(told[0], language)
    with store.read() as reader:
        assert reader.collections() == ("after",)
    process.stdout.close()  # type: ignore[union-attr]


def test_short_waits_are_not_spoken_of(tmp_path: Path) -> None:
    told: list[Holder] = []
    first = Store(tmp_path)
    second = Store(tmp_path, lock_timeout_s=0.2, on_wait=told.append)
    with first.write(), pytest.raises(StoreBusyError), second.write():
        pass
    assert told == []


def test_who_left_no_word_is_waited_for_all_the_same(tmp_path: Path) -> None:
    told: list[Holder] = []
    first = Store(tmp_path)
    second = Store(tmp_path, lock_timeout_s=1.2, on_wait=told.append)
    for word in (None, b"\xff{"):
        with first.write():
            if word is None:
                (tmp_path / "write.holder").unlink()
            else:
                (tmp_path / "write.holder").write_bytes(word)
            with pytest.raises(StoreBusyError), second.write():
                pass
    assert told == [UNKNOWN, UNKNOWN]
    assert waiting_text(UNKNOWN, "en") != waiting_text(Holder(pid=1, host="h", since=UNKNOWN.since), "en")


def test_the_word_is_taken_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.exclusive():
        assert str(os.getpid()) in (tmp_path / "write.holder").read_text("utf-8")
    assert not (tmp_path / "write.holder").exists()
