"""Files that only the user who runs Youju may read."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO


def write_private(path: Path, data: bytes) -> None:
    """Replace the file as a whole, readable and writable by its owner alone. Raises ``OSError``."""
    _write(path, io.BytesIO(data))


def copy_private(source: Path, target: Path) -> None:
    """The same with the content of another file."""
    with source.open("rb") as file:
        _write(target, file)


def _write(path: Path, source: BinaryIO) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp makes files of mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
