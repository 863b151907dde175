"""The one command: which parts there are, what is run again, and the page that comes out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.errors import FileMissingError, SettingsError
from core.settings import Settings
from evaluation.benchmarks.datasets import datasets_in
from evaluation.benchmarks.parts import KINDS, SAMPLED_DOCUMENTS, Limits, Part, parts_of
from evaluation.benchmarks.state import ROOT, Index, Keys, code_of, read_index, write_index
from evaluation.benchmarks.tables import made_with, section
from evaluation.cli import main
from evaluation.reporting.run_file import CaseRecord, Figure, Made, RunFile, SystemRecord, read_run

GOLD = Path(__file__).resolve().parents[2] / "golden" / "qingyu"
DOCUMENT = "青屿市机动车停放管理办法.txt"
TEXT = "押金为一千元。租期为两年，可以续租一次。"


def write_set(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "lease.txt").write_text(TEXT, "utf-8")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "gold.jsonl").write_text(lines, "utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set with offsets, one with pages, one with follow-up questions, and a folder that is none."""
    placed = {"doc": "lease.txt", "text": "租期为两年", "start": 7, "end": 12}
    case = {"id": "a", "question": "租期多久？", "answer": "两年", "lang": "zh", "evidence": [placed]}
    page = {"doc": "lease.txt", "text": "租期", "page": 1}
    write_set(tmp_path / "data" / "leases", [case])
    write_set(tmp_path / "data" / "pages", [case | {"evidence": [page], "lang": "en"}])
    follow_up = case | {"history": ["押金多少？", "一千元。"], "standalone_question": "租期多久？"}
    write_set(tmp_path / "data" / "turns", [follow_up])
    (tmp_path / "data" / "zoo" / "corpus").mkdir(parents=True)
    return tmp_path / "data"


def test_sets_are_told_apart_by_what_they_hold(data: Path) -> None:
    leases, pages, turns = datasets_in(data)
    assert [one.name for one in (leases, pages, turns)] == ["leases", "pages", "turns"]
    assert leases.has_offsets and not pages.has_offsets and turns.has_rewrites and not leases.has_rewrites
    assert (leases.language, pages.language) == ("zh", "en")
    assert [one.name for one in datasets_in(data, ["turns"])] == ["turns"]
    with pytest.raises(SettingsError):
        datasets_in(data, ["zoo"])
    with pytest.raises(FileMissingError):
        datasets_in(data / "zoo")


def test_the_parts(data: Path) -> None:
    found = datasets_in(data)
    keys = [part.key for part in parts_of(found, [], Limits())]
    assert keys == [
        "chunks.leases", "chunks.turns", "semantic-peers.leases", "semantic-peers.turns",
        "search.leases", "search.pages", "search.turns", "together.zh", "conversations.turns",
        "answers.leases", "answers.pages", "answers.turns", "verify.all", "claims.all",
    ]  # fmt: skip
    (one,) = parts_of(found[:1], ["semantic-peers"], Limits(questions=5))
    words = list(one.arguments)
    assert words[words.index("--documents") + 1] == str(SAMPLED_DOCUMENTS)
    assert words[words.index("--questions") + 1] == "5"
    assert words[words.index("--data") + 1] == str(found[0].folder)
    with pytest.raises(SettingsError):
        parts_of(found, ["charm"], Limits())


