"""The options of the command line that say what is searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.cli import main as ingest
from retrieval.cli import main as retrieval

QUESTION = "员工迟到几次扣发全勤奖？"


@pytest.fixture(autouse=True)
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    old, new = tmp_path / "旧办法.md", tmp_path / "新办法.txt"
    old.write_text("# 考勤办法\n\n2019年3月1日起，员工迟到三次以上的，扣发全勤奖。\n", "utf-8")
    new.write_text("考勤办法\n\n自2024年1月1日起，员工迟到五次以上的，扣发全勤奖。\n", "utf-8")
    assert ingest(["add", str(old), "--collection", "old"]) == 0
    assert ingest(["add", str(new), "--collection", "new"]) == 0


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ([], {"旧办法.md", "新办法.txt"}),
        (["--collection", "old"], {"旧办法.md"}),
        (["--collection", "old", "--collection", "new"], {"旧办法.md", "新办法.txt"}),
        (["--document", "新办法.txt"], {"新办法.txt"}),
        (["--kind", "md"], {"旧办法.md"}),
        (["--kind", ".TXT"], {"新办法.txt"}),
        (["--since", "2024"], {"新办法.txt"}),
        (["--until", "2020/1"], {"旧办法.md"}),
        (["--kind", "pdf"], set()),
    ],
)
def test_a_search_sees_what_it_is_told_to(
    options: list[str], names: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert retrieval(["search", QUESTION, "--json", *options]) == 0
    assert {passage["doc"] for passage in json.loads(capsys.readouterr().out)["passages"]} == names


def test_what_is_not_there_or_no_date_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert retrieval(["ask", QUESTION, "--document", "nowhere.md"]) == 1
    assert "nowhere.md" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        retrieval(["ask", QUESTION, "--since", "soon"])
    assert "'soon'" in capsys.readouterr().err
