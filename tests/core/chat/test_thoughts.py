"""Thoughts are taken off a reply, however it is cut."""

from __future__ import annotations

import pytest

from core.chat.thoughts import Thoughts, spoken


@pytest.mark.parametrize(
    ("reply", "expected", "thought"),
    [
        ("<think>一想</think>\n\n好", "好", True),
        ("\n<thinking>a < b</thinking>yes", "yes", True),
        ("<think>没有写完", "", True),
        ("<think></think>好", "好", True),
        ("好 <think>x</think>", "好 <think>x</think>", False),
        ("<thin ice>", "<thin ice>", False),
        ("<th", "<th", False),
        ("", "", False),
    ],
)
def test_thoughts_at_the_beginning_are_no_part_of_a_reply(reply: str, expected: str, thought: bool) -> None:
    assert spoken(reply) == expected
    for cut in range(len(reply) + 1):
        thoughts = Thoughts()
        said = thoughts.feed(reply[:cut]) + thoughts.feed(reply[cut:]) + thoughts.finish()
        assert (said, thoughts.any) == (expected, thought)
