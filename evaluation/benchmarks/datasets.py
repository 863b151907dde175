"""What lies in a folder of gold sets, and what each set can be used for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import FileMissingError, SettingsError
from core.json_lines import read_json_lines
from evaluation.reporting.recording import hash_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """``has_offsets``: evidence is known to the character, so chunks can be judged. ``has_rewrites``: follow-up
    questions were rewritten by a person."""

    folder: Path
    language: str
    has_offsets: bool
    has_rewrites: bool

    @property
    def name(self) -> str:
        return self.folder.name

    def sha256(self) -> str:
        """Of the gold file and all documents."""
        documents = sorted(path for path in (self.folder / "corpus").rglob("*") if path.is_file())
        return hash_of([self.folder / "gold.jsonl", *documents])


def datasets_in(data: Path, names: Sequence[str] = ()) -> list[Dataset]:
    """The folders of ``data`` that hold ``corpus`` and ``gold.jsonl``, by name, or those of these names.

    Raises ``FileMissingError`` where there is none, and ``SettingsError`` for a name that is not there.
    """
    folders = sorted(path.parent for path in data.glob("*/gold.jsonl") if (path.parent / "corpus").is_dir())
    if not folders:
        raise FileMissingError(name=str(data / "*" / "gold.jsonl"))
    known = [folder.name for folder in folders]
    for name in names:
        if name not in known:
            reason = f"expected names out of {', '.join(known)}, got {name!r}"
            raise SettingsError(name="--sets", reason=reason)
    return [_dataset(folder.resolve()) for folder in folders if not names or folder.name in names]


def _dataset(folder: Path) -> Dataset:
    cases: list[dict[str, Any]] = read_json_lines(folder / "gold.jsonl", "--data", dict)
    pieces = [piece for case in cases for piece in case.get("evidence", ())]
    languages = Counter(str(case.get("lang", "")) for case in cases)
    return Dataset(
        folder=folder,
        language="zh" if languages["zh"] else "en",
        has_offsets=any(piece.get("start") is not None for piece in pieces),
        has_rewrites=any(case.get("history") and case.get("standalone_question") for case in cases),
    )


def settings_text(groups: dict[str, Any]) -> str:
    """Settings as text that is the same for the same settings."""
    return json.dumps(groups, sort_keys=True, ensure_ascii=False)
