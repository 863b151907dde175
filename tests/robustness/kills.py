"""A process that adds, replaces and deletes until it is killed, and whether what it acknowledged is there."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from ingest.check import index_problems, leftovers, problems
from ingest.mending import mend
from tests.robustness.forks import forked
from tests.robustness.small_base import add, lies, opened, remove, rules

_NAMES: Final = tuple(f"doc{number}.md" for number in range(12))
_LONGEST: Final = 12


@dataclass(slots=True)
class Log:
    """What the process said: a line before each change and one after it; ``-`` stands for no document."""

    path: Path
    stored: dict[str, str] = field(default_factory=dict)
    # What was begun and not acknowledged: a document and its new words.
    open: tuple[str, str] | None = None
    acknowledged: int = 0

    def say(self, verb: str, name: str, words: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{verb} {name} {words}\n")

    def read(self) -> None:
        """Take over what was said since the last time."""
        lines = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
        self.path.unlink(missing_ok=True)
        self.open = None
        for line in lines:
            verb, name, words = line.split(" ", 2)
            if verb == "begin":
                self.open = (name, words)
                continue
            self.open = None
            self.acknowledged += 1
            self._set(name, words)

    def settle(self, found: dict[str, str]) -> bool:
        """Whether ``found`` is what was acknowledged, with or without what was begun; it counts from now on."""
        if found == self.stored:
            return True
        if self.open is not None:
            self._set(*self.open)
        return found == self.stored

    def _set(self, name: str, words: str) -> None:
        if words == "-":
            self.stored.pop(name, None)
        else:
            self.stored[name] = words


def work(home: Path, lexical: str, log: Log, seed: int) -> None:
    """Open the knowledge base and change it without end."""
    dice = random.Random(seed)
    stored = dict(log.stored)
    with opened(home, lexical) as base:
        for turn in range(1_000_000):
            name = dice.choice(_NAMES)
            if name in stored and dice.random() < 0.4:
                log.say("begin", name, "-")
                remove(base, name, partial(log.say, "done", name, "-"))
                del stored[name]
            else:
                words = " ".join(f"w{seed}x{turn}x{i}z" for i in range(dice.randint(1, _LONGEST)))
                log.say("begin", name, words)
                done = partial(log.say, "done", name, words)
                add(base, name, rules(*words.split()), done)
                stored[name] = words


def kill_while_working(home: Path, lexical: str, log: Log, dice: random.Random) -> None:
    """Let a child work and kill it at a random moment, be it while it opens the knowledge base."""
    seed = dice.randrange(1 << 30)
    pid = os.fork()
    if pid == 0:
        try:
            work(home, lexical, log, seed)
        finally:
            os._exit(1)
    _wait(log.path, dice)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL, "it ended by itself"
    log.read()


def _wait(path: Path, dice: random.Random) -> None:
    """For some lines of the log, then for a part of the time that a line takes on this machine."""
    wanted, started, deadline = dice.randrange(8), time.monotonic(), time.monotonic() + 60
    while (lines := _lines(path)) < wanted and time.monotonic() < deadline:
        time.sleep(0.002)
    a_line = (time.monotonic() - started) / lines if lines else 0.5
    time.sleep(dice.uniform(0, 1.5 * a_line))


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def look(home: Path, lexical: str, log: Log) -> Iterator[str]:
    """What is stored after a new start; then what is wrong, a line each."""
    with opened(home, lexical) as base:
        with base.workspace.store.read() as reader:
            texts = {row.name: reader.version(row.version_id).text for row in reader.documents()}
        yield "\t".join(f"{name} {' '.join(_words_of(text))}" for name, text in sorted(texts.items()))
        yield from (
            f"{name} is no text that was written" for name, text in texts.items() if not _is_whole(text)
        )
        yield from lies(base)
        found = [*problems(base.workspace.store)]
        with base.workspace.store.read() as reader:
            found += index_problems(reader, base.workspace.indexes.at(reader))
        yield from map(str, found)
        if [*leftovers(base.workspace.store)]:
            _, left = mend(base.workspace, lambda key, **values: None)
            yield from (f"not mended: {problem}" for problem in left)


def moment(home: Path, lexical: str, log: Log, dice: random.Random) -> list[str]:
    """One kill, and what is wrong after it."""
    kill_while_working(home, lexical, log, dice)
    ended = forked(lambda: look(home, lexical, log))
    if ended.code or not ended.said:
        return [f"failed start: {ended.said} {ended.code}"]
    stored, *wrong = ended.said
    found = dict(part.split(" ", 1) for part in stored.split("\t")) if stored else {}
    before = dict(log.stored)
    if not log.settle(found):
        lost = sorted(name for name, words in before.items() if found.get(name) != words)
        phantoms = sorted(name for name, words in found.items() if before.get(name) != words)
        wrong.append(f"lost {lost}, phantoms {phantoms}, begun {log.open}")
        log.stored = found
    return wrong


def _words_of(text: str) -> list[str]:
    return [line[3:] for line in text.splitlines() if line.startswith("## ")]


def _is_whole(text: str) -> bool:
    return text == rules(*_words_of(text))
