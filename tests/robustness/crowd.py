"""Writers and readers of one knowledge base at the same time, in several processes of several threads each.

    python -m tests.robustness.crowd HOME --writers 2 --readers 6 --seconds 6 --number 0 [--lexical tantivy]

is one such process; it prints its counts as JSON. ``crowd`` starts several.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from core.errors import UnknownDocumentError
from core.store import Reader
from ingest.calibration import Aim
from ingest.check import problems
from ingest.indexes.analyzer import analyze
from retrieval.knowledge_base import KnowledgeBase
from tests.robustness.small_base import add, lies, opened, remove, settings_of

ROOT: Final = Path(__file__).resolve().parents[2]
_SIGNED: Final = re.compile(r"(编号 \w+ 的设备每 \d+ 天检查一次)。签名 (\w+)。")
_TOPICS: Final = 7


def signed(name: str, turn: int, count: int) -> str:
    """A text whose paragraphs carry a hash of themselves, so that any reader can tell a true one."""
    lines = (f"编号 {name}v{turn}p{i} 的设备每 {(turn + i) % 90 + 1} 天检查一次" for i in range(count))
    return f"# {name}\n\n" + "\n\n".join(
        f"## topic{i % _TOPICS}x\n\n{line}。签名 {_signature(line)}。" for i, line in enumerate(lines)
    )


def _signature(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:12]


def _is_true(text: str) -> bool:
    found = _SIGNED.findall(text)
    return bool(found) and all(_signature(line) == signature for line, signature in found)


class Member:
    """One process of the crowd."""

    def __init__(self, home: Path, lexical: str, number: int, seconds: float) -> None:
        self._home = home
        self._number = number
        self._until = time.monotonic() + seconds
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.errors: list[str] = []
        self._base = KnowledgeBase(settings_of(home, lexical))
        self._base.workspace._on_wait = lambda holder: self._count("waits over a second")

    def run(self, writers: int, readers: int) -> dict[str, object]:
        """Counts and errors of all threads."""
        work = [(self._write, n) for n in range(writers)] + [(self._read, n) for n in range(readers)]
        threads = [threading.Thread(target=self._guarded, args=one) for one in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._base.workspace.close()
        return {"counts": self._counts, "errors": self.errors}

    def _guarded(self, work: Callable[[random.Random, int], None], thread: int) -> None:
        dice = random.Random(self._number * 1000 + thread)
        try:
            while time.monotonic() < self._until:
                work(dice, thread)
        except BaseException:  # noqa: BLE001 - whatever it is, the test shows it
            self.errors.append(traceback.format_exc()[-1500:])

    def _write(self, dice: random.Random, thread: int) -> None:
        """Each writer has documents of its own, so that it knows what is there."""
        name = f"doc{self._number}x{thread}x{dice.randrange(3)}"
        with self._base.workspace.store.read() as reader:
            is_there = reader.find(name) is not None
        if is_there and dice.random() < 0.25:
            remove(self._base, name)
            self._count("deletes")
        else:
            add(self._base, name, signed(name, dice.randrange(10_000), dice.randint(1, 9)))
            self._count("writes")

    def _read(self, dice: random.Random, thread: int) -> None:
        topic = f"topic{dice.randrange(_TOPICS)}x"
        if thread % 2:
            self._search(topic)
        else:
            with self._base.workspace.store.read() as reader:
                self._look(reader, topic)

    def _look(self, reader: Reader, topic: str) -> None:
        """Every hit of one generation is a chunk of a current version, and holds what was scored."""
        index = self._base.workspace.indexes.at(reader)
        assert index.generation == reader.generation()
        aims = {name: Aim(vector=vector, offset=0.0) for name, vector in index.mean_by_language.items()}
        for hits, word in ((index.lexical(analyze(topic), 50), topic), (index.dense(aims, 50), "")):
            chunks = reader.chunks([hit.chunk_id for hit in hits])
            assert len(chunks) == len(hits)
            for chunk in chunks.values():
                text = reader.version(chunk.version_id).text
                assert word in chunk.embed_text
                assert chunk.span.of(text) in chunk.embed_text
                assert _is_true(chunk.span.of(text))
            self._count("hits", len(hits))
        self._count("searches of the index")

    def _search(self, topic: str) -> None:
        """Every citation of an answer is the source's text, also when it is opened later."""
        answer = self._base.ask(f"{topic} 的设备多久检查一次？")
        self._count("questions")
        for passage in answer.search.passages:
            assert _is_true(passage.text), passage.text
        for citation in answer.citations:
            passage = answer.search.passages[citation.passage]
            assert passage.span.contains(citation.span)
            self._count("citations")
            try:
                with self._base.workspace.store.read() as reader:
                    text = reader.version(passage.version_id).text
            except UnknownDocumentError:
                # Deleted since: it says so, and shows nothing else.
                self._count("citations of what is deleted since")
            else:
                assert passage.span.of(text) == passage.text
                assert citation.span.of(text) == citation.text

    def _count(self, what: str, number: int = 1) -> None:
        with self._lock:
            self._counts[what] += number


def crowd(
    home: Path, *, processes: int, writers: int, readers: int, seconds: float, lexical: str
) -> tuple[Counter[str], list[str]]:
    """Counts and errors of so many writers and readers, spread over the processes; a last look is among them."""
    with opened(home, lexical) as base:
        add(base, "first", signed("first", 0, 20))
    commands = [
        [sys.executable, "-m", "tests.robustness.crowd", str(home), "--number", str(n), "--lexical", lexical,
         "--seconds", str(seconds), "--writers", str(_share(writers, processes, n)),
         "--readers", str(_share(readers, processes, n))]
        for n in range(processes)
    ]  # fmt: skip
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    running = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for command in commands
    ]
    counts, errors = Counter[str](), list[str]()
    for process in running:
        out, err = process.communicate(timeout=seconds + 300)
        if process.returncode:
            errors.append(f"a process ended with {process.returncode}: {err.decode()[-1500:]}")
            continue
        said = json.loads(out)
        counts.update(said["counts"])
        errors += said["errors"]
    with opened(home, lexical) as base:
        errors += [*lies(base), *map(str, problems(base.workspace.store))]
    return counts, errors


def _share(total: int, parts: int, number: int) -> int:
    return total // parts + (number < total % parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    for name in ("--number", "--writers", "--readers"):
        parser.add_argument(name, type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--lexical", required=True)
    options = parser.parse_args()
    member = Member(options.home, options.lexical, options.number, options.seconds)
    sys.stdout.write(json.dumps(member.run(options.writers, options.readers)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
