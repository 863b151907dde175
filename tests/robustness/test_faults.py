"""Whatever fails while a document is added, replaced or deleted: the old or the new state, nothing else.

Here every operation of adding fails once, of the others a sample; ``scripts/stress_faults.py`` does all of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.robustness.faults import Fault, Faults
from tests.robustness.sweep import Sweep

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "stress_faults.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "lexical", "stride"),
    [
        ("add", "bm25plus", 1),
        ("replace", "bm25plus", 9),
        ("delete", "bm25plus", 7),
        ("replace", "tantivy", 13),
    ],
)
def test_what_fails_leaves_the_old_or_the_new_state(
    action: str, lexical: str, stride: int, tmp_path: Path
) -> None:
    sweep = Sweep.of(tmp_path, action, lexical)
    assert sweep.before != sweep.after
    number, ended, wrong = 0, False, dict[str, object]()
    while not ended:
        home = sweep.fresh(tmp_path / "run" / "home")
        acknowledged = tmp_path / "run" / "acknowledged"
        # A full disk at every other one; where that takes no space, the next one that does fails.
        faults = Faults(home, number, Fault.FULL if number % 2 else Fault.ERROR)
        found = [
            *sweep.run(home, faults, acknowledged),
            *sweep.verify(home, acknowledged.exists(), briefly=bool(number % 10)),
        ]
        wrong |= {f"{number} {faults.seen[min(number, len(faults.seen) - 1)]}": found} if found else {}
        ended = len(faults.seen) <= number
        number += stride
        shutil.rmtree(tmp_path / "run")
    assert wrong == {}
    assert number > 100


def swept(*arguments: str) -> str:
    command = [sys.executable, str(SCRIPT), *arguments]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_the_end_of_the_process_leaves_the_old_or_the_new_state() -> None:
    table = swept("--faults", "exit", "--lexical", "bm25plus", "--actions", "replace", "--stride", "15")
    assert "| bm25plus | replace |" in table


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("cc") is None, reason="no C compiler here")
def test_a_system_call_of_the_libraries_that_fails_leaves_the_old_or_the_new_state() -> None:
    table = swept("--calls", "--lexical", "tantivy", "--actions", "replace", "--stride", "200")
    assert table.count("| tantivy | replace |") == 3
