"""``python -m evaluation draft``: cases from documents, to be accepted, edited or rejected by ``review``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import SettingsError
from core.settings import Settings, load_settings
from core.terminal import OK, count, say, tell

if TYPE_CHECKING:
    from evaluation.drafting.by_model import Model
    from evaluation.drafting.draft import Draft

_TEXTS: Final = {
    "zh": {
        "document": "{name}：{count} 题",
        "model": "对话模型写出的题：采用 {kept}，引文不在原文中而舍弃 {dropped}，格式不对的回复 {invalid}",
        "done": "共 {count} 题，已写入 {out}。请用 python -m evaluation review {out} 审核。",
    },
    "en": {
        "document": "{name}: {count} cases",
        "model": "Cases of the chat model: {kept} kept, {dropped} dropped as a quote is not in the document, "
        "{invalid} replies without the form",
        "done": "{count} cases written to {out}. Review them with python -m evaluation review {out}.",
    },
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser("draft", help="draft gold questions from documents, for a person to review")
    command.add_argument(
        "documents", nargs="+", metavar="FILE_OR_DOC", help="files, folders, or names of stored documents"
    )
    command.add_argument("--out", type=Path, required=True, help="JSON lines to write")
    command.add_argument(
        "--model", action="store_true", help="let the chat model write them; without, rules do: definitions, "
        "lists, tables, amounts and dates, headings",
    )  # fmt: skip
    command.add_argument(
        "--questions", type=count, default=20, metavar="N", help="at most so many a document (default: 20)"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draft and write; a file that is there is replaced."""
    # Imported here: other commands need no parsers.
    from evaluation.drafting.by_model import Counts, drafts_by_model
    from evaluation.drafting.documents import documents_of
    from evaluation.drafting.draft import write_drafts
    from evaluation.drafting.rules import drafts_by_rules

    settings = load_settings()
    words = _TEXTS[settings.interface_language]
    model = _model(settings) if options.model else None
    counts = Counts()
    drafts: list[Draft] = []
    write_drafts(options.out, drafts)
    for name, document in documents_of(options.documents, settings):
        if model is None:
            made = drafts_by_rules(name, document, options.questions)
        else:
            made = list(drafts_by_model(name, document, model, options.questions, counts))
        drafts += made
        tell(words["document"].format(name=name, count=len(made)))
        write_drafts(options.out, drafts)
    if model is not None:
        tell(words["model"].format(kept=counts.kept, dropped=counts.dropped, invalid=counts.invalid))
    say(words["done"].format(count=len(drafts), out=options.out))
    return OK


def _model(settings: Settings) -> Model:
    # Imported here: it takes a second, which only a model that is asked is worth.
    from core.chat.model import make_chat_model

    model = make_chat_model(settings)
    if model is None:
        raise SettingsError(name="YOUJU_CHAT__MODEL", reason="no chat model is set, which --model needs")
    return model
