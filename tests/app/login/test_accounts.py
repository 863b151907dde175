"""Accounts: hashed, private, changed by whole files; names and passwords that are none are refused."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from app.login import passwords
from app.login.accounts import Accounts
from app.login.auth_secret import auth_secret, cookie_name
from core.account_errors import (
    AccountError,
    AccountExistsError,
    AccountNameError,
    AccountUnknownError,
    PasswordWeakError,
)

SECRET = "korrekt-Pferd-9"


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return Accounts(tmp_path / "家")


def test_a_password_is_kept_as_a_salted_hash_that_only_it_matches() -> None:
    one, other = passwords.hashed(SECRET), passwords.hashed(SECRET)
    assert one != other
    assert SECRET not in one
    assert passwords.matches(SECRET, one)
    assert not passwords.matches(SECRET + "x", one)
    # "é" in one or in two characters is the same key on a keyboard.
    assert passwords.matches("caf\u00e9-1234", passwords.hashed("cafe\u0301-1234"))
    with pytest.raises(ValueError, match="scrypt"):
        passwords.matches(SECRET, one.replace("scrypt", "plain"))


@pytest.mark.usefixtures("real_cost")
def test_a_guess_costs_much_memory_and_work() -> None:
    """OWASP's least for scrypt: N = 2**15, r = 8, p = 3."""
    assert passwords.hashed(SECRET).startswith("scrypt$15$8$3$")


def test_an_account_comes_in_until_its_password_or_itself_goes(accounts: Accounts, tmp_path: Path) -> None:
    made = accounts.add("林", SECRET, admin=True)
    assert made.admin
    assert accounts.check("林", SECRET) == made
    assert accounts.check("林", "falsch-falsch") is None
    assert accounts.check("niemand", SECRET) is None
    file = tmp_path / "家" / "users.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert SECRET not in file.read_text("utf-8")
    # Another program changes it; this one sees that.
    Accounts(tmp_path / "家").set_password("林", SECRET + "2")
    assert accounts.check("林", SECRET) is None
    changed = accounts.check("林", SECRET + "2")
    assert changed is not None
    assert changed.stamp != made.stamp
    assert changed.admin
    accounts.remove("林")
    assert accounts.all() == ()
    with pytest.raises(AccountUnknownError):
        accounts.remove("林")


def test_a_name_is_there_once_in_whatever_letters(accounts: Accounts) -> None:
    accounts.add("Lin", SECRET)
    with pytest.raises(AccountExistsError):
        accounts.add("LIN", SECRET)
    found = accounts.check("lin", SECRET)
    assert found is not None
    assert found.name == "Lin"


@pytest.mark.parametrize("name", ["", "a b", "a\n", "@local", "x" * 65, "a\u202eb", "\x00"])
def test_what_is_no_name_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(AccountNameError):
        accounts.add(name, SECRET)


def test_a_short_password_is_refused(accounts: Accounts) -> None:
    with pytest.raises(PasswordWeakError):
        accounts.add("lin", "1234567")
    assert accounts.all() == ()


@pytest.mark.parametrize("damage", ["", "{", '{"version": 9, "users": []}', '{"version": 1, "users": [{}]}'])
def test_nobody_comes_in_by_a_damaged_file(accounts: Accounts, tmp_path: Path, damage: str) -> None:
    accounts.add("lin", SECRET)
    (tmp_path / "家" / "users.json").write_text(damage)
    with pytest.raises(AccountError):
        accounts.check("lin", SECRET)


def test_accounts_made_at_the_same_time_are_all_there(accounts: Accounts, tmp_path: Path) -> None:
    def add(name: str) -> None:
        Accounts(tmp_path / "家").add(name, SECRET)

    threads = [threading.Thread(target=add, args=(f"user{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [account.name for account in accounts.all()] == [f"user{n}" for n in range(4)]
    assert not [path for path in (tmp_path / "家").iterdir() if path.name.startswith(".")]


def test_the_key_of_log_ins_is_made_once_and_private(tmp_path: Path) -> None:
    home = tmp_path / "home"
    secret = auth_secret(home)
    assert len(secret) >= 48
    assert auth_secret(home) == secret
    assert stat.S_IMODE((home / "login.key").stat().st_mode) == 0o600
    assert auth_secret(tmp_path / "other") != secret
    assert secret not in cookie_name(secret)
    assert cookie_name(secret) != cookie_name(secret + "x")
