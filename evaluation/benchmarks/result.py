"""The finished parts of an index as one page."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from evaluation.benchmarks.state import Index
from evaluation.benchmarks.tables import page
from evaluation.reporting.run_file import RunFile, read_run

_CLAIMS = "claims.md"


def page_of(index: Index, folder: Path) -> str:
    """Markdown of all parts that are done, whichever call ran them, and the names of those that failed.

    Raises what reading their runs raises."""
    by_kind: dict[str, list[tuple[str, RunFile]]] = defaultdict(list)
    commands: dict[str, list[str]] = defaultdict(list)
    claims = ""
    for entry in index.parts.values():
        if entry.state != "done":
            continue
        commands[entry.kind].append(entry.command)
        by_kind[entry.kind] += [(entry.set, read_run(folder / name)) for name in entry.files]
        written = (folder / entry.files[0]).parent / _CLAIMS
        if entry.kind == "claims" and written.is_file():
            claims = written.read_text("utf-8")
    failed = [name for name, entry in index.parts.items() if entry.state == "failed"]
    return page(by_kind, commands, claims) + (f"\nFailed: {', '.join(failed)}.\n" if failed else "")
