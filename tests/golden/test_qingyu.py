"""The small gold set of our own writing: its evidence is exact, and the code as it is passes the gate."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.settings import Settings
from evaluation.chunk_set import read_chunk_set
from evaluation.cli import main
from evaluation.gate.baseline import read_baseline
from evaluation.gold import read_checked_gold

QINGYU = Path(__file__).with_name("qingyu")
GOLD = QINGYU / "gold.jsonl"


def test_the_evidence_is_exact_and_the_kinds_are_mixed(tmp_path: Path) -> None:
    found = read_chunk_set(QINGYU, Settings(home=tmp_path))
    assert len(found.documents) >= 12 and found.unreadable == found.misread == ()
    texts = {name: document.text for name, document in found.documents.items()}
    cases = read_checked_gold(GOLD, texts)
    assert len(cases) >= 60
    counts = Counter((case.lang, case.type) for case in cases)
    for lang in ("zh", "en"):
        for kind, least in (("fact", 15), ("multihop", 5), ("summary", 3), ("noanswer", 8)):
            assert counts[lang, kind] >= least, (lang, kind)
    assert {piece.doc for case in cases for piece in case.evidence} == texts.keys()


@pytest.mark.slow
def test_the_code_as_it_is_passes_the_gate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YOUJU_HOME", "home")
    done = main(["gate", "--gold", str(GOLD), "--corpus", str(QINGYU / "corpus")])
    shown = capsys.readouterr()
    assert done == 0, shown.out
    assert "Passed" in shown.out
    assert "not in the baseline" not in shown.err and "other settings" not in shown.err


def test_the_baseline_is_of_the_default_settings() -> None:
    assert read_baseline(QINGYU / "baseline.json").settings == {}
