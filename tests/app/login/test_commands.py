"""``youju users``, and a server that refuses to be reached by others without a log-in."""

from __future__ import annotations

import getpass
import io
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import main as youju
from app.login.accounts import Accounts
from tests.chat_server import ROOT, environment

SECRET = "korrekt-Pferd-9"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path))


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_users_are_made_listed_changed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert youju(["users"]) == 0
    assert "no users" in capsys.readouterr().out
    typed(monkeypatch, SECRET + "\n")
    assert youju(["users", "add", "林", "--admin"]) == 0
    assert "restart" in capsys.readouterr().out
    monkeypatch.setenv("YOUJU_LANGUAGE", "zh")
    typed(monkeypatch, SECRET + "2\n")
    assert youju(["users", "passwd", "林"]) == 0
    assert "以前的登录已失效" in capsys.readouterr().out
    accounts = Accounts(tmp_path)
    assert accounts.check("林", SECRET + "2") is not None
    assert youju(["users", "list"]) == 0
    shown = capsys.readouterr().out
    assert shown == "林  管理员\n"
    assert SECRET not in shown
    assert youju(["users", "remove", "林"]) == 0
    assert accounts.all() == ()


def test_wrong_use_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "short\n")
    assert youju(["users", "add", "lin"]) == 1
    assert "8" in capsys.readouterr().err
    assert youju(["users", "passwd", "lin"]) == 1
    assert youju(["users", "remove", "lin"]) == 1
    assert "lin" in capsys.readouterr().err
    screen = io.StringIO("")
    monkeypatch.setattr(screen, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", screen)
    answers = iter((SECRET, SECRET + "x"))
    monkeypatch.setattr(getpass, "getpass", lambda prompt: next(answers))
    assert youju(["users", "add", "lin"]) == 1
    assert "differ" in capsys.readouterr().err
    assert Accounts(tmp_path).all() == ()


@pytest.mark.parametrize(
    "command",
    [
        ["-m", "app.cli", "serve", "--host", "0.0.0.0", "--port", "0"],
        ["-m", "chainlit", "run", "app/main.py", "-h", "--host", "0.0.0.0", "--port", "0"],
    ],
)
def test_no_server_is_open_to_others_without_a_log_in(tmp_path: Path, command: list[str]) -> None:
    env = environment(tmp_path / "home", YOUJU_LANGUAGE="zh")
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2, done.stderr[-2000:]
    assert "youju users add" in done.stderr
    assert "谁都不用登录" in done.stderr
    assert "http://" not in done.stdout


def test_a_key_is_shown_once_on_its_own_and_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, SECRET + "\n")
    youju(["users", "add", "lin"])
    capsys.readouterr()
    assert youju(["users", "token", "lin"]) == 0
    shown = capsys.readouterr()
    key = shown.out.strip()
    assert "lin" in shown.err
    found = Accounts(tmp_path).by_token(key)
    assert found is not None
    assert found.name == "lin"
    assert youju(["users", "token", "lin", "--end"]) == 0
    assert Accounts(tmp_path).by_token(key) is None
    assert Accounts(tmp_path).by_token("") is None
    assert youju(["users", "token", "nobody"]) == 1
