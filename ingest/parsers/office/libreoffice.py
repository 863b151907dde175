"""Runs LibreOffice to convert one file: headless, in a folder and profile of its own, for a limited time."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from core.errors import ConversionFailedError, ConverterMissingError, ParserTimeoutError
from core.settings import ParsingSettings

_PROGRAMS: Final = (
    "soffice",
    "libreoffice",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
)
_OPTIONS: Final = (
    "--headless", "--invisible", "--nologo", "--nodefault", "--norestore", "--nolockcheck", "--nofirststartwizard",
)  # fmt: skip
# Of our environment the converter gets what it needs to start, and no keys.
_ENVIRONMENT: Final = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "LC_ALL")
# Nothing in a document may run, be fetched from elsewhere or be refreshed (org.openoffice.Office.Common).
_PROFILE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
<prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop>
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
</item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>0</value></prop>
</item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>1</value></prop>
</item>
</oor:items>
"""


def converted(data: bytes, name: str, suffix: str, target: str, settings: ParsingSettings) -> bytes:
    """``data``, a file of kind ``suffix``, as ``target`` ("docx", "pptx" or "xlsx"); ``name`` is for errors.

    Raises ``ConverterMissingError``, ``ConversionFailedError``, and ``ParserTimeoutError`` after
    ``convert_timeout_s``, when the program and all it started have been stopped.
    """
    program = _program(settings.libreoffice)
    if program is None:
        raise ConverterMissingError(name=name)
    with tempfile.TemporaryDirectory(prefix="youju-", ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        source = folder / f"source.{suffix}"
        source.write_bytes(data)
        profile = folder / "profile" / "user"
        profile.mkdir(parents=True)
        (profile / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
        _run(
            [
                program,
                f"-env:UserInstallation={(folder / 'profile').as_uri()}",
                *_OPTIONS,
                *("--convert-to", target, "--outdir", str(folder / "out"), str(source)),
            ],
            name, folder, settings.convert_timeout_s,
        )  # fmt: skip
        made = folder / "out" / f"source.{target}"
        if not made.is_file() or not made.stat().st_size:
            raise ConversionFailedError(name=name)
        return made.read_bytes()


def _program(setting: str) -> str | None:
    """Where LibreOffice is: as set, else where it usually is."""
    names = (setting,) if setting else _PROGRAMS
    return next((found for name in names if (found := shutil.which(name))), None)


def _run(command: list[str], name: str, folder: Path, timeout_s: float) -> None:
    environment = {key: os.environ[key] for key in _ENVIRONMENT if key in os.environ}
    environment |= {"HOME": str(folder), "TMPDIR": str(folder)}
    try:
        # A session of its own: the program is a script that starts others, and all must end with it.
        process = subprocess.Popen(
            command, cwd=folder, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as exc:
        raise ConverterMissingError(name=name) from exc
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired as exc:
        raise ParserTimeoutError(name=name, seconds=f"{timeout_s:g}") from exc
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and whatever of its session still runs."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
