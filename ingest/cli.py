"""The command line of the knowledge base."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from core.terminal import guarded
from ingest import calibrate_command
from ingest.commands import adding, bundles, collections, documents, upkeep, versions


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong use)."""
    options = _parser().parse_args(arguments)
    return guarded(lambda: int(options.run(options)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ingest", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for part in (adding, documents, versions, collections, bundles, upkeep, calibrate_command):
        part.add_to(commands)
    return parser
