"""A chat model's word on whether chunks are complete: what is asked, what is counted, what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import pytest

from evaluation.cli import main
from evaluation.completeness_judge import ENOUGH, judged_completeness
from evaluation.reporting.run_file import read_run
from tests.evaluation.passages import passage
from tests.scripted_openai import serving

TEXT = "abcdefghij"
CHUNKS = [passage(at, at + 1, text=TEXT, header="Head\n") for at in range(10)]


@dataclass
class Says:
    """Replies in turn; ``asked`` holds what came."""

    replies: Sequence[str]
    asked: list[tuple[str, str]] = field(default_factory=list)

    def decide(self, instruction: str, data: str) -> str:
        self.asked.append((instruction, data))
        return self.replies[len(self.asked) - 1]


def test_scores_are_counted_as_by_hand() -> None:
    scores = [0.0, 0.3, 0.84, 0.85, 1.0, 0.9, 0.2, 0.5, 0.86, 0.1]
    model = Says([json.dumps({"score": score, "missing": "x"}) for score in scores])
    found = judged_completeness(CHUNKS, model, sample=99)
    assert found is not None
    assert found.mean == pytest.approx(fmean(scores))
    assert found.enough == pytest.approx(sum(score >= ENOUGH for score in scores) / 10)
    assert (found.chunks, found.unread) == (10, 0)
    assert {json.loads(data)["chunk"] for _, data in model.asked} == {f"Head\n{char}" for char in TEXT}


def test_a_reply_without_the_form_is_asked_for_once_more_and_then_left_out() -> None:
    model = Says(["complete", '{"score": 0.4}', '{"score": 7}', "no", '```json\n{"score": 1}\n```'])
    found = judged_completeness(CHUNKS[:3], model, sample=3)
    assert found is not None
    assert (found.mean, found.chunks, found.unread) == (pytest.approx(0.7), 2, 1)
    assert model.asked[1][0] != model.asked[0][0]
    assert judged_completeness(CHUNKS[:1], Says(["?", "?"]), sample=1) is None


def test_the_sample_is_the_same_each_time() -> None:
    first, second = (Says(['{"score": 1}'] * 4) for _ in range(2))
    for model in (first, second):
        judged_completeness(CHUNKS, model, sample=4)
    assert first.asked == second.asked
    assert len({data for _, data in first.asked}) == 4


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "corpus").mkdir()
    text = "# Rules\n\nThe lens is cleaned every nine days.\n"
    (tmp_path / "corpus" / "a.md").write_text(text, "utf-8")
    at = text.index("nine days")
    evidence = {"doc": "a.md", "text": "nine days", "start": at, "end": at + 9}
    case = {"id": "1", "question": "How often?", "answer": "nine days", "lang": "en", "type": "fact"}
    (tmp_path / "gold.jsonl").write_text(json.dumps(case | {"evidence": [evidence]}) + "\n", "utf-8")
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    return tmp_path


def test_the_command_judges_with_the_configured_model(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["chunks", "--data", str(data), "--judged", "5", "--strategies", "recursive"]
    assert main(command) == 1
    assert "--judged needs a chat model" in capsys.readouterr().err
    with serving(lambda request: '{"score": 0.9, "missing": ""}') as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("YOUJU_CHAT__MODEL", "scripted")
        assert main([*command, "--out", str(data / "out")]) == 0
    facts = read_run(data / "out" / "chunks.run.json").systems[0].facts
    assert (facts["judged_complete"], facts["judged_enough"]) == (0.9, 1.0)
