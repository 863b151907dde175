"""What is a command, and what is a question."""

from __future__ import annotations

import pytest

from app.commands import command_in


@pytest.mark.parametrize(
    ("content", "chosen", "key", "words"),
    [
        ("some text", "核对文字", "verify", "some text"),
        ("some text", "Check a text", "verify", "some text"),
        ("/verify  some text ", None, "verify", "some text"),
        ("/核对文字 some text", None, "verify", "some text"),
        ("/VERIFY", None, "verify", ""),
    ],
)
def test_a_command_is_chosen_or_typed(content: str, chosen: str | None, key: str, words: str) -> None:
    found = command_in(content, chosen)
    assert found is not None
    assert (found[0].key, found[1]) == (key, words)


@pytest.mark.parametrize("content", ["/etc/passwd 是什么？", "what is /verify?", "verify this", "/", ""])
def test_other_strokes_belong_to_questions(content: str) -> None:
    assert command_in(content, None) is None


def test_a_word_of_another_button_is_no_command() -> None:
    assert command_in("question", "按原话检索") is None
