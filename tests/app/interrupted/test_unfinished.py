"""Which answers were cut off, and how one that is being written joins a stored chat."""

from __future__ import annotations

from typing import Any

from app.interrupted.unfinished import unfinished_in, with_live


def step(id: str, type: str, parent: str = "", output: str = "", end: str | None = None) -> Any:
    return {
        "id": id,
        "type": type,
        "parentId": parent or None,
        "output": output,
        "end": end,
        "createdAt": "2026-01-01T00:00:00Z",
    }


def test_a_run_without_an_end_is_unfinished_when_something_was_asked() -> None:
    steps = [
        step("q1", "user_message", output="第一问"),
        step("r1", "run", "q1", end="2026-01-01"),
        step("q2", "user_message", output="第二问"),
        step("r2", "run", "q2"),
        step("s", "retrieval", "r2"),
        step("a", "assistant_message", "r2", output="写了一半"),
        step("b", "assistant_message", "r2"),
        step("q3", "user_message", output=" "),
        step("r3", "run", "q3"),
    ]
    # A run that began later is this server's own.
    assert unfinished_in(steps, "2025-12-31T00:00:00Z") == []
    (found,) = unfinished_in(steps, "2026-01-02T00:00:00Z")
    assert (found.run, found.question, found.empty) == ("r2", "第二问", frozenset({"b"}))


def test_a_run_that_a_button_began_says_what_was_asked() -> None:
    way = {"question": "第三问", "method": "stepwise"}
    steps = [
        step("r", "run") | {"metadata": {"another_way": way}},
        step("a", "assistant_message", "r"),
        step("x", "run") | {"metadata": {"another_way": "nonsense"}},
        step("y", "run") | {"metadata": None},
    ]
    (found,) = unfinished_in(steps, "2026-01-02T00:00:00Z")
    assert (found.run, found.question, found.empty) == ("r", "第三问", frozenset({"a"}))
    assert found.way == way


def test_what_is_being_written_takes_the_place_of_what_was_stored() -> None:
    stored = [step("q", "user_message", output="问"), step("a", "assistant_message") | {"feedback": 1}]
    live = [step("a", "assistant_message", output="写到这里"), step("n", "assistant_message", output="新")]
    assert [one["output"] for one in with_live(stored, live)] == ["问", "写到这里", "新"]
    assert with_live(stored, live)[1]["feedback"] == 1
