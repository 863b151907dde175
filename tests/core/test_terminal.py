"""What the command lines print: words of a document cannot steer the terminal."""

from __future__ import annotations

import pytest

from core.terminal import say, tell


def test_signs_that_steer_a_terminal_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "甲\x1b[2J\x1b]8;;https://evil.example\x07乙\r\n\t丙\x9b5m\x00"
    say(hostile)
    tell(hostile)
    shown = "甲[2J]8;;https://evil.example乙\n\t丙5m\n"
    assert capsys.readouterr() == (shown, shown)
