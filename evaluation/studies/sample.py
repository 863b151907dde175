"""What a study asks of what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Limits are for each set (0: none). ``out`` keeps the runs behind the study."""

    folders: tuple[Path, ...]
    max_documents: int = 0
    max_questions: int = 0
    out: Path | None = None
