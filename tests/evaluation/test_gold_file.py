"""The strict loader: evidence must be an exact span of our document, and the wrong line is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import SettingsError
from evaluation.gold import evidence_fault, read_checked_gold

TEXTS = {"a.md": "租期两年。押金一千元。租期两年。", "b.pdf": "page one words\nmore words"}
GOOD = {
    "id": "1",
    "question": "押金多少？",
    "evidence": [{"doc": "a.md", "text": "押金一千元。", "start": 5, "end": 11}],
}


def written(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def piece(**changed: object) -> dict[str, Any]:
    return GOOD | {"id": "2", "evidence": [GOOD["evidence"][0] | changed]}  # type: ignore[index]


def test_exact_spans_pages_and_questions_without_answer_are_taken(tmp_path: Path) -> None:
    rows = [
        GOOD,
        {"id": "2", "question": "?", "type": "noanswer"},
        {"id": "3", "question": "?", "evidence": [{"doc": "b.pdf", "text": "words", "page": 1}]},
        {"id": "4", "question": "?", "evidence": [{"doc": "b.pdf", "text": ["page one", "more"], "page": 1}]},
        {"id": "5", "question": "?", "evidence": [{"doc": "a.md", "text": "押金一千元。"}]},
        {"id": "6", "question": "?", "evidence_mode": "documents", "evidence": [{"doc": "b.pdf"}]},
    ]
    assert [case.id for case in read_checked_gold(written(tmp_path, *rows), TEXTS)] == list("123456")


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (piece(start=4, end=10), "stands at 5 of a.md, not from 4 to 10"),
        (piece(text="押金两千元。"), "a.md does not hold '押金两千元。'"),
        (piece(text=""), "has no text"),
        (piece(doc="c.md"), "no document 'c.md'"),
        (piece(text="租期两年。", start=None, end=None), "several times"),
        (GOOD, "this id was there before"),
        (GOOD | {"id": "2", "evidence": []}, "there is no evidence"),
        (GOOD | {"id": "2", "type": "noanswer"}, "cannot have evidence"),
        (GOOD | {"id": "2", "question": " "}, "there is no question"),
        ({"question": "x"}, "id"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_wrong(tmp_path: Path, row: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_checked_gold(written(tmp_path, GOOD, row), TEXTS)
    assert "line 2" in str(caught.value) and told in str(caught.value)


def test_known_cases_are_not_held_against_the_documents(tmp_path: Path) -> None:
    (case,) = read_checked_gold(written(tmp_path, piece(text="不在")), TEXTS, lambda case: case.id == "2")
    assert "does not hold" in evidence_fault(case, TEXTS)
