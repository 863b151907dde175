"""``python -m evaluation ragas``: answers judged by the configured chat model, through ragas (extra ``eval``)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from core.settings import load_settings
from core.terminal import OK, count, say, say_json, tell

_HEADS: Final = {"zh": ("数据集", "问题数"), "en": ("set", "questions")}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "ragas",
        help="faithfulness, answer relevancy and context recall, judged by the chat model (extra eval)",
    )
    command.add_argument(
        "--data", type=Path, action="append", required=True, metavar="DIR",
        help="folder with corpus/ and gold.jsonl, indexed alone; may be given several times",
    )  # fmt: skip
    command.add_argument("--questions", type=count, default=0, help="ask only so many questions a set")
    command.add_argument(
        "--method", choices=["extractive", "llm", "step-by-step"], default="llm", help="how to answer"
    )
    command.add_argument("--out", type=Path, help="folder for ragas.run.json and ragas.md")
    command.add_argument("--json", action="store_true", help="print JSON instead of a table")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Ask, judge, print, and keep. What the judge has said is cached, so an interrupted run goes on."""
    # Imported here: other commands need none of it.
    from core.chat.model import make_chat_model
    from core.errors import SettingsError
    from core.store.blobs import write_durably
    from evaluation.ragas_judge import FIGURES, RagasJudge
    from evaluation.ragas_runs import Plan, judged_sets, models_of, table_of
    from evaluation.retrieval.progress import Progress
    from evaluation.vector_cache import VectorCache

    settings = load_settings()
    language = settings.interface_language
    chat = make_chat_model(settings)
    if chat is None:
        raise SettingsError(name="YOUJU_CHAT__MODEL", reason="no chat model is set, which is to judge")
    plan = Plan(
        folders=tuple(options.data),
        method=options.method,
        judge=chat.name,
        max_questions=options.questions,
        out=options.out,
    )
    progress = Progress(language)
    cache = VectorCache(settings.home / "evaluation" / "vectors.db")
    try:
        models = models_of(settings, cache, progress)
        judge = RagasJudge(chat, models.of(settings).embedder)
        made = judged_sets(settings, plan, models, judge, progress)
    finally:
        cache.close()
    assert made is not None, "--data is required"
    table = table_of(made, [*_HEADS[language], *FIGURES])
    if options.out:
        write_durably(options.out / "ragas.md", (table + "\n").encode())
        tell(str(options.out))
    if options.json:
        say_json(made.model_dump(mode="json"))
    else:
        say(table)
    return OK
