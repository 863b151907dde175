"""Kills a process that adds, replaces and deletes documents, at random moments, and looks what is left.

    python scripts/stress_kill.py [--moments 200] [--seed 7] [--lexical bm25plus tantivy]

The process writes down every change before it begins and after it is acknowledged. After each kill, in a process of
its own: the knowledge base opens, everything acknowledged is there, nothing else is, search finds exactly that, and
check finds nothing. Prints the counts; the exit code is 1 when anything is lost, a phantom or does not start.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.terminal import say  # noqa: E402
from tests.robustness.forks import warm  # noqa: E402
from tests.robustness.kills import Log, look, moment  # noqa: E402
from tests.robustness.small_base import make  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--lexical", nargs="+", choices=("bm25plus", "tantivy"), default=("bm25plus", "tantivy")
    )
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    dice, wrong, acknowledged = random.Random(options.seed), list[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        warmed = Path(folder) / "warm" / "home"
        warm(lambda: _once(warmed))
        for lexical in options.lexical:
            home = Path(folder) / lexical / "home"
            log = Log(home.parent / "log")
            home.parent.mkdir()
            for number in range(options.moments // len(options.lexical)):
                wrong += [f"{lexical} {number}: {one}" for one in moment(home, lexical, log, dice)]
            acknowledged += log.acknowledged
    lost = sum("lost" in one for one in wrong)
    failed = sum("failed start" in one for one in wrong)
    say(
        f"{options.moments} kills, {acknowledged} acknowledged changes; lost or phantom {lost}, "
        f"failed starts {failed}, other findings {len(wrong) - lost - failed}"
    )
    say("\n".join(wrong))
    return 1 if wrong else 0


def _once(home: Path) -> None:
    make(home, "tantivy")
    list(look(home, "tantivy", Log(home.parent / "log")))


if __name__ == "__main__":
    sys.exit(main())
