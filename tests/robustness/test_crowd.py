"""Writers and readers in several processes and threads at once (B37); ``scripts/stress_readers.py`` takes longer."""

from __future__ import annotations

from pathlib import Path

from tests.robustness.crowd import crowd


def test_what_is_cited_is_what_was_scored_while_others_write(tmp_path: Path) -> None:
    counts, errors = crowd(
        tmp_path / "知识 库", processes=2, writers=4, readers=6, seconds=6, lexical="tantivy"
    )
    assert errors == []
    assert min(counts[what] for what in ("writes", "questions", "citations", "hits")) > 0
