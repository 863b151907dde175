"""Deterministic ids: the same content gives the same id on any machine."""

from __future__ import annotations

import hashlib


def stable_id(*parts: object) -> str:
    """24 hex digits that depend on every part and on their borders."""
    digest = hashlib.sha256()
    for part in parts:
        data = str(part).encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()[:24]


def sha256(data: bytes) -> str:
    """The full SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()
