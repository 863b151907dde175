"""The comparison from end to end, with a splitter that is bad on purpose."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from core.registry import REGISTRY
from core.settings import ChunkingSettings
from core.span import trimmed
from evaluation.chunk_set import read_chunk_set
from evaluation.cli import main
from evaluation.gold import read_gold
from evaluation.reporting.run_file import read_run
from ingest.sections import Section
from ingest.splitters.piece import Piece
from ingest.splitters.splitter import Need, SplitTools

ROOT = Path(__file__).resolve().parents[2]


class EveryForty:
    """Cuts at every 40 characters."""

    needs: ClassVar[frozenset[Need]] = frozenset()
    fingerprint = "every-forty"

    def __init__(self, settings: ChunkingSettings, tools: SplitTools) -> None:
        del settings, tools

    def split(self, sections: Sequence[Section]) -> list[list[Piece]]:
        return [
            [
                Piece(span=span, size=section.size(span))
                for start in range(section.span.start, section.span.end, 40)
                if (span := trimmed(section.document.text, start, min(start + 40, section.span.end)))
            ]
            for section in sections
        ]


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY["splitter"], "every-forty", f"{__name__}:EveryForty")
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", "home")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The samples without their PDF."""
    folder = tmp_path / "samples"
    (folder / "corpus").mkdir(parents=True)
    for path in (ROOT / "samples").iterdir():
        if path.suffix in (".md", ".txt"):
            shutil.copy(path, folder / "corpus")
    shutil.copy(ROOT / "tests" / "golden" / "samples.jsonl", folder / "gold.jsonl")
    return folder


