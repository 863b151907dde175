"""What a run was made with: program, machine and versions, without names of hosts, people or folders."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from core.hashing import stable_id
from core.settings import Settings

_ROOT: Final = Path(__file__).resolve().parents[1]
# Settings that change what comes out.
_GROUPS: Final = ("parsing", "chunking", "embedding", "retrieval")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStamp:
    """``commit`` is empty outside a git checkout and ends with "+" when files were changed since. ``date`` is
    ISO 8601 in UTC, to the second."""

    commit: str
    date: str
    version: str
    cores: int
    machine: str
    python: str

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def run_stamp() -> RunStamp:
    """The stamp of this process."""
    return RunStamp(
        commit=_commit(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        version=metadata.version("youju"),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        machine=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def fingerprint_of(settings: Settings, model: str) -> str:
    """Depends on all settings of reading, cutting, embedding and searching, and on the embedding model."""
    groups = [getattr(settings, name).model_dump_json() for name in _GROUPS]
    return stable_id(model, *groups)


def changed_settings(settings: Settings) -> dict[str, object]:
    """The settings of these groups that are not as by default, by "group.name"."""
    changed: dict[str, object] = {}
    for group in _GROUPS:
        made = getattr(settings, group)
        usual = type(made)().model_dump(mode="json")
        found = made.model_dump(mode="json").items()
        changed |= {f"{group}.{name}": value for name, value in found if value != usual[name]}
    return changed


def _commit() -> str:
    head = _git("rev-parse", "HEAD")
    changed = head and _git("status", "--porcelain", "--untracked-files=no")
    return head[:12] + ("+" if changed else "")


def _git(*words: str) -> str:
    """What git says; empty without git or outside a checkout."""
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(_ROOT), *words],
            capture_output=True, text=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
