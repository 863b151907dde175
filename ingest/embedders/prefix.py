"""What is put before a text: as the settings say, else as the model's own files do."""

from __future__ import annotations

from typing import Final

NO_PREFIX: Final = "none"


def chosen_prefix(setting: str, own: str = "") -> str:
    """``own`` for an empty setting; nothing for the word "none"."""
    return "" if setting == NO_PREFIX else setting or own
