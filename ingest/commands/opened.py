"""The knowledge base that the settings name, opened for one command."""

from __future__ import annotations

import argparse
from typing import TypeAlias

from core.settings import Settings, load_settings
from core.store.waiting import waiting_text
from core.terminal import tell
from ingest.workspace import Workspace

# A string: the class takes a parameter for the type checker alone.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def opened() -> tuple[Workspace, str]:
    """The workspace and the language ("zh" or "en") to speak. Raises ``SettingsError``."""
    settings = load_settings()
    return workspace_of(settings), settings.interface_language


def workspace_of(settings: Settings) -> Workspace:
    """The workspace, which tells the terminal when another writer has to be waited for."""
    language = settings.interface_language
    return Workspace(settings, on_wait=lambda holder: tell(waiting_text(holder, language)))
