"""Every operation on files and the database, counted, and one of them made to fail.

Operations are those of Python's own functions on paths under one folder, and every statement and commit of
``sqlite3``. What C and Rust code does to files is the business of ``scripts/stress_faults.py --calls``.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final
from unittest import mock

EXIT_CODE: Final = 137


class Fault(StrEnum):
    """What happens at an operation. ``FULL`` goes on: from then on nothing that takes space works."""

    ERROR = "error"
    FULL = "full"
    EXIT = "exit"


_FILES: Final = ("open", "mkdir", "link", "replace", "rename", "unlink", "remove", "rmdir")
_TAKE_SPACE: Final = frozenset(
    {"mkdir", "link", "open to write", "write", "fsync", "copy", "change", "commit"}
)
_READING: Final = ("SELECT", "BEGIN", "PRAGMA", "ROLLBACK")


class Faults:
    """Counts in ``seen`` while ``armed``; the operation number ``at`` (from 0) meets ``fault``."""

    def __init__(self, root: Path, at: int = -1, fault: Fault = Fault.ERROR) -> None:
        self._root = str(root)
        self._at = at
        self._fault = fault
        self._is_full = False
        self.seen: list[str] = []

    @contextmanager
    def armed(self) -> Iterator[None]:
        """Within the block, for all threads of the process."""
        with ExitStack() as stack:
            for name in _FILES:
                stack.enter_context(mock.patch.object(os, name, self._on_path(name, getattr(os, name))))
            stack.enter_context(mock.patch.object(os, "fsync", self._fsync(os.fsync)))
            stack.enter_context(mock.patch.object(shutil, "copyfile", self._copy(shutil.copyfile)))
            opening = self._open(io.open)
            for module in (io, builtins):
                stack.enter_context(mock.patch.object(module, "open", opening))
            connect = self._connect(sqlite3.connect)
            for driver in (sqlite3, sqlite3.dbapi2):
                stack.enter_context(mock.patch.object(driver, "connect", connect))
            yield

    def meet(self, name: str, what: object, *, half: Callable[[], object] = lambda: None) -> None:
        """Count an operation; when it is the one, do ``half`` of it and fail."""
        number = len(self.seen)
        self.seen.append(f"{name} {what}")
        takes_space = name in _TAKE_SPACE
        if self._fault is Fault.FULL:
            self._is_full |= number == self._at
            if self._is_full and takes_space:
                half()
                raise self._error(name, errno.ENOSPC)
        elif number == self._at:
            half()
            if self._fault is Fault.EXIT:
                os._exit(EXIT_CODE)
            raise self._error(name, errno.EIO)

    def _error(self, name: str, number: int) -> Exception:
        if name not in ("statement", "change", "commit", "connect"):
            return OSError(number, os.strerror(number))
        error = sqlite3.OperationalError("disk I/O error" if number == errno.EIO else "disk is full")
        error.sqlite_errorname = "SQLITE_IOERR" if number == errno.EIO else "SQLITE_FULL"
        return error

    def _is_ours(self, *paths: object) -> bool:
        return any(isinstance(path, str | os.PathLike) and self._root in os.fspath(path) for path in paths)

    def _on_path(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            if self._is_ours(*arguments) or named.get("dir_fd") is not None:
                writes = name == "open" and arguments[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
                self.meet("open to write" if writes else name, arguments[0])
            return original(*arguments, **named)

        return call

    def _fsync(self, original: Callable[[int], None]) -> Callable[[int], None]:
        def call(descriptor: int) -> None:
            self.meet("fsync", descriptor)
            original(descriptor)

        return call

    def _copy(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(source: Any, target: Any, **named: Any) -> Any:
            data = Path(source).read_bytes() if self._is_ours(target) else b""
            if self._is_ours(target):
                self.meet("copy", target, half=lambda: Path(target).write_bytes(data[: len(data) // 2]))
            return original(source, target, **named)

        return call

    def _open(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
            writes = any(letter in mode for letter in "wax+")
            if not self._is_ours(file):
                return original(file, mode, *arguments, **named)
            self.meet("open to write" if writes else "open", file)
            made = original(file, mode, *arguments, **named)
            if writes:
                made.write = self._write(made, made.write) if hasattr(made, "__dict__") else made.write
            return made

        return call

    def _write(self, file: Any, original: Callable[[Any], int]) -> Callable[[Any], int]:
        def call(data: Any) -> int:
            def half() -> None:
                original(data[: len(data) // 2])
                file.flush()

            self.meet("write", file.name, half=half)
            return original(data)

        return call

    def _connect(self, original: Callable[..., Any]) -> Callable[..., Any]:
        faults = self

        class Cursor(sqlite3.Cursor):
            def execute(self, statement: str, *arguments: Any) -> Any:
                faults.meet(*_named(statement))
                return super().execute(statement, *arguments)

            def executemany(self, statement: str, *arguments: Any) -> Any:
                faults.meet(*_named(statement))
                return super().executemany(statement, *arguments)

        class Connection(sqlite3.Connection):
            def cursor(self, factory: Any = Cursor) -> Any:
                return super().cursor(factory)

            def commit(self) -> None:
                faults.meet("commit", "")
                super().commit()

        def call(database: Any, *arguments: Any, **named: Any) -> Any:
            self.meet("connect", database)
            return original(database, *arguments, factory=Connection, **named)

        return call


def _named(statement: str) -> tuple[str, str]:
    return (
        "statement" if statement.lstrip().startswith(_READING) else "change",
        statement.split("\n")[0][:60],
    )
