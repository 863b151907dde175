"""Which answers of a stored chat were never finished, and how what is being written joins it: pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from chainlit.step import StepDict

_RUN: Final = "run"
_ANSWER: Final = "assistant_message"
# What a run notes of the button that began it.
ANOTHER_WAY: Final = "another_way"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A run that nobody ended: its step, what was asked, and messages of it that say nothing yet.

    ``way`` is what its button said when it was to answer another way.
    """

    run: str
    question: str
    empty: frozenset[str]
    way: Mapping[str, object] = field(default_factory=dict)


def unfinished_in(steps: Sequence[StepDict], before: str) -> list[Unfinished]:
    """The runs that began to answer something before that time (ISO 8601) and have no end, in order."""
    asked = {step["id"]: step["output"] for step in steps if step["type"] == "user_message"}
    found = []
    for step in steps:
        way = _way(step)
        question = str(way.get("question") or asked.get(step.get("parentId") or "", "")).strip()
        is_open = step["type"] == _RUN and not step.get("end") and (step.get("createdAt") or "") < before
        if is_open and question:
            said = [one for one in steps if one.get("parentId") == step["id"] and one["type"] == _ANSWER]
            empty = frozenset(one["id"] for one in said if not one["output"])
            found.append(Unfinished(run=step["id"], question=question, empty=empty, way=way))
    return found


def _way(step: StepDict) -> Mapping[str, object]:
    way = (step.get("metadata") or {}).get(ANOTHER_WAY)
    return way if isinstance(way, Mapping) else {}


def with_live(stored: Sequence[StepDict], live: Sequence[StepDict]) -> list[StepDict]:
    """The steps of a chat with its messages as they are now; those not yet stored come last.

    What only the store knows of a message, like what was thought of it, stays.
    """
    now = {step["id"]: {key: value for key, value in step.items() if value is not None} for step in live}
    known = {step["id"] for step in stored}
    merged = [cast("StepDict", {**step, **now.get(step["id"], {})}) for step in stored]
    return merged + [step for step in live if step["id"] not in known]
