"""``python -m evaluation benchmarks``: everything that ``docs/benchmarks.md`` tells of public sets, by one command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from core.settings import load_settings
from core.terminal import FAILED, OK, count, say, say_json, tell

_TEXTS: Final = {
    "zh": {"kept": "已写入 {page}，索引 {index}", "failed": "失败的部分：{names}"},
    "en": {"kept": "Written to {page}, index {index}", "failed": "Parts that failed: {names}"},
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "benchmarks",
        help="run every benchmark on a folder of gold sets, go on where it was, print all tables",
    )
    command.add_argument(
        "--data", type=Path, required=True, metavar="DIR",
        help="folder of sets, each a folder with corpus/ and gold.jsonl",
    )  # fmt: skip
    command.add_argument(
        "--only", default="", type=_names, metavar="KINDS",
        help="chunks, semantic-peers, search, together, conversations, answers, verify, claims (default: all)",
    )  # fmt: skip
    command.add_argument("--sets", default="", type=_names, metavar="NAMES", help="these sets alone")
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--documents", type=count, default=0, help="take a sample of so many documents a set"
    )
    command.add_argument("--again", action="store_true", help="run also what is done and has not changed")
    command.add_argument(
        "--out", type=Path, required=True, help="folder for benchmarks.md, index.json and parts/"
    )
    command.add_argument("--json", action="store_true", help="print the index instead of the tables")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run what is missing, print the tables of all parts; 1 when a part failed."""
    # Imported here: other commands need none of it.
    from core.store.blobs import write_durably
    from evaluation.benchmarks.datasets import datasets_in
    from evaluation.benchmarks.parts import Limits, parts_of
    from evaluation.benchmarks.result import page_of
    from evaluation.benchmarks.running import Bench
    from evaluation.benchmarks.state import INDEX

    settings = load_settings()
    words = _TEXTS[settings.interface_language]
    limits = Limits(questions=options.questions, documents=options.documents)
    parts = parts_of(datasets_in(options.data, options.sets), options.only, limits)
    bench = Bench(data=options.data, out=options.out, settings=settings, again=options.again)
    index = bench.run(parts)
    page = page_of(index, options.out)
    write_durably(options.out / "benchmarks.md", page.encode())
    if options.json:
        say_json(index.model_dump(mode="json"))
    else:
        say(page)
    tell(words["kept"].format(page=options.out / "benchmarks.md", index=options.out / INDEX))
    failed = [part.key for part in parts if index.parts[part.key].state == "failed"]
    if failed:
        tell(words["failed"].format(names=", ".join(failed)))
    return FAILED if failed else OK


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]
