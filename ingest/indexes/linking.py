"""Copies of folders whose files never change: hard links, or real copies where links do not work."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def link_or_copy(source: Path, target: Path) -> None:
    """Make ``target`` the same file as ``source``. Raises ``OSError``."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def link_tree(source: Path, target: Path) -> None:
    """Fill the folder ``target``: what is replaced as a whole is copied, locks stay behind, the rest is linked."""
    for path in source.iterdir():
        if path.suffix == ".json":
            shutil.copyfile(path, target / path.name)
        elif path.suffix != ".lock":
            link_or_copy(path, target / path.name)
