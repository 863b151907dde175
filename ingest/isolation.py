"""Parsing in a process of its own: a crash, a hang or a flood of memory costs one file and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, TypeVar

from core.document import Document
from core.errors import ParserCrashedError, ParserMemoryError, ParserTimeoutError
from core.reading import Reading
from ingest.transfer import Message, from_bytes, to_bytes, unpacked_document, unpacked_error

_ROOT: Final = Path(__file__).resolve().parents[1]
# How often time, memory and the caller's wish to stop are looked at.
_TICK_S: Final = 0.05
# Share of the memory limit at which a process is replaced between two files.
_GROWN: Final = 1 / 3
_SECRETS: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD")

Made = TypeVar("Made")


class Worker:
    """A parsing process, started with the first file and used for all that follow. For one thread.

    It is stopped when a file kills it, takes too long or too much memory, or when the caller's
    ``Reading.on_page`` raises; the next file gets a new one. ``on_page`` is called again with the same
    numbers while nothing happens, so that it can raise at any time.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._described: dict[str, tuple[str, str]] = {}

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def describe(self, target: str, name: str) -> tuple[str, str]:
        """Version and media type of the parser ``target`` ("module:callable"), which only the process imports.

        ``name`` is the file it is wanted for. Raises as ``parse``, and ``MissingExtraError``.
        """
        if target not in self._described:
            self._described[target] = self._call(
                {"describe": target},
                b"",
                name,
                Reading(),
                lambda it: (str(it["version"]), str(it["media_type"])),
            )
        return self._described[target]

    def parse(self, target: str, data: bytes, name: str, reading: Reading) -> Document:
        """The document that the parser ``target`` makes.

        Raises what the parser raises, ``ParserCrashedError``, ``ParserTimeoutError``,
        ``ParserMemoryError`` and ``TooManyPagesError``.
        """
        return self._call({"target": target}, data, name, reading, unpacked_document)

    def unpack(
        self, kind: str, data: bytes, name: str, reading: Reading, folder: Path, spent: int
    ) -> list[Message]:
        """What ``ingest.archives.unpacked`` returns. Raises as ``parse``."""
        header = {"unpack": kind, "folder": str(folder), "spent": spent}
        return self._call(header, data, name, reading, lambda answer: list(answer["entries"]))

    def close(self) -> None:
        """Stop the process and all that it has started."""
        if self._process is None or self._connection is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._connection.close()
        self._process = self._connection = None

    def _call(
        self, header: Message, data: bytes, name: str, reading: Reading, made: Callable[[Message], Made]
    ) -> Made:
        request = {
            "name": name,
            "settings": reading.settings.model_dump(),
            "password": reading.password,
        }
        try:
            process, connection = self._started()
            _send(connection, name, to_bytes(header | request), data)
            answer = _answer(process, connection, name, reading)
            if "error" not in answer:
                result = _checked(made, answer, name)
                self._retire(reading)
                return result
        except BaseException:
            self.close()
            raise
        raise unpacked_error(answer, name)

    def _retire(self, reading: Reading) -> None:
        """Stop a process that has grown: libraries keep memory, and the next file is to have its own share."""
        if self._process and _memory_mb(self._process.pid) > _GROWN * reading.settings.memory_mb:
            self.close()

    def _started(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._process is None or self._connection is None:
            ours, theirs = Pipe()
            with theirs:
                # A new program, not a fork: the server has threads. A session of its own, so that
                # everything the parser starts ends with it and a Ctrl-C is the caller's to handle.
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "ingest.worker", str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    # Tracebacks and what libraries say are for logs, not for people at a terminal.
                    stderr=subprocess.DEVNULL if os.isatty(2) else None,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                    env=_environment(),
                )
            self._connection = ours
        return self._process, self._connection


def _answer(process: subprocess.Popen[bytes], connection: Connection, name: str, reading: Reading) -> Message:
    """The last message to a request; progress on the way is told to the caller, who may raise."""
    limits = reading.settings
    progress, deadline = (0, 1), time.monotonic() + limits.timeout_s
    while True:
        if connection.poll(_TICK_S):
            message = _received(connection, name)
            if "page" not in message:
                return message
            done, total = map(int, message["page"])
            if done > progress[0]:
                deadline = time.monotonic() + limits.timeout_s
            progress = (done, total)
        reading.on_page(*progress)
        if time.monotonic() > deadline:
            raise ParserTimeoutError(name=name, seconds=round(limits.timeout_s, 1))
        if _memory_mb(process.pid) > limits.memory_mb:
            raise ParserMemoryError(name=name, limit_mb=limits.memory_mb)


def _send(connection: Connection, name: str, *parts: bytes) -> None:
    try:
        for part in parts:
            connection.send_bytes(part)
    except OSError as exc:
        raise ParserCrashedError(name=name) from exc


def _received(connection: Connection, name: str) -> Message:
    try:
        return from_bytes(connection.recv_bytes())
    except (EOFError, OSError, ValueError) as exc:
        raise ParserCrashedError(name=name) from exc


def _checked(made: Callable[[Message], Made], answer: Message, name: str) -> Made:
    """What a parser gone wild answers must not be worse than a crash."""
    try:
        return made(answer)
    except (LookupError, TypeError, ValueError) as exc:
        raise ParserCrashedError(name=name) from exc


def _memory_mb(pid: int) -> float:
    """Resident memory in MB; 0 where the system does not tell (then the limit inside the process counts)."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _environment() -> dict[str, str]:
    """This process's without its secrets, and with the program itself to be found."""
    kept = {name: v for name, v in os.environ.items() if not any(word in name.upper() for word in _SECRETS)}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), kept.get("PYTHONPATH"))))}
