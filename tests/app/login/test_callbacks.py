"""Log-ins as Chainlit asks for them, and what their cookies are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chainlit as cl
import pytest
from chainlit.auth.jwt import create_jwt
from chainlit.config import config

from app.login.callbacks import configured_providers, read_login, register
from app.login.entry import LOCAL_STAMP, LOCAL_USER, OAUTH_STAMP, Entry
from core.settings import ServingSettings, Settings

SECRET = "korrekt-Pferd-9"
CALLBACKS = ("password_auth_callback", "header_auth_callback", "oauth_callback")


@pytest.fixture(autouse=True)
def code(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Chainlit's one table of callbacks, empty and put back afterwards."""
    for name in CALLBACKS:
        monkeypatch.setattr(config.code, name, None)
    monkeypatch.setenv("CHAINLIT_AUTH_SECRET", "a-key-of-the-tests-that-is-long-enough")
    return config.code


async def test_alone_on_this_machine_there_is_one_user_without_a_form(tmp_path: Path, code: Any) -> None:
    register(Entry(Settings(home=tmp_path)))
    user = await code.header_auth_callback({"accept-language": "zh-CN"})
    assert (user.identifier, user.display_name) == (LOCAL_USER, "本机用户")
    assert user.metadata == {"stamp": LOCAL_STAMP}
    assert code.password_auth_callback is None


async def test_with_accounts_there_is_a_form_and_nobody_comes_in_by_headers(
    tmp_path: Path, code: Any
) -> None:
    settings = Settings(home=tmp_path)
    Entry(settings).accounts.add("lin", SECRET, admin=True)
    entry = Entry(settings)
    register(entry)
    assert code.header_auth_callback is None
    user = await code.password_auth_callback(" Lin ", SECRET)
    assert (user.identifier, user.metadata["admin"]) == ("lin", True)
    assert entry.still_holds(*(read_login("", f"Bearer {create_jwt(user)}") or ("", "")))
    assert await code.password_auth_callback("lin", SECRET + "x") is None


async def test_a_providers_user_comes_in_without_its_secrets(
    tmp_path: Path, code: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OAUTH_GITHUB_CLIENT_ID", "x")
    monkeypatch.setenv("OAUTH_GITHUB_CLIENT_SECRET", "x")
    assert configured_providers() == ("github",)
    server = ServingSettings(oauth_domains="firma.example")
    register(Entry(Settings(home=tmp_path, server=server), providers=configured_providers()))
    metadata = {"image": "https://far.example/face.png", "refresh_token": "canary"}

    async def come(name: str, **claims: object) -> cl.User | None:
        given = cl.User(identifier=name, metadata=metadata)
        found: cl.User | None = await code.oauth_callback("github", "token", claims, given)
        return found

    user = await come("lin@firma.example", email_verified=True)
    assert user is not None
    assert user.metadata == {"stamp": OAUTH_STAMP, "provider": "github"}
    assert await come("lin@firma.example", email_verified=False) is None
    assert await come("lin@firma.example", verified_email=False) is None
    assert await come("lin@elsewhere.example", email_verified=True) is None
    assert (code.password_auth_callback, code.header_auth_callback) == (None, None)


def test_a_token_is_worth_what_its_signature_says(monkeypatch: pytest.MonkeyPatch) -> None:
    token = create_jwt(cl.User(identifier="lin", metadata={"stamp": "s"}))
    assert read_login(f"other=1; access_token={token}", "") == ("lin", "s")
    assert read_login("", f"Bearer {token}") == ("lin", "s")
    assert read_login("other=1", "") is None
    head, body, signature = token.split(".")
    for forged in (
        "x",
        f"{head}.{body}.",
        f"{head}.{body}.{signature[::-1]}",
        f"{head}.{body[::-1]}.{signature}",
    ):
        assert read_login(f"access_token={forged}", "") == ("", ""), forged
    monkeypatch.setenv("CHAINLIT_AUTH_SECRET", "another-key-that-is-long-enough-too")
    assert read_login(f"access_token={token}", "") == ("", "")
