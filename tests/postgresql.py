"""A PostgreSQL server of the tests' own: without network, gone with them."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

_PLACES = ("/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt/postgresql")
_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=''")


def programs() -> Path | None:
    """The folder of the newest server's programs, or ``None`` where there is none."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    candidates = [path.parent for place in _PLACES for path in Path(place).glob("**/bin/initdb")]
    return max(candidates, default=None)


@dataclass(slots=True)
class Server:
    """A running server that is reached through a socket in ``folder``."""

    bin: Path
    folder: Path
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def url(self, schema: str = "public") -> str:
        return f"postgresql://tester:canary@/postgres?host={self.folder}&options=-csearch_path%3D{schema}"

    def fresh_url(self) -> str:
        """A URL behind which there is nothing yet: a schema of its own."""
        schema = f"kb{next(self._numbers)}"
        engine = sa.create_engine(self.url().replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
        engine.dispose()
        return self.url(schema)

    def stop(self) -> None:
        """End all connections; what was committed stays."""
        _run(self.bin / "pg_ctl", "-D", self.folder / "data", "-m", "fast", "-w", "stop")

    def start(self) -> None:
        options = " ".join(f"-c {option}" for option in (*_FAST, f"unix_socket_directories={self.folder}"))
        log = self.folder / "log"
        _run(self.bin / "pg_ctl", "-D", self.folder / "data", "-o", options, "-l", log, "-w", "start")


@contextmanager
def serving(bin_folder: Path) -> Iterator[Server]:
    """A server with an empty database, whose own order of names is not that of their code points."""
    # Not below pytest's folder: that is closed to the user who runs the server.
    folder = Path(tempfile.mkdtemp(prefix="youju-pg-"))
    server = Server(bin=bin_folder, folder=folder)
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        locale = ("--locale-provider=icu", "--icu-locale=en", "--locale=C", "--encoding=UTF8")
        _run(bin_folder / "initdb", "-D", folder / "data", "-U", "tester", "-A", "trust", "-N", *locale)
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: str | Path) -> None:
    """The server refuses to run as root."""
    become = (
        ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups") if os.geteuid() == 0 else ()
    )
    done = subprocess.run([*become, *command], capture_output=True, text=True, cwd="/", timeout=60)
    assert done.returncode == 0, done.stderr or done.stdout
