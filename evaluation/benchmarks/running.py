"""Running parts one after the other, each in a process of its own, and skipping what is done."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import FileMissingError, SettingsError
from core.settings import Settings
from core.terminal import tell
from evaluation.benchmarks.parts import Part
from evaluation.benchmarks.state import ROOT, Entry, Index, Keys, read_index, write_index
from evaluation.reporting.run_file import SUFFIX, Made, read_run

PARTS: Final = "parts"
_LOG: Final = "log.txt"

_TEXTS: Final = {
    "zh": {
        "kept": "{at}/{all} {name}：已完成，未变",
        "run": "{at}/{all} {name} …",
        "done": "{at}/{all} {name}：完成，{seconds:.0f} 秒",
        "failed": "{at}/{all} {name}：失败，见 {log}",
    },
    "en": {
        "kept": "{at}/{all} {name}: done before, nothing changed",
        "run": "{at}/{all} {name} ...",
        "done": "{at}/{all} {name}: done in {seconds:.0f} s",
        "failed": "{at}/{all} {name}: failed, see {log}",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where the sets lie and where the results go; ``again`` runs also what is done."""

    data: Path
    out: Path
    settings: Settings
    again: bool = False

    def run(self, parts: Sequence[Part]) -> Index:
        """The index with every part; it is written after each, so an interrupted run goes on where it was.

        A part that fails is told and does not stop the others. Raises ``KeyboardInterrupt``.
        """
        index, keys = read_index(self.out), Keys(self.settings)
        for at, part in enumerate(parts, start=1):
            key, place = keys.of(part), {"at": at, "all": len(parts), "name": part.key}
            if not self.again and self._is_done(index, part, key):
                self._tell("kept", **place)
                continue
            self._tell("run", **place)
            entry = self._ran(part, key)
            index = index.with_part(part.key, entry)
            write_index(self.out, index)
            self._tell(entry.state, seconds=entry.seconds, log=self._folder(part) / _LOG, **place)
        return index

    def _is_done(self, index: Index, part: Part, key: str) -> bool:
        entry = index.parts.get(part.key)
        if entry is None or entry.state != "done" or entry.key != key:
            return False
        return bool(self._made(entry.files))

    def _ran(self, part: Part, key: str) -> Entry:
        folder = self._folder(part)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"*{SUFFIX}"):
            # What an earlier run left would be taken for this one's.
            old.unlink()
        started = time.perf_counter()
        code = self._process(part, folder)
        files = sorted(path.relative_to(self.out).as_posix() for path in folder.glob(f"*{SUFFIX}"))
        made = self._made(files)
        return Entry(
            kind=part.kind,
            set=part.name,
            command=self._shown(part),
            key=key,
            state="done" if code == 0 and made else "failed",
            seconds=round(time.perf_counter() - started, 1),
            files=tuple(files),
            made=made,
        )

    def _made(self, files: Sequence[str]) -> Made | None:
        """With what the runs were made; ``None`` where one is missing or of another form."""
        try:
            made = [read_run(self.out / name).made for name in files]
        except (FileMissingError, SettingsError):
            return None
        return made[0] if made else None

    def _process(self, part: Part, folder: Path) -> int:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
        command = [sys.executable, "-m", "evaluation", *part.arguments, "--out", str(folder)]
        with (folder / _LOG).open("wb") as log:
            done = subprocess.run(
                command, stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": path}, check=False
            )
        if done.returncode == 130:
            raise KeyboardInterrupt
        return done.returncode

    def _folder(self, part: Part) -> Path:
        return self.out / PARTS / part.key

    def _shown(self, part: Part) -> str:
        words = " ".join(part.arguments).replace(str(self.data.resolve()), "DATA")
        return f"python -m evaluation {words} --out OUT"

    def _tell(self, code: str, **details: object) -> None:
        tell(_TEXTS[self.settings.interface_language][code].format(**details))
