"""A knowledge base with a file of every kind, damaged in one of them, and whether it still shows no wrong text."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from core.errors import YoujuError
from ingest.calibration import Calibration, Calibrations, LanguageScale
from ingest.check import problems
from ingest.mending import mend
from ingest.workspace import make_embedder
from retrieval.knowledge_base import KnowledgeBase
from tests.robustness.forks import forked
from tests.robustness.small_base import (
    APPLE,
    NEW_APPLE,
    PEAR,
    PLUM,
    add,
    lies,
    make,
    opened,
    remove,
    rules,
    settings_of,
    words_of,
)

HOW: Final = ("empty", "half", "short", "cut", "flip", "flip", "flip", "zeros", "swapped", "gone")
# Texts that were stored one after the other; a log that lost its end may bring an earlier one back.
_KNOWN: Final = {
    "apple.md": (rules("apple10", "apple11"), APPLE, NEW_APPLE),
    "pear.md": (PEAR,),
    "plum.md": (PLUM,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One file, and what happens to it."""

    path: str
    how: str
    seed: int

    def make(self, home: Path) -> None:
        """Damage the file under ``home``."""
        path, dice = home / self.path, random.Random(self.seed)
        data = path.read_bytes()
        if self.how == "gone":
            path.unlink()
        else:
            path.write_bytes(self._changed(data, home, dice))

    def _changed(self, data: bytes, home: Path, dice: random.Random) -> bytes:
        size = len(data)
        if self.how == "flip" and size:
            at = dice.randrange(size)
            return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
        if self.how == "zeros" and size:
            at = dice.randrange(size)
            return data[:at] + bytes(min(512, size - at)) + data[at + 512 :]
        if self.how == "swapped":
            others = [path for path in sorted(home.rglob("*")) if path.is_file() and path != home / self.path]
            return dice.choice(others).read_bytes()
        kept = {"empty": 0, "half": size // 2, "short": size * 99 // 100}.get(
            self.how, dice.randrange(size + 1)
        )
        return data[:kept]


def make_home(home: Path, lexical: str) -> None:
    """Files of every kind that lie there after a crash: also a log that was not folded into the database.

    In a process without threads.
    """
    forked(lambda: _fill(home, lexical))
    _keep_calibration(home)
    with closing(sqlite3.connect(home / "decisions.db")) as cache, cache:
        cache.execute("CREATE TABLE full_llm_cache (prompt TEXT)")
        cache.execute("INSERT INTO full_llm_cache VALUES ('apple')")


def _fill(home: Path, lexical: str) -> Iterator[object]:
    make(home, lexical)
    base = KnowledgeBase(settings_of(home, lexical))
    add(base, "plum.md", PLUM)
    add(base, "apple.md", NEW_APPLE)
    # No object is closed: the log stays.
    os._exit(0)
    yield


def _keep_calibration(home: Path) -> None:
    settings = settings_of(home)
    embedder = make_embedder(settings)
    mean = tuple(1.5 / (i + 7) for i in range(embedder.dimension))
    scale = LanguageScale(texts=9, question_mean=mean, passage_mean=mean, random_pair=0.1, near_copy=0.9)
    languages = {"zh": scale, "en": scale}
    made = Calibration(fingerprints=(embedder.fingerprint,), source="test", languages=languages)
    Calibrations(home).keep(made)


def mutants(home: Path, count: int, seed: int) -> list[Mutant]:
    """So many of them, every file in turn."""
    dice = random.Random(seed)
    files = sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if _is_worth_it(path))
    turn = [(path, how) for how in dict.fromkeys(HOW) for path in files]
    chosen = turn if len(turn) <= count else [turn[i * len(turn) // count] for i in range(count)]
    while len(chosen) < count:
        chosen.append((dice.choice(files), dice.choice(HOW)))
    return [Mutant(path=path, how=how, seed=dice.randrange(1 << 30)) for path, how in chosen]


def _is_worth_it(path: Path) -> bool:
    return path.is_file() and path.suffix not in (".lock", ".holder")


def look(home: Path, lexical: str) -> Iterator[str]:
    """What a user would see: "refused" or "answered" first, then what is wrong with it.

    Wrong is a text that was never stored, a passage that is no document's, an error that is no sentence, and
    what makes the next start fail that this one survived.
    """
    try:
        yield from _answered(home, lexical)
    except YoujuError as exc:
        yield f"refused {exc.code}"


def _answered(home: Path, lexical: str) -> Iterator[str]:
    with opened(home, lexical) as base:
        store = base.workspace.store
        with store.read() as reader:
            for row in reader.documents():
                text = reader.version(row.version_id).text
                if text not in _KNOWN.get(row.name, ()):
                    yield f"wrong: {row.name} has another text"
        for word in (words_of(text)[0] for text in (NEW_APPLE, PEAR, PLUM)):
            for passage in base.ask(f"{word} 多久检查一次？").search.passages:
                if passage.text not in "\n".join(_KNOWN.get(passage.doc, ())):
                    yield f"wrong: a passage of {passage.doc} that is not in it"
        yield from (f"wrong: {lie}" for lie in lies(base))
        add(base, "later.md", rules("later91"))
        yield from (f"wrong later: {lie}" for lie in lies(base))
        remove(base, "later.md")
        found = problems(store)
        if found:
            _, left = mend(base.workspace, lambda key, **values: None)
            yield from (f"wrong after rebuild: {lie}" for lie in lies(base))
            yield f"answered, rebuild leaves {len(left)} problems of {len(found)}"
        else:
            yield "answered"


def outcome(home: Path, lexical: str, mutant: Mutant) -> tuple[str, list[str]]:
    """What became of a copy of ``home`` with this mutant: "answered", "refused ..." or "crashed"; what is wrong."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "home"
        shutil.copytree(home, copy)
        mutant.make(copy)
        ended = forked(lambda: look(copy, lexical))
    wrong = [line for line in ended.said if not line.startswith(("answered", "refused"))]
    if ended.code:
        return "crashed", [*wrong, f"ended with {ended.code}"]
    return ended.said[-1] if ended.said else "silent", wrong
