"""A stored file that was damaged is made anew or refused with words: never a wrong text, never a crash.

Every kind of file in turn; ``scripts/stress_damage.py`` does more. ``tests/core/store/test_store_mutants.py``
looks closer at the database.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.chat.forgetting import forget_decisions
from core.chat.model import decision_cache
from ingest.calibration import Calibration, Calibrations, LanguageScale
from tests.robustness.small_base import settings_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("lexical", ["bm25plus", "tantivy"])
def test_damaged_files_never_show_a_wrong_text(lexical: str) -> None:
    script = ROOT / "scripts" / "stress_damage.py"
    command = [sys.executable, str(script), "--mutants", "16", "--lexical", lexical, "--seed", "20261130"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert "| together |" in done.stdout


@pytest.mark.parametrize("damage", ["no database", "bad page"])
def test_a_damaged_cache_of_decisions_is_begun_anew(tmp_path: Path, damage: str) -> None:
    settings, path = settings_of(tmp_path), tmp_path / "decisions.db"
    if damage == "no database":
        path.write_bytes(b"secret" * 1000)
    else:
        assert decision_cache(settings) is not None
        path.write_bytes(path.read_bytes()[:100] + b"\xffsecret" * 1000)
    cache = decision_cache(settings)
    assert cache is not None
    assert cache.lookup("prompt", "model") is None
    path.write_bytes(b"secret" * 1000)
    forget_decisions(tmp_path)
    assert not path.exists() or b"secret" not in path.read_bytes()


def test_a_number_of_a_calibration_that_became_two_is_noticed(tmp_path: Path) -> None:
    """One bit lies between a point and a comma."""
    scale = LanguageScale(
        texts=9, question_mean=(0.5, 0.25), passage_mean=(0.5, 0.75), random_pair=0.1, near_copy=0.9
    )
    made = Calibration(fingerprints=("model",), source="test", languages={"zh": scale})
    calibrations = Calibrations(tmp_path)
    path = calibrations.keep(made)
    assert calibrations.of("model") == made
    path.write_bytes(path.read_bytes().replace(b"0.25", b"0,25"))
    assert calibrations.of("model") is None
