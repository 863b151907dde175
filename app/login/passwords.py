"""Passwords as scrypt hashes: pure functions."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import unicodedata
from typing import Final

# N = 2**15, r = 8, p = 3: 32 MB and about 0.2 s; OWASP Password Storage Cheat Sheet, scrypt (RFC 7914).
_LOG_N, _R, _P = 15, 8, 3
_MOST_MEMORY: Final = 128 * 1024 * 1024
LEAST_CHARACTERS: Final = 8


def hashed(password: str) -> str:
    """``scrypt$log2(N)$r$p$salt$hash`` with a salt of its own."""
    salt = secrets.token_bytes(16)
    key = _key(password, salt, _LOG_N, _R, _P)
    return "$".join(("scrypt", str(_LOG_N), str(_R), str(_P), _text(salt), _text(key)))


def matches(password: str, stored: str) -> bool:
    """Whether the password is the one that was hashed. Raises ``ValueError`` for what is no such hash."""
    method, log_n, r, p, salt, key = stored.split("$")
    if method != "scrypt":
        raise ValueError(f"expected scrypt, got {method!r}")
    made = _key(password, base64.b64decode(salt), int(log_n), int(r), int(p))
    return hmac.compare_digest(made, base64.b64decode(key))


def matches_nothing(password: str) -> bool:
    """False, after as much work as a real comparison: names that exist take no longer than others."""
    _key(password, b"\0" * 16, _LOG_N, _R, _P)
    return False


def _key(password: str, salt: bytes, log_n: int, r: int, p: int) -> bytes:
    # The same character may be typed in several ways.
    typed = unicodedata.normalize("NFKC", password).encode()
    return hashlib.scrypt(typed, salt=salt, n=2**log_n, r=r, p=p, maxmem=_MOST_MEMORY, dklen=32)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