def test_a_bad_splitter_comes_out_worse(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = data.parent / "out"
    command = ["chunks", "--data", str(data), "--out", str(out), "--peers", "langchain-recursive"]
    command += ["--strategies", "recursive,every-forty"]
    assert main(command) == 0
    shown = capsys.readouterr()
    report = json.loads((out / "chunks.json").read_text("utf-8"))
    good, bad, peer = report["sets"][0]["runs"]
    assert [run["name"] for run in (good, bad, peer)] == ["recursive", "every-forty", "langchain-recursive"]
    for run in (good, bad, peer):
        mean = run["means"]
        assert mean["complete"] + mean["adjacent"] + mean["truncated"] == pytest.approx(1)
    assert good["means"]["complete"] > 0.9 > 0.5 > bad["means"]["complete"]
    assert bad["differences"]["complete"]["high"] < 0 < bad["differences"]["truncated"]["low"]
    assert good["header_inheritance"] == 1 > peer["header_inheritance"]
    assert bad["failures"]["chunking"] > good["failures"]["chunking"]
    assert report["run"]["cores"] >= 1 and report["sets"][0]["misread"] == 0
    assert "| every-forty |" in shown.out == (out / "chunks.md").read_text("utf-8")
    assert "every-forty done" in shown.err

    whole, forty, _ = read_run(out / "chunks.run.json").systems
    assert forty.figures["complete"].value == pytest.approx(bad["means"]["complete"], abs=1e-3)
    assert sum(forty.sizes.values()) == bad["chunks"] > sum(whole.sizes.values())
    seen = next(case.shown for case in forty.cases if case.shown is not None and case.stage == "chunking")
    assert seen.evidence and 1 <= len(seen.returned) <= 2
    assert any(one.marks for one in seen.returned)

    scores = [json.loads(line) for line in (out / "scores.jsonl").read_text("utf-8").splitlines()]
    assert len(scores) == 3 * report["sets"][0]["questions"]
    failing = [json.loads(line) for line in (out / "failures.jsonl").read_text("utf-8").split("\n") if line]
    assert {case.id for case in read_gold(out / "failures.jsonl")} <= {
        case.id for case in read_gold(data / "gold.jsonl")
    }
    cut = next(row for row in failing if row["strategy"] == "every-forty" and row["stage"] == "chunking")
    text = (data / "corpus" / cut["missing"]["doc"]).read_text("utf-8")
    piece = text[cut["missing"]["start"] : cut["missing"]["end"]]
    assert piece not in cut["best_chunk"] and 0 < cut["best_share"] < 1


def test_settings_of_a_strategy_and_a_second_run(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["chunks", "--data", str(data), "--questions", "5", "--documents", "1", "--json"]
    command += ["--strategies", "recursive,recursive:soft_tokens=80:min_tokens=20:hard_tokens=120"]
    command += ["--baseline", "recursive:soft_tokens=80:min_tokens=20:hard_tokens=120"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(command) == 0
    second = json.loads(capsys.readouterr().out)
    fine, coarse = first["sets"][0]["runs"]
    assert fine["over_limit"] == coarse["over_limit"] == 0 < fine["max_tokens"] <= 120 < coarse["max_tokens"]
    assert fine["chunks"] > coarse["chunks"] and fine["fingerprint"] != coarse["fingerprint"]
    assert (
        first["baseline"] == fine["name"] and "complete" in coarse["differences"] and not fine["differences"]
    )
    assert (first["sets"][0]["documents"], first["sets"][0]["questions"]) == (1, 5)
    assert coarse["embed_s"] == pytest.approx(second["sets"][0]["runs"][1]["embed_s"])
    assert coarse["means"] == second["sets"][0]["runs"][1]["means"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--strategies", "magic"], "magic"),
        (["--strategies", "recursive:soft_tokens=9999"], "soft_tokens"),
        (["--baseline", "fixed", "--strategies", "recursive"], "--baseline"),
        (["--strategies", ""], "--strategies"),
    ],
)
def test_wrong_use_is_a_sentence(
    data: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chunks", "--data", str(data), *options]) == 1
    assert said in capsys.readouterr().err


def test_what_the_gold_has_elsewhere_is_the_parsers_fault(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "员工手册.md"
    text = (data / "corpus" / name).read_text("utf-8")
    pieces = [
        {"doc": name, "text": text[10:30], "start": 10, "end": 30},
        {"doc": name, "text": "elsewhere", "start": 10, "end": 19},
        {"doc": name, "text": "on a page", "page": 3},
        {"doc": "none.md", "text": text[10:30], "start": 10, "end": 30},
    ]
    rows = [{"id": str(n), "question": "?", "evidence": [piece]} for n, piece in enumerate(pieces)]
    rows.append({"id": "n", "question": "?", "type": "noanswer"})
    (data / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    from core.settings import load_settings

    found = read_chunk_set(data, load_settings())
    assert [question.case.id for question in found.questions] == ["0"]
    assert [case.id for case in found.misread] == ["1"]
    assert found.unplaced == 1
    assert main(["chunks", "--data", str(data), "--strategies", "recursive", "--out", "out"]) == 0
    assert "1 questions without character offsets" in capsys.readouterr().err
    assert json.loads(Path("out/failures.jsonl").read_text("utf-8").split("\n")[0])["stage"] == "parser"


def test_a_folder_without_usable_questions_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "gold.jsonl").write_text(
        '{"id": "1", "question": "?", "evidence": [{"doc": "a.pdf", "page": 1}]}\n'
    )
    assert main(["chunks", "--data", str(data), "--strategies", "recursive"]) == 0
    assert "No question can be used" in capsys.readouterr().out


def test_an_interruption_keeps_what_is_done(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: EveryForty, sections: Sequence[Section]) -> list[list[Piece]]:
        raise KeyboardInterrupt

    monkeypatch.setattr(EveryForty, "split", interrupted)
    command = ["chunks", "--data", str(data), "--strategies", "recursive,every-forty", "--out", "out"]
    assert main(command) == 130
    runs = json.loads(Path("out/chunks.json").read_text("utf-8"))["sets"][0]["runs"]
    assert [run["name"] for run in runs] == ["recursive"]
