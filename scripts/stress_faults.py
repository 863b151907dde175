"""Fails every operation of adding, replacing and deleting a document, one after the other, and looks at what is left.

    python scripts/stress_faults.py [--calls] [--actions add delete] [--lexical tantivy] [--faults exit] [--stride 5]

An operation is one of Python's on files, or a statement of SQL; with --calls (Linux with a C compiler) every
system call on files, so also those of SQLite and tantivy. A fault is an I/O error, a disk that is full from then
on, or the end of the process. Afterwards the state must be the old or the new one, what was acknowledged must be
there, search must find exactly what is stored, and rebuild must mend what check finds. Prints a Markdown table
and what was wrong; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import ctypes
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.terminal import say, tell  # noqa: E402
from tests.robustness.faults import EXIT_CODE, Fault, Faults  # noqa: E402
from tests.robustness.forks import forked, warm  # noqa: E402
from tests.robustness.small_base import ACTIONS, State, make  # noqa: E402
from tests.robustness.sweep import Sweep  # noqa: E402

_KINDS: Final = {Fault.ERROR: 1, Fault.FULL: 2, Fault.EXIT: 3}


class Calls:
    """A ``Breaker`` of system calls by ``failing_calls.c``, which has to be loaded already."""

    def __init__(self, root: Path, at: int = -1, fault: Fault = Fault.ERROR) -> None:
        self._arguments = (str(root).encode(), at, _KINDS[fault])
        self.seen: list[str] = []

    @contextmanager
    def armed(self) -> Iterator[None]:
        library = ctypes.CDLL(None)
        root, at, kind = self._arguments
        library.fail_arm(root, ctypes.c_long(at), ctypes.c_int(kind))
        try:
            yield
        finally:
            self.seen = ["call"] * library.fail_disarm()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--actions", nargs="+", choices=list(ACTIONS), default=list(ACTIONS))
    parser.add_argument(
        "--lexical", nargs="+", choices=("bm25plus", "tantivy"), default=("bm25plus", "tantivy")
    )
    parser.add_argument("--faults", nargs="+", choices=[fault.value for fault in Fault], default=list(Fault))
    parser.add_argument("--stride", type=int, default=1, help="try only every so manieth operation")
    parser.add_argument("--calls", action="store_true")
    options = parser.parse_args()
    if options.calls and "failing_calls" not in os.environ.get("LD_PRELOAD", ""):
        return _again_with_calls()
    logging.disable(logging.CRITICAL)
    breaker = Calls if options.calls else Faults
    wrong = 0
    say("| index | action | operations | fault | runs | wrong |\n|---|---|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        warm(lambda: make(Path(folder) / "warm" / "home", "tantivy"))
        for lexical in options.lexical:
            for action in options.actions:
                sweep = _sweep(Path(folder) / lexical, action, lexical)
                for fault in map(Fault, options.faults):
                    count, runs, found = _all(sweep, Path(folder) / "run", breaker, fault, options.stride)
                    say(f"| {lexical} | {action} | {count} | {fault} | {runs} | {len(found)} |")
                    for one in found:
                        tell(f"{lexical} {action} {fault}: {one}")
                    wrong += len(found)
    return 1 if wrong else 0


def _again_with_calls() -> int:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "failing_calls.so"
        source = Path(__file__).with_name("failing_calls.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"], check=True)
        environment = os.environ | {"LD_PRELOAD": str(library)}
        return subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode


def _sweep(folder: Path, action: str, lexical: str) -> Sweep:
    """Made in a child: what is forked later must have no threads."""
    folder.mkdir(exist_ok=True)

    def work() -> Iterator[object]:
        made = Sweep.of(folder, action, lexical)
        yield asdict(made.before)
        yield asdict(made.after)

    before, after = (
        State({name: tuple(texts) for name, texts in said["texts"].items()}, said["rows"])
        for said in forked(work).said
    )
    return Sweep(
        template=folder / "template", action=ACTIONS[action], lexical=lexical, before=before, after=after
    )


def _all(
    sweep: Sweep, root: Path, breaker: type[Faults] | type[Calls], fault: Fault, stride: int
) -> tuple[int, int, list[str]]:
    """How many operations there are, how many were tried, and what was wrong with which."""
    names = _operations(sweep, root, breaker)
    numbers = [
        n for n, name in enumerate(names) if fault is not Fault.FULL or not name.startswith("statement")
    ]
    found = []
    for number in numbers[::stride]:
        found += [
            f"{one} ({number} {names[number][:60]})" for one in _one(sweep, root, breaker, number, fault)
        ]
    return len(names), len(numbers[::stride]), found


def _operations(sweep: Sweep, root: Path, breaker: type[Faults] | type[Calls]) -> list[str]:
    home = _fresh(sweep, root)

    def work() -> Iterator[object]:
        counting = breaker(home)
        assert not list(sweep.run(home, counting, root / "acknowledged"))
        yield [name.replace(str(home), "") for name in counting.seen]

    names: list[str] = forked(work).said[0]
    return names


def _one(
    sweep: Sweep, root: Path, breaker: type[Faults] | type[Calls], number: int, fault: Fault
) -> Iterator[str]:
    home, acknowledged = _fresh(sweep, root), root / "acknowledged"
    ended = forked(lambda: sweep.run(home, breaker(home, number, fault), acknowledged))
    yield from ended.said
    if ended.code not in ((0, EXIT_CODE) if fault is Fault.EXIT else (0,)):
        yield f"the process ended with {ended.code}"
    ended = forked(lambda: sweep.verify(home, acknowledged.exists()))
    yield from ended.said
    if ended.code:
        yield f"the next process ended with {ended.code}"


def _fresh(sweep: Sweep, root: Path) -> Path:
    shutil.rmtree(root, ignore_errors=True)
    return sweep.fresh(root / "home")


if __name__ == "__main__":
    sys.exit(main())
