"""Keys with which a user's programs ask the API: shown once, kept as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

# So that a key is known as ours wherever it turns up, and is not taken for a log-in.
PREFIX: Final = "yj_"


def made() -> str:
    """A new key of 256 random bits, which no hash needs to be slow for."""
    return PREFIX + secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """SHA-256, in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


def matches(token: str, stored: str) -> bool:
    """Whether it is the key of that hash; in constant time."""
    return bool(stored) and hmac.compare_digest(hashed(token), stored)


def token_in(authorization: str) -> str:
    """The key that a request brings in its Authorization header; empty when it brings none of ours."""
    scheme, _, value = authorization.partition(" ")
    return value.strip() if scheme.lower() == "bearer" and value.strip().startswith(PREFIX) else ""
