"""``python -m evaluation retrieval``: our search, its variants and other programs' on gold questions."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import SettingsError
from core.settings import load_settings
from core.terminal import OK, count, say, say_json


def add_to(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str = "retrieval"
) -> argparse.ArgumentParser:
    """The command and its options."""
    command = commands.add_parser(
        name, help="compare searches, with settings of ours and other programs', on gold questions"
    )
    command.add_argument(
        "--data", type=Path, action="append", default=[], metavar="DIR",
        help="folder with corpus/ and gold.jsonl, indexed alone; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--together", type=_together, action="append", default=[], metavar="NAME=DIR,DIR",
        help="folders that are indexed together; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--variants", type=_names, metavar="NAMES",
        help="ours with settings changed: ours,ours:retrieval.rrf_k=60:retrieval.passages=8; ask=last-turn "
        "or ask=rewrite for questions of a conversation (default: ours)",
    )  # fmt: skip
    command.add_argument(
        "--peers", default="", type=_names, metavar="NAMES",
        help="with the extra peers: langchain-ensemble, langchain-parent; numbers as langchain-parent:zh_chars=800",
    )  # fmt: skip
    command.add_argument("--ablation", action="store_true", help="also ours without each of its steps")
    command.add_argument(
        "--conversations", action="store_true",
        help="follow-up questions alone: condensed, as the last turn, and as a person rewrote them",
    )  # fmt: skip
    command.add_argument(
        "--reliability", action="store_true",
        help="ask questions without an answer too, and say what the first passage's score is worth",
    )  # fmt: skip
    _common(command)
    command.set_defaults(run=run)
    return command


def run(options: argparse.Namespace) -> int:
    """Compare, print, and keep; what is finished is kept when the rest is interrupted."""
    # Imported here: other commands need no search.
    from evaluation.retrieval.comparison import Comparison, Plan
    from evaluation.retrieval.variants import CONVERSATIONS, OURS, ablations

    if not options.data and not options.together:
        raise SettingsError(name="--data", reason="expected a folder here or with --together")
    variants = [OURS] if options.variants is None and not options.conversations else options.variants or []
    variants = [*(ablations() if options.ablation else ()), *variants]
    comparison = Comparison(
        load_settings(),
        Plan(
            folders=tuple(options.data),
            together=tuple(options.together),
            variants=(*(CONVERSATIONS if options.conversations else ()), *variants),
            peers=tuple(options.peers),
            baseline=options.baseline,
            max_documents=options.documents,
            max_questions=options.questions,
            conversations=options.conversations,
            reliability=options.reliability,
            out=options.out,
        ),
    )
    comparison.run()
    if options.json:
        say_json(comparison.report())
    else:
        say(comparison.tables())
    return OK


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--baseline", metavar="NAME", help="what the others are compared with; default: the first variant"
    )
    command.add_argument(
        "--documents", type=count, default=0, help="take a sample of so many documents a set"
    )
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--out", type=Path,
        help="folder for retrieval.json, retrieval.md, questions.jsonl, failures.jsonl and reliability curves",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON instead of tables")


def _together(value: str) -> tuple[str, tuple[Path, ...]]:
    name, _, folders = value.partition("=")
    paths = tuple(Path(folder) for folder in folders.split(",") if folder.strip())
    if not name or not paths:
        raise argparse.ArgumentTypeError(f"expected NAME=DIR,DIR, got {value!r}")
    return name, paths


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]
