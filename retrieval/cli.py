"""The command line of retrieval: search and ask, one question or a file of them; the answers that were kept."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.answer import Answer, Passage, SearchResult
from core.chat.usage import usage_line
from core.messages import render
from core.read_share import read_line
from core.settings import load_settings
from core.terminal import OK, WRONG_USE, count, guarded, say, say_json, tell
from retrieval.batch import Question, read_questions, run_batch
from retrieval.explain import explained, why_not_text
from retrieval.knowledge_base import KnowledgeBase
from retrieval.narrowing import add_narrowing, scope_of
from retrieval.nearest import nearest_lines, searched_line
from retrieval.options import AskOptions
from retrieval.pasted_command import add_verify
from retrieval.records.command import add_command
from retrieval.records.texts import word
from retrieval.results import answer_json, passage_json, search_json


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (0 done, 1 failed, 2 wrong use)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not hasattr(options, "questions"):
        return guarded(lambda: int(options.run(options)))
    if (options.question is None) == (options.questions is None):
        parser.print_usage()
        return WRONG_USE
    if options.questions is not None and options.out is None:
        parser.print_usage()
        return WRONG_USE
    return guarded(lambda: int(options.run(options)))


def search(options: argparse.Namespace) -> int:
    base = KnowledgeBase(load_settings())
    scope = scope_of(options, base.workspace)

    def searched(question: Question) -> SearchResult:
        return base.search(
            question.text,
            history=question.history,
            scope=scope,
            passages=options.passages,
            max_tokens=options.max_tokens,
        )

    if options.questions is not None:
        base.warm_up()
        run_batch(
            read_questions(options.questions), options.out, lambda q: _passages_alone(searched(q)), _tick
        )
        return OK
    result = searched(Question(id="", text=options.question, history=()))
    language = base.settings.interface_language
    if options.json:
        say_json(search_json(result))
        return OK
    for number, passage in enumerate(result.passages, start=1):
        say(f"[{number}] {_where(passage)}\n{passage.text}\n")
    if options.explain:
        say(explained(result))
    for chunk_id in options.why_not:
        say(why_not_text(base.why_not(result, chunk_id, scope), language))
    return OK


def ask(options: argparse.Namespace) -> int:
    settings = load_settings()
    base = KnowledgeBase(settings)
    scope, how = scope_of(options, base.workspace), AskOptions(method=options.method)

    def asked(question: Question) -> Answer:
        return base.ask(question.text, history=question.history, scope=scope, options=how)

    if options.questions is not None:
        base.warm_up()
        run_batch(
            read_questions(options.questions), options.out, lambda q: _without_question(asked(q)), _tick
        )
        return OK
    answer = base.keep(asked(Question(id="", text=options.question, history=())), scope)
    if options.json:
        say_json(answer_json(answer))
        return OK
    say(answer.text)
    if searched := searched_line(answer, settings.interface_language):
        say("\n".join(["", searched, *nearest_lines(answer)]))
    for n in sorted({citation.n for citation in answer.citations}):
        passage = next(answer.search.passages[c.passage] for c in answer.citations if c.n == n)
        say(f"\n[{n}] {_where(passage)}")
    if answer.read:
        tell(read_line(answer.read, settings.interface_language))
    for note in answer.notes:
        tell(render(note, settings.interface_language, left_out=answer.left_out, removed=answer.removed))
    if not answer.complete:
        tell(render("own_words_by_command", settings.interface_language))
    if answer.usage:
        tell(usage_line(answer.usage, settings.interface_language))
    if answer.id:
        tell(word("kept_as", settings.interface_language, id=answer.id))
    return OK


def _passages_alone(result: SearchResult) -> dict[str, object]:
    passages = [passage_json(passage) for passage in result.passages]
    return {"passages": passages, "latency_ms": round(result.latency_ms, 2)}


def _without_question(answer: Answer) -> dict[str, object]:
    row = answer_json(answer)
    del row["question"]
    return row


def _where(passage: Passage) -> str:
    pages = f" p. {', '.join(map(str, passage.pages))}" if passage.pages else ""
    return " > ".join([passage.doc, *passage.section_path]) + pages


def _tick(done: int, total: int) -> None:
    if done % 50 == 0 or done == total:
        tell(f"{done}/{total}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m retrieval", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("search", help="find the passages for a question")
    _common(command)
    command.add_argument("-k", dest="passages", type=count, metavar="N", help="passages at most")
    command.add_argument("--max-tokens", type=count, metavar="N", help="tokens of all passages at most")
    command.add_argument("--explain", action="store_true", help="what each stage found, and its time")
    command.add_argument(
        "--why-not", action="append", default=[], metavar="CHUNK",
        help="at which stage the chunk of that id was lost; may be repeated (ids: ingest show DOC --chunks)",
    )  # fmt: skip
    command.set_defaults(run=search)

    command = commands.add_parser("ask", help="answer a question with citations")
    _common(command)
    command.add_argument("--method", choices=["extractive", "llm", "step-by-step"], help="how to answer")
    command.set_defaults(run=ask)

    add_verify(commands)
    add_command(commands)
    return parser


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("question", nargs="?", metavar="QUESTION")
    command.add_argument(
        "--questions", type=Path, metavar="FILE", help="JSON lines with id, question, history"
    )
    command.add_argument("--out", type=Path, metavar="FILE", help="where the results of --questions go")
    add_narrowing(command)
    command.add_argument("--json", action="store_true")
