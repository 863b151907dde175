"""``python -m evaluation chunks``: strategies and peers on gold sets, compared question by question."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.settings import load_settings
from core.terminal import OK, count, say, say_json


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "chunks", help="compare chunking strategies, and other programs', on gold questions"
    )
    command.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="folder with corpus/ and gold.jsonl; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--strategies", default="recursive,fixed", type=_names, metavar="NAMES",
        help="our strategies, with settings where wanted: recursive,recursive:soft_tokens=200",
    )  # fmt: skip
    command.add_argument(
        "--peers", default="", type=_names, metavar="NAMES",
        help="langchain-recursive, and with the extra peers langchain-semantic, chonkie-semantic, "
        "llamaindex-semantic; settings as above",
    )  # fmt: skip
    command.add_argument(
        "--baseline", metavar="NAME", help="what the others are compared with; default: the first strategy"
    )
    command.add_argument(
        "--documents", type=count, default=0, help="take a sample of so many documents a set"
    )
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--out", type=Path, help="folder for chunks.json, chunks.md, scores.jsonl and failures.jsonl"
    )
    command.add_argument(
        "--judged", type=count, default=0, metavar="N",
        help="have the chat model say of N chunks of each chunking whether they are complete",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, print, and keep; what is finished is kept when the rest is interrupted."""
    # Imported here: other commands need no parsers and splitters.
    from evaluation.chunk_comparison import compare

    comparison = compare(
        load_settings(),
        options.data,
        strategies=options.strategies,
        peers=options.peers,
        baseline=options.baseline,
        max_documents=options.documents,
        max_questions=options.questions,
        judged=options.judged,
        out=options.out,
    )
    if options.json:
        say_json(comparison.report())
    else:
        say(comparison.tables())
    return OK


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]