def test_every_part_is_a_command_that_is_understood(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsed as the command line parses it; what would run is not."""
    import argparse

    parsed: list[Any] = []

    def parse(self: argparse.ArgumentParser, *words: Any) -> argparse.Namespace:
        parsed.append(real(self, *words))
        return argparse.Namespace(run=lambda options: 0)

    real = argparse.ArgumentParser.parse_args
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    parts = parts_of(datasets_in(data), [], Limits(questions=3, documents=2))
    for part in parts:
        assert main([*part.arguments, "--out", "x"]) == 0
    assert len(parsed) == len(parts)


def part_of(folder: Path, *arguments: str, kind: str = "chunks") -> Part:
    (dataset,) = datasets_in(folder.parent, [folder.name])
    return Part(kind=kind, name=folder.name, arguments=("chunks", *arguments), datasets=(dataset,))


def test_the_key_changes_with_what_a_part_depends_on(data: Path, tmp_path: Path) -> None:
    part = part_of(data / "leases")
    key = Keys(Settings()).of(part)
    assert key == Keys(Settings()).of(part)
    moved = tmp_path / "elsewhere" / "leases"
    shutil.copytree(data / "leases", moved)
    assert Keys(Settings()).of(part_of(moved, "--data", str(moved))) == Keys(Settings()).of(
        part_of(data / "leases", "--data", str(data / "leases"))
    ), "where the sets lie makes no difference"
    assert key != Keys(Settings()).of(part_of(data / "leases", "--questions", "5"))
    assert key != Keys(Settings(chunking={"soft_tokens": 200})).of(part)  # type: ignore[arg-type]
    assert key == Keys(Settings(language="zh")).of(part), "what is printed in is not what is measured"
    (data / "leases" / "corpus" / "lease.txt").write_text(TEXT + "另。", "utf-8")
    assert key != Keys(Settings()).of(part)


def test_code_that_a_part_does_not_run_is_left_out() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in code_of(KINDS["chunks"])}
    assert {"ingest/hierarchy.py", "evaluation/chunkers.py", "core/span.py"} <= names
    assert not [name for name in names if name.startswith(("retrieval/", "evaluation/answers/"))]
    assert "evaluation/benchmarks/parts.py" not in names and "app/cli.py" not in names
    assert "retrieval/search.py" in {path.relative_to(ROOT).as_posix() for path in code_of(KINDS["search"])}


def test_an_index_of_another_form_is_refused(tmp_path: Path) -> None:
    assert read_index(tmp_path) == Index()
    write_index(tmp_path, Index())
    assert read_index(tmp_path) == Index()
    (tmp_path / "index.json").write_text('{"format": "other"}', "utf-8")
    with pytest.raises(SettingsError):
        read_index(tmp_path)


MADE = Made(
    commit="abc", changed=False, version="1", date="2026-01-01T00:00:00+00:00", machine="Linux x", cores=2, python="3.11"
)  # fmt: skip


def system(name: str, values: list[float]) -> SystemRecord:
    mean = sum(values) / len(values)
    figure = Figure(value=mean, low=0, high=1, cases=len(values))
    cases = tuple(CaseRecord(id=str(n), scores={"whole": v}) for n, v in enumerate(values))
    return SystemRecord(set="s", name=name, figures={"whole": figure, "recall": figure}, cases=cases)


def test_tables_have_the_best_in_bold_and_differences_paired() -> None:
    run = RunFile(
        kind="retrieval", made=MADE, model="m", settings={}, fingerprint="f", data=(),
        systems=(system("ours", [1.0, 1.0, 0.0]), system("peer", [1.0, 0.0, 0.0])),
    )  # fmt: skip
    shown = section("search", [("s", run)])
    ours, peer = (line for line in shown.split("\n") if "| ours |" in line or "| peer | -" in line)
    assert ours.startswith("| s (3) | ours | - | - | - | **0.667** | **0.667** | - |")
    assert peer.startswith("|  | peer |") and "**" not in peer
    assert "| s | peer | +0.333 [" in shown
    other = MADE.model_copy(update={"changed": True, "date": "2026-01-02T00:00:00+00:00"})
    said = made_with([MADE, other])
    assert "Linux x, 2 cores, Python 3.11" in said and "abc, abc with changes" in said and "01-02" in said


def test_what_is_done_is_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With processes of their own, on a part of the repository's set."""
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_LANGUAGE", "en")
    data, out = tmp_path / "data", tmp_path / "out"
    (data / "qingyu" / "corpus").mkdir(parents=True)
    shutil.copy(GOLD / "corpus" / DOCUMENT, data / "qingyu" / "corpus")
    rows = (GOLD / "gold.jsonl").read_text("utf-8").splitlines(keepends=True)
    own = [
        row for row in rows if {piece["doc"] for piece in json.loads(row).get("evidence", ())} == {DOCUMENT}
    ]
    (data / "qingyu" / "gold.jsonl").write_text("".join(own), "utf-8")
    command = ["benchmarks", "--data", str(data), "--only", "verify", "--questions", "1", "--out", str(out)]
    assert main(command) == 0
    shown = capsys.readouterr()
    assert (
        "1/1 verify.all: done in" in shown.err
        and shown.out == (out / "benchmarks.md").read_text("utf-8") + "\n"
    )
    assert "--data DATA/qingyu --out OUT" in shown.out and str(data) not in shown.out
    (entry,) = read_index(out).parts.values()
    assert entry.state == "done" and read_run(out / entry.files[0]).kind == "verify"

    assert main(command) == 0
    assert "done before" in capsys.readouterr().err
    (out / entry.files[0]).write_text("{}", "utf-8")

    (data / "qingyu" / "gold.jsonl").write_text(own[0].replace('"fact"', '"song"'), "utf-8")
    assert main(command) == 1, (
        "the result cannot be read any more, so it is made again, from a gold file that is wrong"
    )
    shown = capsys.readouterr()
    assert "Parts that failed: verify.all" in shown.err and "\nFailed: verify.all.\n" in shown.out
    assert read_index(out).parts["verify.all"].state == "failed"
