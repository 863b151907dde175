"""``answers``: the stored answers listed, shown, written to files, deleted."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.scope import Scope
from core.settings import load_settings
from core.store import AnswerRow, Store
from core.terminal import OK, WRONG_USE, say, say_json, tell
from ingest.viewer.write import in_one_step
from ingest.workspace import Workspace
from retrieval.records.keep import delete, purge
from retrieval.records.markdown import markdown
from retrieval.records.opening import AnswerRecord, load
from retrieval.records.page import page
from retrieval.records.plain import record_json
from retrieval.records.texts import word

if TYPE_CHECKING:
    # argparse has no public name for it.
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_SHOWN: Final = 50

# How a record is written in each form.
FORMS: Final[Mapping[str, Callable[[AnswerRecord, str], str]]] = {
    "md": markdown,
    "html": page,
    "json": lambda record, language: json.dumps(record_json(record), ensure_ascii=False, indent=1) + "\n",
}


def add_command(commands: Commands) -> None:
    """The command and what it can do."""
    parser = commands.add_parser("answers", help="answers that were given: list, show, export, delete, purge")
    verbs = parser.add_subparsers(required=True, metavar="WHAT")

    verb = verbs.add_parser("list", help="the stored answers, the newest first")
    verb.add_argument("-n", dest="limit", type=int, default=_SHOWN, metavar="N", help="so many at most")
    verb.add_argument("--json", action="store_true")
    verb.set_defaults(run=show_list)

    verb = verbs.add_parser("show", help="one answer, and what became of its sources")
    verb.add_argument("id", metavar="ID")
    verb.set_defaults(run=export, format="md", out=None)

    verb = verbs.add_parser("export", help="one answer as Markdown, HTML or JSON, with its bibliography")
    verb.add_argument("id", metavar="ID")
    verb.add_argument("--format", choices=sorted(FORMS), default="md")
    verb.add_argument("--out", type=Path, metavar="FILE", help="where it goes instead of the terminal")
    verb.set_defaults(run=export)

    verb = verbs.add_parser("delete", help="forget answers")
    verb.add_argument("ids", nargs="+", metavar="ID")
    verb.set_defaults(run=forget)

    verb = verbs.add_parser("purge", help="forget old answers")
    verb.add_argument("--days", type=int, metavar="N", help="those older than N days, instead of the setting")
    verb.set_defaults(run=forget_old)


def show_list(options: argparse.Namespace) -> int:
    store, language = _opened()
    with store.read() as reader:
        rows = reader.answers(limit=max(options.limit, 0))
    if options.json:
        say_json([_row_json(row) for row in rows])
    else:
        for row in rows:
            say(f"{row.id}  {row.created_at[:16].replace('T', ' ')}  {' '.join(row.question.split())[:80]}")
        if not rows:
            tell(word("none", language))
    return OK


def export(options: argparse.Namespace) -> int:
    store, language = _opened()
    # The command line is the operator's, who may see everything.
    text = FORMS[options.format](load(store, options.id, Scope()), language)
    if options.out is None:
        say(text.rstrip("\n"))
        return OK
    with in_one_step(options.out) as file:
        file.write(text)
    tell(word("written", language, path=options.out))
    return OK


def forget(options: argparse.Namespace) -> int:
    store, language = _opened()
    with store.read() as reader:
        for answer_id in options.ids:
            reader.answer(answer_id)
    return _say_deleted(delete(store, options.ids), language)


def forget_old(options: argparse.Namespace) -> int:
    days = load_settings().answer.keep_days if options.days is None else options.days
    store, language = _opened()
    if days < 1:
        tell(word("no_limit", language))
        return WRONG_USE
    return _say_deleted(purge(store, days), language)


def _say_deleted(count: int, language: str) -> int:
    say(word("deleted", language, count=count))
    return OK


def _opened() -> tuple[Store, str]:
    settings = load_settings()
    return Workspace(settings).store, settings.interface_language


def _row_json(row: AnswerRow) -> dict[str, object]:
    return {
        "id": row.id,
        "created_at": row.created_at,
        "owner": row.owner,
        "question": row.question,
        "answered": row.answered,
        "complete": row.complete,
        "method": row.method,
        "model": row.model,
        "language": row.language,
        "latency_ms": row.latency_ms,
    }
