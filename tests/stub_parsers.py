"""Parsers that go wrong in every way a parser can, for the tests of the parsing process."""

from __future__ import annotations

import os
import signal
import time
from typing import ClassVar

from core.document import Block, BlockKind, Document
from core.errors import PasswordNeededError, WrongPasswordError
from core.reading import DEFAULT_READING, Reading
from core.span import Span


class Good:
    """The bytes as one paragraph."""

    version = "stub-1"
    media_type = "text/plain"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        text = data.decode("latin-1")
        block = Block(kind=BlockKind.PARAGRAPH, span=Span(0, len(text)))
        return Document(
            text=text, title=name, language="en", media_type=self.media_type, blocks=(block,), page_count=1
        )


class Crashing(Good):
    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        if b"crash" in data:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().parse(data, name, reading)


class Hanging(Good):
    """Answers nothing, not even signals that Python would have to handle."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        reading.on_page(1, 9)
        time.sleep(60)
        return super().parse(data, name, reading)


class Greedy(Good):
    """Takes memory bit by bit (``slow``) or all at once."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        if b"slow" in data:
            kept = []
            while True:
                kept.append(b"\1" * 20_000_000)
                time.sleep(0.005)
        return super().parse(b"\1" * 50_000_000_000, name, reading)


class Hoarding(Good):
    """Keeps 120 MB of every file for ever, as libraries with caches do; says which process it is in."""

    kept: ClassVar[list[bytes]] = []

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        self.kept.append(b"\1" * 120_000_000)
        return super().parse(str(os.getpid()).encode(), name, reading)


class Paged(Good):
    """As many pages as the file says."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        for page in range(int(data) + 1):
            reading.on_page(page, int(data))
        return super().parse(data, name, reading)


class Faulty(Good):
    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        raise ZeroDivisionError("deep inside a library")


class Exiting(Good):
    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        os._exit(3)


class Printing(Good):
    """Writes to the output that the program's own answers could have used."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        os.write(1, b"chatter of a library\n")
        return super().parse(data, name, reading)


class Telling(Good):
    """The text is what the process knows of its surroundings."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        told = f"{os.getpid()} {os.getppid()} {os.environ.get('OPENAI_API_KEY', 'no key')}"
        return super().parse(told.encode(), name, reading)


class Locked(Good):
    """Opens with the password "open"."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        if not reading.password:
            raise PasswordNeededError(name=name)
        if reading.password != "open":
            raise WrongPasswordError(name=name)
        return super().parse(data, name, reading)


class Stalling(Good):
    """A few pages at a steady pace, then nothing."""

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        for page in range(1, int(data) + 1):
            time.sleep(0.2)
            reading.on_page(page, 99)
        time.sleep(60)
        return super().parse(data, name, reading)
