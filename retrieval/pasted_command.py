"""``verify``: a text of somebody else held against the knowledge base, sentence by sentence."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.answer import Answer
from core.reason_text import reason_text
from core.settings import Settings, load_settings
from core.terminal import OK, say, tell
from core.verdict import SentenceCheck, Verdict
from ingest.file_text import file_text
from ingest.isolation import Worker
from ingest.sources import sources_of
from ingest.viewer.write import in_one_step
from retrieval.knowledge_base import KnowledgeBase
from retrieval.narrowing import add_narrowing, scope_of
from retrieval.records.opening import opened
from retrieval.records.page import page
from retrieval.records.texts import word
from retrieval.results import answer_json

if TYPE_CHECKING:
    # argparse has no public name for it.
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_SIGN: Final = {Verdict.SUPPORTED: "✓", Verdict.PARTLY: "~", Verdict.UNSUPPORTED: "✗"}
# What stands for the standard input.
_STDIN: Final = "-"


def add_verify(commands: Commands) -> None:
    """The command and its options."""
    command = commands.add_parser("verify", help="check a text sentence by sentence; nothing is generated")
    command.add_argument(
        "file", metavar="FILE", help="any file that can be added; - reads the standard input"
    )
    add_narrowing(command)
    form = command.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true")
    form.add_argument("--html", action="store_true", help="a page that shows each sentence and its source")
    command.add_argument("--out", type=Path, metavar="FILE", help="where it goes instead of the terminal")
    command.set_defaults(run=verify)


def verify(options: argparse.Namespace) -> int:
    """Check the text; done whatever the verdicts are. Raises ``YoujuError``."""
    settings = load_settings()
    base = KnowledgeBase(settings)
    scope = scope_of(options, base.workspace)
    answer = base.verify(_text(options.file, settings), scope=scope, on_progress=_tick)
    language = settings.interface_language
    if options.html:
        written = page(opened(base.workspace.store, answer, scope), language)
    elif options.json:
        written = json.dumps(answer_json(answer), ensure_ascii=False, indent=1) + "\n"
    else:
        written = report(answer, language)
    if options.out is None:
        say(written.rstrip("\n"))
        return OK
    with in_one_step(options.out) as file:
        file.write(written)
    tell(word("written", language, path=options.out))
    return OK


def report(answer: Answer, language: str) -> str:
    """A line for each sentence with its sign, below it where it stands or what differs; last, the sum."""
    lines: list[str] = []
    claims = [check for check in answer.checks if check.claim]
    for check in answer.checks:
        lines.append(f"{_SIGN[check.verdict] if check.claim else ' '} {' '.join(check.sentence.split())}")
        if check.claim:
            lines += [f"    {line}" for line in _below(check, answer, language)]
    good = sum(check.verdict is Verdict.SUPPORTED for check in claims)
    return "\n".join([*lines, "", word("sum", language, count=len(claims), good=good)]) + "\n"


def _below(check: SentenceCheck, answer: Answer, language: str) -> list[str]:
    lines = [reason_text(reason, language) for reason in check.reasons]
    for index in check.citations:
        citation = answer.citations[index]
        passage = answer.search.passages[citation.passage]
        where = " > ".join((passage.doc, *passage.section_path))
        pages = f" p. {', '.join(map(str, citation.pages))}" if citation.pages else ""
        lines.append(f"[{citation.n}] {where}{pages}: {' '.join(citation.text.split())}")
    return lines


def _text(name: str, settings: Settings) -> str:
    """The text to check. Raises ``DocumentError`` for a file that cannot be read."""
    if name == _STDIN:
        return sys.stdin.read()
    with Worker() as worker:
        return file_text(sources_of([Path(name)])[0], settings, worker)


def _tick(done: int, total: int) -> None:
    if done % 20 == 0 and done:
        tell(f"{done}/{total}")
