"""The comparison from end to end, over the samples, with settings that are bad on purpose."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaluation.attribution.loss import Stage
from evaluation.cli import main
from evaluation.gold import read_gold
from evaluation.reporting.run_file import read_run

ROOT = Path(__file__).resolve().parents[2]
BAD = "ours:retrieval.passages=1:retrieval.max_tokens=50"


@pytest.fixture(autouse=True)
def _prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    monkeypatch.setenv("YOUJU_HOME", "home")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The samples without their PDF, and a question of a conversation."""
    folder = tmp_path / "samples"
    (folder / "corpus").mkdir(parents=True)
    for path in (ROOT / "samples").iterdir():
        if path.suffix in (".md", ".txt"):
            shutil.copy(path, folder / "corpus")
    shutil.copy(ROOT / "tests" / "golden" / "samples.jsonl", folder / "gold.jsonl")
    return folder


def report_in(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / "retrieval.json").read_text("utf-8"))
    return report


def lines_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def test_a_starved_variant_comes_out_worse(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = data.parent / "out"
    command = [
        "retrieval",
        "--data",
        str(data),
        "--variants",
        f"ours,{BAD}",
        "--out",
        str(out),
        "--reliability",
    ]
    assert main(command) == 0
    shown = capsys.readouterr()
    report = report_in(out)
    good, bad = report["sets"][0]["runs"]
    assert (report["baseline"], good["name"], bad["name"]) == ("ours", "ours", BAD)
    assert good["means"]["recall"] > 0.6 > bad["means"]["recall"]
    assert good["means"]["chars"] <= 6000 and bad["means"]["chars"] < 200
    assert bad["differences"]["recall"]["high"] < 0 and not good["differences"]
    assert 0 < good["embedding_ms"]["p50"] < good["latency_ms"]["p50"]
    assert {"dense", "lexical", "expand"} <= good["steps_ms"].keys()
    assert sum(bad["lost"].values()) > sum(good["lost"].values())
    assert f"| {BAD} |" in shown.out == (out / "retrieval.md").read_text("utf-8")
    assert f"{BAD} done" in shown.err

    stored = read_run(out / "retrieval.run.json")
    whole, cut_off = stored.systems
    assert (whole.name, cut_off.name, len(whole.cases)) == ("ours", BAD, len(cut_off.cases))
    assert cut_off.figures["recall"].value == pytest.approx(bad["means"]["recall"], abs=1e-3)
    assert stored.data[0].questions == len(whole.cases)
    lost = [case for case in cut_off.cases if case.scores and case.scores["recall"] < 1]
    assert lost and all(case.stage in set(Stage) for case in lost)
    assert all(case.shown.evidence for case in lost if case.shown)

    rows = lines_in(out / "questions.jsonl")
    questions = report["sets"][0]["questions"] + report["sets"][0]["unanswerable"]
    assert len(rows) == 2 * questions and all(row["route"] for row in rows)
    failing = lines_in(out / "failures.jsonl")
    assert {case.id for case in read_gold(out / "failures.jsonl")} <= {
        case.id for case in read_gold(data / "gold.jsonl")
    }
    assert sum(row["system"] == BAD for row in failing) == sum(bad["lost"].values())
    assert good["reliability"]["count"] == questions
    assert sorted(path.name for path in out.glob("*.svg"))[0].startswith("reliability-samples-ours")


def test_a_base_is_made_once_for_what_is_stored_the_same(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["retrieval", "--data", str(data), "--questions", "3", "--json"]
    variants = "ours,ours:retrieval.rrf_k=60,ours:chunking.soft_tokens=60:chunking.min_tokens=20"
    assert main([*command, "--variants", variants, "--baseline", "ours:retrieval.rrf_k=60"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert len(list(Path("home/evaluation/bases").iterdir())) == 2
    assert main([*command, "--variants", "ours:retrieval.rrf_k=60"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert len(list(Path("home/evaluation/bases").iterdir())) == 2
    assert first["baseline"] == first["sets"][0]["runs"][0]["name"] == "ours:retrieval.rrf_k=60"
    assert second["sets"][0]["runs"][0]["means"] == first["sets"][0]["runs"][0]["means"]
    assert second["sets"][0]["build_s"] < first["sets"][0]["build_s"]


def test_sets_together_are_searched_together(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = data.parent / "other"
    (other / "corpus").mkdir(parents=True)
    text = "# 星河公司\n\n差旅住宿标准与年休假由人事部解释。\n"
    # The same name in another set is another document.
    (other / "corpus" / "员工手册.md").write_text(text, "utf-8")
    start = text.index("差旅")
    piece = {"doc": "员工手册.md", "text": text[start:-1], "start": start, "end": len(text) - 1}
    row = {"id": "o", "question": "谁解释差旅住宿标准？", "evidence": [piece], "lang": "zh"}
    (other / "gold.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert main(["retrieval", "--together", f"both={data},{other}", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["sets"][0]
    assert found["set"] == "both" and found["documents"] == 1 + len(list((data / "corpus").iterdir()))
    assert set(found["runs"][0]["by_part"]) == {"samples", "other"}
    assert found["runs"][0]["by_part"]["other"]["recall"] == 1


def test_a_conversation_is_asked_in_three_ways(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "员工手册.md"
    text = (data / "corpus" / name).read_text("utf-8")
    evidence = [{"doc": name, "text": text[10:30], "start": 10, "end": 30}]
    rows: list[dict[str, Any]] = [{"id": "alone", "question": "年休假有几天？", "evidence": evidence}]
    history = [{"role": "user", "content": "年休假有几天？"}, {"role": "assistant", "content": "五天。"}]
    followed = {
        "id": "c",
        "question": "那病假呢？",
        "history": history,
        "standalone_question": "病假怎么请？",
    }
    rows.append(followed | {"evidence": evidence})
    (data / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert main(["retrieval", "--data", str(data), "--conversations", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["sets"][0]
    assert found["questions"] == 1
    assert [run["name"] for run in found["runs"]] == ["ours", "ours:ask=last-turn", "ours:ask=rewrite"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--variants", "ours:retrieval.magic=1"], "retrieval.magic"),
        (["--peers", "magic"], "langchain-ensemble"),
        (["--peers", "langchain-parent:zh_chars=x"], "numbers"),
        (["--baseline", "langchain-parent"], "--baseline"),
        (["--variants", ""], "--variants"),
    ],
)
def test_wrong_use_is_a_sentence(
    data: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retrieval", "--data", str(data), *options]) == 1
    assert said in capsys.readouterr().err
    assert not Path("home").exists()


def test_no_folder_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieval"]) == 1
    assert "--together" in capsys.readouterr().err


def test_search_is_another_name_and_still_scores_a_batch(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "--data", str(data), "--questions", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sets"][0]["questions"] == 2
    assert main(["search", "--results", str(data / "none.jsonl")]) == 1
    assert "--gold" in capsys.readouterr().err
