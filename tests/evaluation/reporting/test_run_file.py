"""What is written is read; what is another thing, or an older one, is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import FileMissingError, SettingsError
from core.settings import Settings
from core.span import Span
from evaluation.gold import EvidencePiece, GoldCase
from evaluation.passage import Place
from evaluation.reporting.recording import (
    envelope,
    excerpt,
    figures_of,
    hash_of,
    shown_of,
    sizes_of,
    worst_of,
)
from evaluation.reporting.run_file import read_run, runs_in, write_run
from evaluation.run_stamp import RunStamp, run_stamp
from tests.evaluation.reporting.written_runs import SHOWN, case, retrieval_cases, run, system


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = run(system([case(1, "rerank", shown=SHOWN, whole=0.5)], facts={"build_s": 1.5}, sizes={"25": 3}))
    path = write_run(tmp_path, made)
    assert path.name == "retrieval.run.json"
    assert read_run(path) == made
    write_run(tmp_path, run(system([case(1, recall=1.0)]), kind="answers"))
    assert [one.kind for one in runs_in([tmp_path])] == ["answers", "retrieval"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"version": 2}, "version"),
        ({"format": "other"}, "format"),
        ({"extra": 1}, "extra"),
        (
            {"systems": [{"set": "own", "name": "ours", "figures": {}, "cases": [{"id": 7}]}]},
            "systems.0.cases.0.id",
        ),
    ],
)
def test_another_form_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, object], where: str
) -> None:
    path = write_run(tmp_path, run(system([case(1, whole=1.0)])))
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(SettingsError, match=where):
        read_run(path)


def test_no_file_and_no_run_in_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.run.json", tmp_path):
        with pytest.raises(FileMissingError):
            runs_in([path])


def test_the_envelope_tells_what_the_run_was_made_with() -> None:
    stamp = RunStamp(commit="abc+", date="d", version="1", cores=2, machine="m", python="p")
    settings = Settings(retrieval={"passages": 4})  # type: ignore[arg-type]
    made = envelope("gate", stamp, settings, "hashing", [], [], {"half": "test"})
    assert (made.made.commit, made.made.changed) == ("abc", True)
    assert made.settings == {"retrieval.passages": 4} and made.options == {"half": "test"}
    plain = envelope("gate", stamp, Settings(), "hashing", [], [])
    assert (
        made.fingerprint
        != plain.fingerprint
        == envelope("gate", stamp, Settings(), "hashing", [], []).fingerprint
    )
    assert run_stamp().date.endswith("+00:00")


def test_the_hash_is_of_names_and_bytes_and_their_order(tmp_path: Path) -> None:
    one, two = tmp_path / "a", tmp_path / "b"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    assert hash_of([one, two]) == hash_of([one, two]) != hash_of([two, one])
    before = hash_of([one])
    one.write_bytes(b"2")
    assert hash_of([one]) not in (before, hash_of([two]))


def test_figures_are_of_the_cases_that_have_them() -> None:
    found = figures_of([case(1, a=1.0), case(2, a=0.0, b=1.0), case(3)])
    assert (found["a"].value, found["a"].cases) == (0.5, 2)
    assert (found["b"].value, found["b"].low, found["b"].cases) == (1, 1, 1)
    assert sizes_of([0, 24, 25, 99, 60]) == {"0": 2, "25": 1, "50": 1, "75": 1}


def test_the_worst_cases_are_of_every_stage() -> None:
    cases = [*retrieval_cases([0.0] * 30), case(99, "parser", whole=0.9)]
    chosen = worst_of(cases, lambda one: one.scores["whole"])
    assert "q99" in chosen and len(chosen) == 12
    assert worst_of(retrieval_cases([1.0]), lambda one: 0) == set()


def test_a_long_passage_is_cut_around_its_evidence() -> None:
    text = "a" * 3000 + "EVIDENCE" + "b" * 3000
    evidence = [Place("d", Span(3000, 3008)), Place("other", Span(0, 5))]
    found = excerpt(Place("d", Span(100, 6000)), evidence, text)
    ((start, end),) = found.marks
    assert found.text[start:end] == "EVIDENCE" and len(found.text) == 1200
    assert text[found.start : found.start + 1200] == found.text
    late = excerpt(Place("d", Span(2000, 6000)), [Place("d", Span(5990, 6000))], text)
    assert late.text == text[4800:6000] and late.marks == ((1190, 1200),)
    assert excerpt(Place("d", Span(0, 50)), evidence, text).marks == ()


def test_a_case_is_shown_with_the_words_of_the_gold_where_no_place_is_known() -> None:
    paged = GoldCase(
        id="1",
        question="?",
        answer=["a", ["b", "c"]],
        evidence=(EvidencePiece(doc="d", text=["x", "y"], page=2),),
    )
    shown = shown_of(paged, (), (), lambda doc: "")
    assert shown.answer == "a; b / c" and shown.evidence[0].text == "x … y" and shown.returned == ()
