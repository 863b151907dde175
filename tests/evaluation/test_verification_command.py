"""``python -m evaluation verify`` from end to end over a tiny gold set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.cli import main
from evaluation.reporting.run_file import read_run

LINES = "".join(
    f"第{n}号仓库建于19{n}年，有工人{n * 3}名，应当在{n}日内完成检修。仓库不得存放油料，也可以出租给别的单位。\n\n"
    for n in range(31, 61)
)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("YOUJU_INTERFACE_LANGUAGE", "en")
    folder = tmp_path / "stores"
    (folder / "corpus").mkdir(parents=True)
    rows = []
    for name in "abcdefgh":
        (folder / "corpus" / f"{name}.txt").write_text(LINES.replace("仓库", f"{name.upper()}库"), "utf-8")
        evidence = [{"doc": f"{name}.txt", "text": f"第31号{name.upper()}库建于1931年"}]
        rows.append(json.dumps({"id": name, "question": "?", "evidence": evidence}) + "\n")
    (folder / "gold.jsonl").write_text("".join(rows), "utf-8")
    return folder


def test_cases_alone(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["verify", "--data", str(data), "--only-build", "--half", "both", "--out", str(out)]) == 0
    rows = [json.loads(line) for line in (out / "cases.jsonl").read_text("utf-8").splitlines()]
    assert {row["half"] for row in rows} == {"dev", "test"} and not capsys.readouterr().out
    assert not (out / "verification.json").exists()


def test_both_checkers_are_measured(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["verify", "--data", str(data), "--cases", "3", "--out", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (half,) = report["halves"]
    assert half["half"] == "test" and set(half["systems"]) == {"words-and-numbers", "verify"}
    assert report["data"] == ["stores"] and "commit" in report["run"]
    before, ours = read_run(out / "verify.run.json").systems
    assert (before.name, ours.name, before.set) == ("words-and-numbers", "verify", "test")
    assert {case.id for case in before.cases} == {case.id for case in ours.cases}
    assert before.figures["right"].value < ours.figures["right"].value
    wrong = [case for case in before.cases if case.stage]
    assert all(case.scores["right"] == 0 and "->" in case.reason for case in wrong)
    assert any(case.shown and case.shown.returned for case in wrong)
    assert json.loads((out / "verification.json").read_text("utf-8")) == report


def test_tables_in_the_language_of_the_interface(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--data", str(data), "--cases", "2", "--half", "dev"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("### dev: ") and "| verify | goal: both |" in shown


def test_wrong_use(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--data", str(data / "none")]) == 1
    assert "none" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["verify", "--data", str(data), "--cases", "0"])
