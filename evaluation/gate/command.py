"""``python -m evaluation gate``: is anything worse than the stored baseline, and which stage made it so?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SettingsError
from core.settings import Settings, load_settings
from core.terminal import FAILED, OK, say, say_json, tell

if TYPE_CHECKING:
    from evaluation.gate.baseline import Baseline
    from evaluation.gate.corpus import Corpus
    from evaluation.gate.figures import CaseRun
    from evaluation.gate.judgement import Change
    from evaluation.gold import GoldCase


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command and its options."""
    command = commands.add_parser(
        "gate", help="compare chunks, search and answers on a small gold set with a stored baseline; 1: worse"
    )
    command.add_argument("--gold", type=Path, nargs="+", required=True, metavar="FILE")
    command.add_argument(
        "--corpus", type=Path, nargs="+", required=True, metavar="DIR", help="the documents that it is about"
    )
    command.add_argument(
        "--baseline", type=Path, metavar="FILE", help="default: baseline.json beside the first gold file"
    )
    command.add_argument("--write-baseline", action="store_true", help="store what comes out as the baseline")
    command.add_argument(
        "--write-failures", type=Path, metavar="FILE", help="write the cases that go wrong, as gold"
    )
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for gate.run.json")
    command.add_argument("--json", action="store_true")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """0 when nothing is worse beyond noise, else 1. Raises before asking for gold that is wrong."""
    # Imported here: other commands need no parsers and splitters.
    from evaluation.gate import baseline as stored
    from evaluation.gate.corpus import indexed
    from evaluation.gate.figures import run_cases
    from evaluation.gate.record import run_of
    from evaluation.gate.texts import line, progress
    from evaluation.reporting.run_file import write_run

    settings = load_settings()
    language = settings.interface_language
    path = options.baseline or options.gold[0].parent / "baseline.json"
    known = None
    if not options.write_baseline and (options.baseline or path.is_file()):
        known = stored.read_baseline(path)
    with indexed(options.corpus, settings, progress("read", language)) as corpus:
        if corpus.refused:
            tell(line("refused", language, names=", ".join(corpus.refused)))
        cases = _cases(options.gold, corpus, known)
        runs = run_cases(cases, corpus, progress("ask", language))
        model = corpus.base.workspace.embedder.fingerprint
        texts = corpus.stored
    if options.out:
        write_run(options.out, run_of(runs, texts, settings, model, options.gold, options.corpus))
    if options.write_baseline:
        stored.write_baseline(path, stored.baseline_of(runs, settings, model))
        tell(line("written", language, path=path))
    if options.write_failures:
        _write_failures(options.write_failures, runs, language)
    return _reported(runs, known, settings, as_json=options.json)


def _cases(paths: Sequence[Path], corpus: Corpus, known: Baseline | None) -> list[GoldCase]:
    """The evidence of cases that the baseline does not have must stand where the gold says."""
    from evaluation.gold import read_checked_gold

    is_known = known.knows if known else lambda case: False
    cases = [
        case for path in paths for case in read_checked_gold(path, corpus.stored.texts, is_known)
    ]  # fmt: skip
    ids = [case.id for case in cases]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(name="--gold", reason=f"two files have a case {twice}")
    return cases


def _write_failures(path: Path, runs: Sequence[CaseRun], language: str) -> None:
    from evaluation.attribution.failures import write_failures
    from evaluation.gate.texts import first_losses, line

    write_failures(path, [loss for run in runs for loss in first_losses(run)])
    tell(line("written", language, path=path))


def _reported(runs: Sequence[CaseRun], known: Baseline | None, settings: Settings, *, as_json: bool) -> int:
    from evaluation.gate.judgement import changes
    from evaluation.gate.texts import advice_text, comparison_text, figures_text
    from evaluation.run_stamp import changed_settings

    language = settings.interface_language
    found = changes(known, runs) if known else []
    if as_json:
        say_json(_json(runs, found))
    else:
        say(comparison_text(found, language) if known else figures_text(runs, language))
    if known and (advice := advice_text(known, runs, changed_settings(settings), language)):
        tell(advice)
    return FAILED if any(change.fails for change in found) else OK


def _json(runs: Sequence[CaseRun], found: Sequence[Change]) -> dict[str, object]:
    from evaluation.gate.figures import means
    from evaluation.gate.texts import first_losses

    return {
        "figures": means(runs),
        "changes": [
            {
                "figure": change.figure, "cases": change.cases, "before": change.before, "now": change.now,
                "chance": change.chance, "fails": change.fails, "better": list(change.better),
                "worse": [
                    {
                        "id": case.run.case.id, "before": case.before, "now": case.now,
                        "stages": [loss.stage.value for loss in case.losses],
                    }
                    for case in change.worse
                ],
            }
            for change in found
        ],
        "failures": [
            {"id": run.case.id, "stage": lost[0].stage.value, "reason": lost[0].reason}
            for run in runs
            if (lost := first_losses(run))
        ],
    }  # fmt: skip
