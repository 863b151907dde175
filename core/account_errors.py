"""Errors about accounts of the chat and about who may come in."""

from __future__ import annotations

from core.errors import SettingsError, YoujuError


class LoginMissingError(SettingsError):
    """The server would be reached from other machines, and nobody would have to log in."""

    code = "login_missing"


class LoginForNobodyError(SettingsError):
    """A provider of log-ins is set, but nobody that it knows may come in."""

    code = "login_for_nobody"


class LoginEndedError(YoujuError):
    """The user of an open window was removed, or his password was changed."""

    code = "login_ended"


class AccountError(YoujuError):
    """The file of accounts cannot be used."""

    code = "account_failed"


class AccountUnknownError(AccountError):
    code = "account_unknown"


class AccountExistsError(AccountError):
    code = "account_exists"


class AccountNameError(AccountError):
    code = "account_name"


class PasswordWeakError(AccountError):
    code = "password_weak"


class PasswordsDifferError(AccountError):
    code = "passwords_differ"
