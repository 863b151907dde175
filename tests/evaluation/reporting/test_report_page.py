"""The page stands alone, says it in words first, marks the evidence, and hides nothing behind another page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

from evaluation.cli import main
from evaluation.reporting.digest import digest
from evaluation.reporting.figures import KEY, meaning_of, name_of, shown
from evaluation.reporting.grouping import by_type, groups_of
from evaluation.reporting.page import page
from evaluation.reporting.reasons import reason_text
from evaluation.reporting.run_file import write_run
from evaluation.reporting.summary import sentences_of
from evaluation.reporting.texts import STAGES, TEXTS
from tests.evaluation.reporting.written_runs import SHOWN, case, retrieval_cases, run, system

VOID = {"meta", "br"}


class Balanced(HTMLParser):
    """Raises for an element that is not closed, and collects what would be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href", "action", "data")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def two_systems() -> list[object]:
    ours = [*retrieval_cases([1.0] * 22 + [0.0] * 3), case(90, "packing", shown=SHOWN, whole=0.0, recall=0.5)]
    peer = retrieval_cases([1.0, 0.0] * 13)
    return [run(system(ours), system(peer, "peer"))]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_page_is_whole_and_loads_nothing(language: str) -> None:
    html = page(two_systems(), language)  # type: ignore[arg-type]
    parser = Balanced()
    parser.feed(html)
    assert not parser.open
    assert all(link.startswith("#") for link in parser.loaded)
    assert "default-src 'none'" in html and not re.search(r"url\(|@import|https?:", html)
    assert html.count("<figure>") >= 3 and html.count("<figcaption>") == html.count("<figure>")
    assert f'lang="{"zh-CN" if language == "zh" else "en"}"' in html
    assert TEXTS[language]["title"] in html


def test_evidence_is_marked_and_everything_is_escaped() -> None:
    html = page(two_systems(), "en")  # type: ignore[arg-type]
    assert "Pay <mark>within thirty &lt;days&gt;</mark> &amp; no later." in html
    assert "Something else." in html and "no evidence here" in html
    assert "<days>" not in html
    assert STAGES["packing"][1] in html


def test_it_says_first_what_came_out() -> None:
    (group,) = groups_of(two_systems())  # type: ignore[arg-type]
    first, against, lost = sentences_of(group, "en")
    assert "of 26 questions with an answer the whole evidence was found for 85\u00a0%" in first
    assert "peer it was 50\u00a0%" in against and "+36.0" in against and "beyond noise" in against
    assert lost == "Of the 4 that did not go well most were lost at: rerank 3, packing 1."
    assert "85\u00a0%" in sentences_of(group, "zh")[0]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", [*KEY, "study"])
def test_every_kind_has_its_words(kind: str, language: str) -> None:
    names = KEY.get(kind, ("anything",))
    cases = [case(n, "answer" if n else "", **dict.fromkeys(names, n / 4)) for n in range(5)]
    html = page([run(system(cases), system(cases, "peer"), kind=kind)], language)
    for name in names:
        assert name_of(kind, name, language) in html
        assert kind not in KEY or meaning_of(kind, name).text(language)
    assert "{" not in "".join(sentences_of(groups_of([run(system(cases), kind=kind)])[0], language))


def test_texts_are_the_same_in_both_languages() -> None:
    assert TEXTS["zh"].keys() == TEXTS["en"].keys()
    for code, zh in TEXTS["zh"].items():
        fields = [
            {name for _, name, _, _ in Formatter().parse(words) if name} for words in (zh, TEXTS["en"][code])
        ]
        assert fields[0] == fields[1], code


def test_systems_of_one_name_are_told_apart_and_kinds_of_questions_too() -> None:
    same = run(system(retrieval_cases([1.0, 0.0])))
    (group,) = groups_of([same, same, same])
    assert list(group.systems) == ["ours", "ours @abc123d", "ours (2)"]
    assert by_type(group.leading.cases, "whole") == {"fact": (0.0, 1), "summary": (1.0, 1)}
    assert (
        shown("retrieval", "whole", 0.5) == "50.0\u00a0%" and shown("retrieval", "chars", 1234.0) == "1,234"
    )


def test_json_has_what_the_page_says() -> None:
    (group,) = digest(two_systems(), "en")["groups"]  # type: ignore[arg-type, misc, str-bytes-safe]
    ours = group["systems"]["ours"]  # type: ignore[index]
    assert ours["stages"] == {"rerank": 3, "packing": 1} and ours["worst"] == ["q90"]
    assert ours["figures"]["whole"]["cases"] == 26 and ours["reliability"]["cases"] == 26


def test_the_command_writes_both_and_refuses_what_is_no_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(tmp_path / "runs", two_systems()[0])  # type: ignore[arg-type]
    out = tmp_path / "report.html"
    assert main(["report", str(tmp_path / "runs"), "--out", str(out), "--language", "zh"]) == 0
    assert out.read_text("utf-8").startswith("<!doctype html>")
    assert json.loads(out.with_suffix(".json").read_text("utf-8"))["runs"][0]["kind"] == "retrieval"
    (tmp_path / "bad.run.json").write_text("{}", "utf-8")
    assert main(["report", str(tmp_path / "bad.run.json"), "--out", str(tmp_path / "no.html")]) == 1
    assert "bad.run.json" in capsys.readouterr().err and not (tmp_path / "no.html").exists()


def test_reasons_are_read_in_the_language_of_the_page() -> None:
    assert reason_text("found at 12, wanted in 5", "zh") == "排在第 12 位，要在前 5 位才会返回"
    assert reason_text("found at 3, moved to 40 by blend", "zh") == "检索排在第 3 位，被 blend 移到第 40 位"
    assert reason_text("something new", "zh") == "something new"
    assert reason_text("not found", "en") == "not found"
