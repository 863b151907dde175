"""The key that signs log-ins: made once, kept under ``YOUJU_HOME``."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Final

from filelock import FileLock

from app.login.private_file import write_private
from core.errors import HomeUnwritableError

_NAME: Final = "login.key"


def auth_secret(home: Path) -> str:
    """The key, made when there is none yet. Raises ``HomeUnwritableError``."""
    path = home / _NAME
    try:
        home.mkdir(parents=True, exist_ok=True)
        with FileLock(home / f"{_NAME}.lock"):
            if not path.exists():
                write_private(path, secrets.token_urlsafe(48).encode())
            return path.read_text("ascii").strip()
    except OSError as exc:
        raise HomeUnwritableError(home=home, reason=exc.strerror or str(exc)) from exc


def cookie_name(secret: str) -> str:
    """A name of its own for each key: servers on other ports of one host share a browser's cookies."""
    return f"youju_{hashlib.sha256(secret.encode()).hexdigest()[:8]}"
