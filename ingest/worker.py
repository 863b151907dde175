"""The parsing process: ``python -m ingest.worker FD``, started by ``ingest.isolation`` and talking over a pipe.

A request is a header (JSON) and the bytes of a file; the answers are any number of ``{"page": [done, total]}``
and then one result or error. The process ends when the other side is gone.
"""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from core.errors import MissingExtraError, ParserFailedError, ParserMemoryError, TooManyPagesError, YoujuError
from core.protocols import Parser
from core.reading import Reading
from core.settings import ParsingSettings
from ingest.transfer import Message, from_bytes, packed_document, packed_error, to_bytes

_LOG = logging.getLogger(__name__)
# The parent watches the memory really used; this is the wall behind it, for one leap over the limit.
_DATA_LIMIT: Final = 1.5
_PAGES_BETWEEN_TRIMS: Final = 5


def serve(connection: Connection) -> None:
    """Answer requests, one after the other, for as long as the other side is there."""
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, requests), daemon=True).start()
    while True:
        header, data = from_bytes(requests.get()), requests.get()
        connection.send_bytes(to_bytes(_answer(header, data, connection)))
        _give_back_memory()
        _set_alarm(0)


def _listen(connection: Connection, requests: SimpleQueue[bytes]) -> None:
    """Also while a file is being parsed, so that the end of the parent is noticed at once."""
    while True:
        try:
            requests.put(connection.recv_bytes())
        except (EOFError, OSError):
            # The session is this process's own: what a parser has started ends too.
            os.killpg(os.getpid(), signal.SIGKILL)


def _answer(header: Message, data: bytes, connection: Connection) -> Message:
    name, settings = str(header["name"]), ParsingSettings(**header["settings"])
    _limit_memory(settings)
    _set_alarm(settings.timeout_s)

    def on_page(done: int, total: int) -> None:
        if total > settings.max_pages:
            raise TooManyPagesError(name=name, pages=total, limit=settings.max_pages)
        _set_alarm(settings.timeout_s)
        if done % _PAGES_BETWEEN_TRIMS == 0:
            _give_back_memory()
        connection.send_bytes(to_bytes({"page": (done, total)}))

    reading = Reading(settings=settings, password=str(header["password"]), on_page=on_page)
    try:
        if "unpack" in header:
            return _unpacked(header, data, name, reading)
        if "describe" in header:
            parser = _made(str(header["describe"]))
            return {"version": parser.version, "media_type": parser.media_type}
        document = _made(str(header["target"])).parse(data, name, reading)
        if document.page_count > settings.max_pages:
            raise TooManyPagesError(name=name, pages=document.page_count, limit=settings.max_pages)
        return packed_document(document)
    except YoujuError as exc:
        return packed_error(exc)
    except Exception as exc:  # noqa: BLE001 - the border of the process: whatever it is, it is this file's fault
        _LOG.exception("the parser of %s failed", name)
        return packed_error(failure_of(exc, name, settings))


def failure_of(exc: Exception, name: str, settings: ParsingSettings) -> YoujuError:
    """What a parser tripped over, in words for people."""
    # Libraries in C++ say "bad_alloc" or "malloc (8000 bytes) failed" in errors of their own.
    if isinstance(exc, MemoryError) or "alloc" in str(exc):
        return ParserMemoryError(name=name, limit_mb=settings.memory_mb)
    return ParserFailedError(name=name, kind=type(exc).__name__)


def _unpacked(header: Message, data: bytes, name: str, reading: Reading) -> Message:
    from ingest.archives import unpacked

    folder, spent = Path(header["folder"]), int(header["spent"])
    return {"entries": unpacked(str(header["unpack"]), data, name, reading, folder, spent)}


def _made(target: str) -> Parser:
    module, _, attribute = target.partition(":")
    try:
        parser: Parser = getattr(import_module(module), attribute)()
    except ModuleNotFoundError as exc:
        raise MissingExtraError(name=target, install=f"pip install {exc.name}") from exc
    return parser


def _give_back_memory() -> None:
    """What the C library keeps of freed memory goes back to the system: it grows by 5 MB a page otherwise."""
    with suppress(OSError, AttributeError):
        # glibc's own; other systems have none and need none.
        ctypes.CDLL(None).malloc_trim(0)


def _limit_memory(settings: ParsingSettings) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        limit = int(settings.memory_mb * 1_000_000 * _DATA_LIMIT)
        resource.setrlimit(resource.RLIMIT_DATA, (limit if hard < 0 else min(limit, hard), hard))


def _set_alarm(seconds: float) -> None:
    """End this process after twice ``seconds``, should nobody be left to do it; 0 calls it off."""
    signal.setitimer(signal.ITIMER_REAL, 2 * seconds)


def main() -> None:
    # What libraries print must not reach the user's output.
    os.dup2(2, 1)
    faulthandler.enable()
    serve(Connection(int(sys.argv[1])))


if __name__ == "__main__":
    main()
