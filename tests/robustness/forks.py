"""Work in a child process that may die over it, for processes without threads of their own."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

_UNFORESEEN: Final = 70


class Ended(NamedTuple):
    """How the child ended, and what it had said until then."""

    code: int
    said: list[Any]

    @property
    def is_crash(self) -> bool:
        """Whether a signal ended it that nobody sent, or an error that nobody foresaw."""
        return self.code < 0 or self.code == _UNFORESEEN


def forked(work: Callable[[], Iterable[Any]], timeout_s: float = 120.0) -> Ended:
    """Do ``work`` in a child; what it yields, JSON, is said. Raises ``TimeoutError``."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _child(work, writing)
    os.close(writing)
    try:
        data = _read(reading, time.monotonic() + timeout_s)
    except TimeoutError:
        os.kill(pid, signal.SIGKILL)
        raise
    finally:
        os.close(reading)
        _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return Ended(
        code, [json.loads(line)["said"] for line in data.decode().splitlines() if line.endswith("}")]
    )


def warm(work: Callable[[], object]) -> None:
    """Import here what ``work`` imports in a child, so that the children after it need not."""

    def importing() -> Iterable[str]:
        before = set(sys.modules)
        work()
        yield from (name for name in sys.modules if name not in before)

    for name in forked(importing).said:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _child(work: Callable[[], Iterable[Any]], writing: int) -> None:
    code = 0
    try:
        for one in work():
            os.write(writing, json.dumps({"said": one}).encode() + b"\n")
    except BaseException as exc:  # noqa: BLE001 - whatever it is, the parent is told
        told = "".join(traceback.format_exception(exc)[-6:])
        os.write(writing, json.dumps({"said": told}).encode() + b"\n")
        code = _UNFORESEEN
    os._exit(code)


def _read(descriptor: int, deadline: float) -> bytes:
    data = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            raise TimeoutError("a child process does not end")
        part = os.read(descriptor, 65536)
        if not part:
            return data
        data += part
