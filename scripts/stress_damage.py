"""Damages each stored file in many ways and looks whether a wrong text is ever shown.

    python scripts/stress_damage.py [--mutants 200] [--seed 7] [--lexical bm25plus tantivy]

A file is emptied, cut, taken away, swapped with another one, or has bits flipped or zeros in it: the database, its
log, the originals, every file of the index, the calibration, the cache of decisions. Each mutant is opened in a
process of its own, asked, changed and mended. Prints a Markdown table by kind of file, and what was wrong; the
exit code is 1 then.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.terminal import say  # noqa: E402
from tests.robustness.damage import look, make_home, mutants, outcome  # noqa: E402
from tests.robustness.forks import warm  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=200, help="of each kind of index by words")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--lexical", nargs="+", choices=("bm25plus", "tantivy"), default=("bm25plus", "tantivy")
    )
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    table: defaultdict[str, Counter[str]] = defaultdict(Counter)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for lexical in options.lexical:
            home = Path(folder) / lexical / "home"
            make_home(home, lexical)
            warm(lambda: list(look(Path(folder) / "warm" / "home", "tantivy")))
            for mutant in mutants(home, options.mutants, options.seed):
                result, found = outcome(home, lexical, mutant)
                table[_kind(mutant.path)][result.split(",")[0]] += 1
                table[_kind(mutant.path)]["wrong"] += bool(found)
                wrong += [f"{lexical} {mutant}: {one}" for one in found]
    _show(table)
    say("\n".join(wrong))
    return 1 if wrong else 0


def _kind(path: str) -> str:
    """The path without what is another one in every run."""
    path = re.sub(r"gen-[^/]+", "gen-*", path)
    path = re.sub(r"blobs/.*", "blobs/*", path)
    return re.sub(r"[0-9a-f]{16,}", "*", path)


def _show(table: dict[str, Counter[str]]) -> None:
    results = sorted({result for row in table.values() for result in row if result != "wrong"})
    say("| file | " + " | ".join([*results, "wrong"]) + " |")
    say("|---|" + "---:|" * (len(results) + 1))
    for kind, row in sorted(table.items()):
        say(f"| {kind} | " + " | ".join(str(row[result]) for result in [*results, "wrong"]) + " |")
    total = sum(table.values(), Counter[str]())
    say("| together | " + " | ".join(str(total[result]) for result in [*results, "wrong"]) + " |")


if __name__ == "__main__":
    sys.exit(main())
