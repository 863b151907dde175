"""Log-ins as Chainlit asks for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import chainlit as cl
from chainlit.auth.cookie import get_token_from_cookies
from chainlit.auth.jwt import decode_jwt
from chainlit.oauth_providers import get_configured_oauth_providers
from starlette.requests import cookie_parser

from app.login import tokens
from app.login.entry import LOCAL_STAMP, LOCAL_USER, OAUTH_STAMP, Entry
from app.login.gate import CALLER
from core.messages import language_of_tag

_LOCAL_NAME: Final = {"zh": "本机用户", "en": "Local user"}


def configured_providers() -> tuple[str, ...]:
    """The providers of log-ins that the environment names."""
    return tuple(get_configured_oauth_providers())


def register(entry: Entry) -> None:
    """Tell Chainlit how users come in."""
    if not entry.login_on:
        cl.header_auth_callback(_local_user)
        return
    if entry.has_accounts:

        @cl.password_auth_callback
        async def by_password(username: str, password: str) -> cl.User | None:
            account = await entry.check(username.strip(), password, CALLER.get())
            if account is None:
                return None
            metadata = {"stamp": account.stamp, "admin": account.admin}
            return cl.User(identifier=account.name, metadata=metadata)

    if entry.has_providers:

        @cl.oauth_callback
        async def by_provider(
            provider_id: str,
            token: str,
            raw_user_data: dict[str, str],
            default_user: cl.User,
            id_token: str | None = None,
        ) -> cl.User | None:
            # Whatever Chainlit says of its type, it is the provider's own JSON.
            claims: dict[str, object] = {**raw_user_data}
            verified = all(claims.get(key) is not False for key in ("email_verified", "verified_email"))
            if not entry.admits_guest(default_user.identifier, verified=verified):
                return None
            # Neither the provider's tokens nor the address of a picture elsewhere are kept.
            return cl.User(
                identifier=default_user.identifier,
                display_name=default_user.display_name,
                metadata={"stamp": OAUTH_STAMP, "provider": provider_id},
            )


async def _local_user(headers: Mapping[str, str]) -> cl.User:
    language = language_of_tag(headers.get("accept-language", ""))
    return cl.User(identifier=LOCAL_USER, display_name=_LOCAL_NAME[language], metadata={"stamp": LOCAL_STAMP})


def read_login(cookies: str, authorization: str) -> tuple[str, str] | None:
    """Name and stamp of the log-in in a request's headers; ``None`` without one, empty when it is not ours."""
    token = get_token_from_cookies(cookie_parser(cookies)) if cookies else None
    token = token or authorization.partition(" ")[2]
    if not token or token.startswith(tokens.PREFIX):
        # A key of a program is no log-in: the API alone knows it.
        return None
    from jwt import InvalidTokenError

    try:
        user = decode_jwt(token)
    except (InvalidTokenError, KeyError, TypeError, ValueError):
        return "", ""
    return user.identifier, str(user.metadata.get("stamp", ""))


def cookie_in_use() -> str:
    """What the names of the log-in's cookies begin with."""
    return os.environ.get("CHAINLIT_AUTH_COOKIE_NAME", "access_token")
