"""Every sentence of the chat's own interface, in Chinese and English; a file for each of its parts."""

from __future__ import annotations

from typing import Final

from app.texts import chat, commands, documents, learning, panel, preferences, scope, uploads

_PARTS: Final = (chat, commands, documents, learning, panel, preferences, scope, uploads)
TEXTS: Final[dict[str, dict[str, str]]] = {key: said for part in _PARTS for key, said in part.TEXTS.items()}


def text(key: str, language: str, **values: object) -> str:
    """The interface's text ``key`` in ``language`` ("zh" or "en")."""
    return TEXTS[key][language].format(**values)
