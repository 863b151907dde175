"""The drafts of a file, and what was decided about them, in a file beside it that only grows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.json_lines import read_json_lines
from core.store.blobs import write_durably
from evaluation.drafting.draft import Draft, draft_from, gold_row
from evaluation.gold import GoldCase
from evaluation.reviewing.feedback import drafts_of_feedback, is_feedback, subject_of

Status = Literal["accepted", "rejected", "open"]


class Decision(BaseModel):
    """The last one about an ``id`` holds. ``case`` is there when it was accepted, as it was edited."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    status: Status
    case: GoldCase | None = None


def read_drafts(path: Path) -> list[Draft]:
    """Drafts and feedback, in order, of each the last line. Raises ``FileMissingError`` and ``SettingsError`` with the
    number of a wrong line."""
    last: dict[str, list[Draft]] = {}
    for subject, drafts in read_json_lines(path, "review", _drafts):
        last[subject] = drafts
    return list({draft.case.id: draft for drafts in last.values() for draft in drafts}.values())


def _drafts(row: dict[str, Any]) -> tuple[str, list[Draft]]:
    """What the line is about, and its draft if it has one."""
    if is_feedback(row):
        return subject_of(row), drafts_of_feedback(row)
    draft = draft_from(row)
    return draft.case.id, [draft]


class Decisions:
    """What was decided about the drafts in ``path``, in ``path`` with ``.review`` before its ending.

    A decision is on the disk before the next draft is shown; the drafts' own file is never changed.
    """

    def __init__(self, path: Path) -> None:
        """Raises ``SettingsError`` with the number of a wrong line."""
        self._path = path.with_suffix(f".review{path.suffix}")
        made = (
            read_json_lines(self._path, self._path.name, Decision.model_validate)
            if self._path.is_file()
            else []
        )
        self._last = {decision.id: decision for decision in made}

    def status(self, draft: Draft) -> Status:
        decision = self._last.get(draft.case.id)
        return decision.status if decision else "open"

    def add(self, draft: Draft, status: Status, case: GoldCase | None = None) -> None:
        """Raises ``OSError``."""
        decision = Decision(id=draft.case.id, status=status, case=case)
        kept = case and gold_row(case)
        row = json.dumps({"id": decision.id, "status": status, "case": kept}, ensure_ascii=False)
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(row + "\n")
        self._last[decision.id] = decision

    def accepted(self, drafts: list[Draft]) -> list[GoldCase]:
        """In the order of the drafts."""
        made = [self._last.get(draft.case.id) for draft in drafts]
        return [decision.case for decision in made if decision and decision.case]


def write_gold(path: Path, cases: list[GoldCase]) -> None:
    """In the shared format. Raises ``OSError``."""
    lines = [json.dumps(gold_row(case), ensure_ascii=False) + "\n" for case in cases]
    write_durably(path, "".join(lines).encode("utf-8"))
