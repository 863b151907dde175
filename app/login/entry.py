"""Who may come in: one rule for the log-in, for every later request, and for what a server may listen on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from app.login.accounts import Account, Accounts
from app.login.throttle import Throttle
from core.account_errors import LoginForNobodyError, LoginMissingError
from core.settings import Settings

# The one user of a server that only this machine reaches; no account's name begins with "@".
LOCAL_USER: Final = "@local"
# Stamps of log-ins that carry no account's own one.
LOCAL_STAMP, OAUTH_STAMP = "local", "oauth"
# Each comparison takes 32 MB and a core for a moment.
_COMPARISONS_AT_ONCE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Guests:
    """Whom a provider of log-ins may send: names or addresses, or all of some domains."""

    users: frozenset[str]
    domains: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.users or self.domains)

    def names(self, identifier: str) -> bool:
        """Whether he is named himself."""
        return identifier.casefold() in self.users

    def admit(self, identifier: str) -> bool:
        domain = identifier.casefold().rpartition("@")[2] if "@" in identifier else ""
        return self.names(identifier) or "*" in self.users or domain in self.domains


class Entry:
    """Made when the server starts: whether anybody has to log in stays as it was then.

    Raises ``LoginForNobodyError`` for providers without anybody who may come through them, and
    ``AccountError`` when the accounts cannot be read.
    """

    def __init__(self, settings: Settings, *, providers: Sequence[str] = ()) -> None:
        self.accounts = Accounts(settings.home)
        self.guests = Guests(
            users=_listed(settings.server.oauth_users), domains=_listed(settings.server.oauth_domains)
        )
        if providers and not self.guests:
            raise LoginForNobodyError(providers=", ".join(providers))
        self.has_providers = bool(providers)
        self.has_accounts = bool(self.accounts.all())
        self._throttle = Throttle()
        self._comparing = asyncio.Semaphore(_COMPARISONS_AT_ONCE)

    @property
    def login_on(self) -> bool:
        """Whether users have to log in; otherwise there is one, on this machine."""
        return self.has_accounts or self.has_providers

    def require_login_for(self, host: str) -> None:
        """Raises ``LoginMissingError`` for an address that others reach while nobody has to log in."""
        if not self.login_on and not is_loopback(host):
            raise LoginMissingError(name="--host", host=host)

    async def check(self, name: str, password: str, address: str) -> Account | None:
        """The account if the password is its own; after failures the answer comes later and later."""
        key = name.casefold()
        wait_s = self._throttle.enter(key, address)
        if wait_s is None:
            return None
        await asyncio.sleep(wait_s)
        async with self._comparing:
            found = await asyncio.to_thread(self.accounts.check, name, password)
        if found is not None:
            self._throttle.succeeded(key, address)
        return found

    def admits_guest(self, identifier: str, *, verified: bool = True) -> bool:
        """Whether a provider's user may come in.

        An address that the provider did not verify is no proof, and who bears the name of an account
        must be named in the settings.
        """
        if not identifier or identifier.startswith("@") or not self.has_providers:
            return False
        if self.guests.names(identifier):
            return verified
        return verified and self.guests.admit(identifier) and self.accounts.find(identifier) is None

    def still_holds(self, identifier: str, stamp: str) -> bool:
        """Whether a log-in of that user goes on: not after his password or account was taken away."""
        if not self.login_on:
            return identifier == LOCAL_USER and stamp == LOCAL_STAMP
        if stamp == OAUTH_STAMP:
            return self.admits_guest(identifier)
        account = self.accounts.find(identifier)
        return account is not None and account.name == identifier and account.stamp == stamp

    def viewer_by_token(self, token: str) -> str | None:
        """The user whose programs bring that key; ``None`` for a key of nobody's."""
        account = self.accounts.by_token(token)
        return account.name if account is not None else None

    def is_admin(self, identifier: str | None) -> bool:
        """Whether that user may manage what belongs to others; the one user of this machine always may."""
        account = self.accounts.find(identifier or "")
        return not self.login_on or (account is not None and account.name == identifier and account.admin)

    def viewer(self, identifier: str | None) -> str | None:
        """Whose documents are shown to the user of that name; ``None``, all of them, without a log-in."""
        return (identifier or "") if self.login_on else None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches, or is, that address or name."""
    bare = host.strip().removeprefix("[").removesuffix("]").lower()
    if bare == "localhost":
        return True
    try:
        return ip_address(bare.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _listed(text: str) -> frozenset[str]:
    return frozenset(part.strip().casefold().removeprefix("@") for part in text.split(",") if part.strip())
