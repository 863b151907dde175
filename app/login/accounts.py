"""The accounts of the chat: names with hashed passwords in one file under ``YOUJU_HOME``."""

from __future__ import annotations

import json
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from filelock import FileLock

from app.login import passwords, tokens
from app.login.private_file import write_private
from core.account_errors import (
    AccountError,
    AccountExistsError,
    AccountNameError,
    AccountUnknownError,
    PasswordWeakError,
)

_FILE: Final = "users.json"
_LONGEST_NAME: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """``stamp`` changes with the password: log-ins that carry an older one have ended.

    ``token`` is the hash of the key of the user's programs, empty without one.
    """

    name: str
    password: str
    stamp: str
    admin: bool = False
    token: str = ""


class Accounts:
    """The file ``users.json``; changes of other programs are seen at once. Safe to share between threads.

    Every method raises ``AccountError`` when the file cannot be read: nobody comes in then.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / _FILE
        self._read: tuple[tuple[int, int], tuple[Account, ...]] = ((0, 0), ())

    def all(self) -> tuple[Account, ...]:
        """All accounts in order of name."""
        try:
            state = self._path.stat()
            seen = (state.st_mtime_ns, state.st_size)
            if self._read[0] != seen:
                self._read = (seen, _parsed(self._path.read_bytes()))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError, KeyError) as exc:
            raise AccountError(path=self._path.name, reason=str(exc)) from exc
        return self._read[1]

    def find(self, name: str) -> Account | None:
        """The account of that name, in large or small letters."""
        wanted = _folded(name)
        return next((account for account in self.all() if _folded(account.name) == wanted), None)

    def check(self, name: str, password: str) -> Account | None:
        """The account if the password is its own; names that are not there take as long."""
        account = self.find(name)
        if account is None:
            passwords.matches_nothing(password)
            return None
        return account if passwords.matches(password, account.password) else None

    def add(self, name: str, password: str, *, admin: bool = False) -> Account:
        """Raises ``AccountNameError``, ``AccountExistsError``, ``PasswordWeakError``."""
        name = unicodedata.normalize("NFC", name)
        if not 0 < len(name) <= _LONGEST_NAME or name.startswith("@") or not _is_plain(name):
            raise AccountNameError(name=name)
        made = Account(name=name, password=_hashed(password), stamp=_stamp(), admin=admin)
        with self._changing() as accounts:
            if self.find(name):
                raise AccountExistsError(name=name)
            self._write([*accounts, made])
        return made

    def by_token(self, token: str) -> Account | None:
        """The account whose programs bring that key."""
        return next((account for account in self.all() if tokens.matches(token, account.token)), None)

    def set_password(self, name: str, password: str) -> None:
        """Ends all log-ins with the old one, and its key. Raises ``AccountUnknownError``, ``PasswordWeakError``."""
        self.require(name)
        self._change(name, password=_hashed(password), stamp=_stamp(), token="")

    def new_token(self, name: str) -> str:
        """A key for that user's programs in place of an earlier one. Raises ``AccountUnknownError``."""
        token = tokens.made()
        self._change(name, token=tokens.hashed(token))
        return token

    def end_token(self, name: str) -> None:
        """Take the key back. Raises ``AccountUnknownError``."""
        self._change(name, token="")

    def remove(self, name: str) -> None:
        """Ends all log-ins; documents and chats stay. Raises ``AccountUnknownError``."""
        found = self.require(name)
        with self._changing() as accounts:
            self._write([account for account in accounts if account.name != found.name])

    def require(self, name: str) -> Account:
        """The account of that name. Raises ``AccountUnknownError``."""
        found = self.find(name)
        if found is None:
            raise AccountUnknownError(name=name)
        return found

    @contextmanager
    def _changing(self) -> Iterator[tuple[Account, ...]]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._path.with_suffix(".lock")):
                yield self.all()
        except OSError as exc:
            raise AccountError(path=self._path.name, reason=exc.strerror or str(exc)) from exc

    def _change(self, name: str, **new: str) -> None:
        with self._changing() as accounts:
            found = self.require(name)
            # mypy: the fields that change are all texts.
            changed = replace(found, **new)  # type: ignore[arg-type]
            self._write([changed if account.name == found.name else account for account in accounts])

    def _write(self, accounts: Sequence[Account]) -> None:
        rows = [asdict(account) for account in sorted(accounts, key=lambda account: account.name)]
        write_private(self._path, json.dumps({"version": 1, "users": rows}, ensure_ascii=False).encode())
        self._read = ((0, 0), ())


def _parsed(data: bytes) -> tuple[Account, ...]:
    value = json.loads(data)
    if value["version"] != 1:
        raise ValueError(f"expected version 1, got {value['version']!r}")
    return tuple(Account(**row) for row in value["users"])


def _hashed(password: str) -> str:
    if len(password) < passwords.LEAST_CHARACTERS:
        raise PasswordWeakError(least=passwords.LEAST_CHARACTERS)
    return passwords.hashed(password)


def _stamp() -> str:
    return secrets.token_hex(8)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _is_plain(name: str) -> bool:
    return all(char.isprintable() and not char.isspace() for char in name)
