"""``youju users``: who may log in."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Sequence
from typing import Final

from app.login.accounts import Accounts
from core.account_errors import PasswordsDifferError
from core.settings import load_settings
from core.terminal import OK, say, tell

_TEXTS: Final[dict[str, dict[str, str]]] = {
    "none": {
        "zh": "还没有用户：谁都不用登录，只有本机能打开。",
        "en": "There are no users: nobody has to log in, and only this machine can open the chat.",
    },
    "admin": {"zh": "{name}  管理员", "en": "{name}  administrator"},
    "added": {"zh": "已添加用户 {name}。", "en": "Added user {name}."},
    "first": {
        "zh": "从现在起要登录才能使用；正在运行的服务请重新启动。之前在本机的对话只留给不用登录时的本机用户。",
        "en": "From now on users have to log in; restart a running server. Chats that were had on this machine "
        "without a log-in stay with it.",
    },
    "changed": {
        "zh": "已更换 {name} 的密码，以前的登录已失效。",
        "en": "Changed the password of {name}; earlier log-ins have ended.",
    },
    "removed": {
        "zh": "已删除用户 {name}，其登录已失效。文档和对话仍保留。",
        "en": "Removed user {name} and ended the log-ins; documents and chats stay.",
    },
    "token": {
        "zh": "{name} 的 API 密钥（只显示这一次，以前的已失效）：",
        "en": "API key of {name} (shown only now; an earlier one has ended):",
    },
    "token_ended": {"zh": "{name} 的 API 密钥已失效。", "en": "Ended the API key of {name}."},
    "last": {
        "zh": "已没有用户：重新启动后不再需要登录，只能在本机打开。",
        "en": "No users are left: after a restart nobody has to log in, and only this machine can open the chat.",
    },
    "password": {"zh": "{name} 的密码：", "en": "Password for {name}: "},
    "again": {"zh": "再输入一次：", "en": "Once more: "},
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code. Raises ``AccountError`` and its kinds."""
    parser = argparse.ArgumentParser(prog="youju users", description="who may log in to the chat")
    actions = parser.add_subparsers(metavar="ACTION")
    parser.set_defaults(run=_list)
    actions.add_parser("list", help="names of all users").set_defaults(run=_list)
    add = actions.add_parser(
        "add", help="make a user; asks for the password, or reads it from standard input"
    )
    add.add_argument("name", metavar="NAME")
    add.add_argument("--admin", action="store_true", help="may manage what belongs to others")
    add.set_defaults(run=_add)
    for name, run, said in (
        ("passwd", _change, "set another password; earlier log-ins end"),
        ("remove", _remove, "delete a user; documents and chats stay"),
    ):
        action = actions.add_parser(name, help=said)
        action.add_argument("name", metavar="NAME")
        action.set_defaults(run=run)
    token = actions.add_parser("token", help="a key for the API, shown once; an earlier one ends")
    token.add_argument("name", metavar="NAME")
    token.add_argument("--end", action="store_true", help="end the key without a new one")
    token.set_defaults(run=_token)
    options = parser.parse_args(arguments)
    settings = load_settings()
    code: int = options.run(options, Accounts(settings.home), settings.interface_language)
    return code


def _list(options: argparse.Namespace, accounts: Accounts, language: str) -> int:
    found = accounts.all()
    for account in found:
        say(_text("admin", language, name=account.name) if account.admin else account.name)
    if not found:
        say(_text("none", language))
    return OK


def _add(options: argparse.Namespace, accounts: Accounts, language: str) -> int:
    is_first = not accounts.all()
    accounts.add(options.name, _password(options.name, language), admin=options.admin)
    say(_text("added", language, name=options.name))
    if is_first:
        say(_text("first", language))
    return OK


def _change(options: argparse.Namespace, accounts: Accounts, language: str) -> int:
    accounts.require(options.name)
    accounts.set_password(options.name, _password(options.name, language))
    say(_text("changed", language, name=options.name))
    return OK


def _token(options: argparse.Namespace, accounts: Accounts, language: str) -> int:
    if options.end:
        accounts.end_token(options.name)
        say(_text("token_ended", language, name=options.name))
        return OK
    made = accounts.new_token(options.name)
    # The key alone on standard output, so that a script can take it.
    tell(_text("token", language, name=options.name))
    say(made)
    return OK


def _remove(options: argparse.Namespace, accounts: Accounts, language: str) -> int:
    accounts.remove(options.name)
    say(_text("removed", language, name=options.name))
    if not accounts.all():
        say(_text("last", language))
    return OK


def _password(name: str, language: str) -> str:
    """Typed twice and unseen; from a pipe one line. Raises ``PasswordsDifferError``."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    typed = getpass.getpass(_text("password", language, name=name))
    if getpass.getpass(_text("again", language)) != typed:
        raise PasswordsDifferError
    return typed


def _text(key: str, language: str, **values: object) -> str:
    return _TEXTS[key][language].format(**values)
