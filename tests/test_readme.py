"""The READMEs tell the truth: the same commands in both languages, and all of them exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CHINESE = (ROOT / "README.zh-CN.md").read_text("utf-8")


def code(text: str) -> list[str]:
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    return [re.sub(r"\s+#.*", "", line).rstrip() for block in blocks for line in block.splitlines()]


def test_both_languages_show_the_same_commands() -> None:
    assert code(README) == code(CHINESE)


def test_every_picture_and_link_is_there() -> None:
    for text in (README, CHINESE):
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).exists(), target


def test_make_knows_the_two_commands() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("run", "test"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize(
    "line", sorted({line.split(" [")[0] for line in code(README) if line.startswith("python -m")})
)
def test_every_module_command_exists(line: str) -> None:
    module, command = line.split()[2:4]
    done = subprocess.run(
        [sys.executable, "-m", module, command, "--help"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0
    for option in re.findall(r"--?[a-z][a-z-]*", line.split(maxsplit=4)[-1]):
        assert option in done.stdout, option
