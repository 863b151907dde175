"""Writers and readers at the same time on one knowledge base, in several processes of several threads.

    python scripts/stress_readers.py [--seconds 120] [--writers 8] [--readers 25] [--processes 4] [--lexical tantivy]

Writers add, replace and delete signed texts; half of the readers compare every hit of the index with the store, the
others ask questions and open the citations. Prints the counts, and every error; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.terminal import say  # noqa: E402
from tests.robustness.crowd import crowd  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--readers", type=int, default=25)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--lexical", choices=("bm25plus", "tantivy"), default="tantivy")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts, errors = crowd(
            Path(folder) / "home",
            processes=options.processes,
            writers=options.writers,
            readers=options.readers,
            seconds=options.seconds,
            lexical=options.lexical,
        )
    say(", ".join(f"{what} {number}" for what, number in sorted(counts.items())) + f", errors {len(errors)}")
    say("\n".join(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
