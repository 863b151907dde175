"""What is worse beyond noise is said with its cases and stages; runs over different data are not compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import SettingsError
from evaluation.cli import main
from evaluation.comparing.compare import SURE, FigureChange, compared
from evaluation.comparing.texts import comparison_text
from evaluation.reporting.run_file import write_run
from tests.evaluation.reporting.written_runs import case, retrieval_cases, run, system

GOOD = [1.0] * 20
BAD = [1.0] * 12 + [0.0] * 8


def test_eight_losses_are_worse_and_their_stage_is_named() -> None:
    (one,) = compared([run(system(retrieval_cases(GOOD)))], [run(system(retrieval_cases(BAD, "fusion")))])
    whole = next(change for change in one.changes if change.figure == "whole")
    assert whole.verdict == -1 and one.is_worse
    assert whole.difference.mean == pytest.approx(-0.4) and whole.p == pytest.approx(2 / 2**8)
    assert [change.id for change in whole.worse] == [f"q{n}" for n in range(12, 20)] and whole.better == ()
    assert {change.stage for change in whole.worse} == {"fusion"}
    unchanged = next(change for change in one.changes if change.figure == "hit@1")
    assert (unchanged.verdict, unchanged.p) == (0, 1)


def test_many_figures_together_ask_for_more() -> None:
    """Eight losses of eight stand among two sets; six do not among ten, though they would alone."""

    def of(losses: int, sets: int) -> list[FigureChange]:
        worse = [1.0] * (20 - losses) + [0.0] * losses
        names = [f"set{n}" for n in range(sets)]
        data = dict.fromkeys(names, "1")
        before = run(*(system(retrieval_cases(GOOD), set_=name) for name in names), data=data)
        now = run(
            *(system(retrieval_cases(GOOD if n else worse), set_=name) for n, name in enumerate(names)),
            data=data,
        )
        found = compared([before], [now])
        changes = found[0].changes
        shown = comparison_text([before], [now], found, "en")
        assert ("stands (p < 0.05) when adjusted" in shown) and ("nothing." in shown) is (losses == 6)
        return [change for change in changes if change.figure == "whole"]

    (eight,), (six,) = of(8, 2), of(6, 10)
    assert (eight.verdict, eight.stands) == (-1, True)
    assert (six.verdict, six.stands) == (-1, False)
    assert eight.p < eight.p_holm < SURE < six.p_holm


def test_three_losses_are_noise_and_gains_are_better() -> None:
    few = [1.0] * 17 + [0.0] * 3
    (one,) = compared([run(system(retrieval_cases(GOOD)))], [run(system(retrieval_cases(few)))])
    assert not one.is_worse and all(change.verdict == 0 for change in one.changes)
    (one,) = compared([run(system(retrieval_cases(BAD, "fusion")))], [run(system(retrieval_cases(GOOD)))])
    whole = next(change for change in one.changes if change.figure == "whole")
    assert whole.verdict == 1 and whole.better[0].stage == "fusion" and not one.is_worse


def test_less_is_better_for_what_should_be_small_and_nothing_is_for_sizes() -> None:
    def of(share: float) -> list[object]:
        return [run(system([case(n, empty=share, chars=1000 * (1 + share)) for n in range(12)]))]

    (one,) = compared(of(0.0), of(1.0))  # type: ignore[arg-type]
    verdicts = {change.figure: change.verdict for change in one.changes}
    assert verdicts == {"empty": -1, "chars": 0} and one.is_worse


def test_only_cases_of_both_are_compared() -> None:
    (one,) = compared([run(system(retrieval_cases(GOOD)))], [run(system(retrieval_cases(GOOD[:15])))])
    assert (one.only_before, one.only_now, one.changes[0].cases) == (5, 0, 15)


def test_other_data_is_refused() -> None:
    before, now = (
        run(system(retrieval_cases(GOOD)), sha256="a"),
        run(system(retrieval_cases(GOOD)), sha256="b"),
    )
    with pytest.raises(SettingsError, match="documents of own"):
        compared([before], [now])
    with pytest.raises(SettingsError, match="in common"):
        compared([before], [run(system(retrieval_cases(GOOD)), kind="answers", sha256="a")])
    # Sentences of several sets in one half: all of them must be the same.
    halves = [system([case(1, right=1.0)], set_="test")]
    first = run(*halves, kind="verify", data={"x": "1", "y": "2"})
    with pytest.raises(SettingsError, match="documents of y"):
        compared([first], [run(*halves, kind="verify", data={"x": "1"})])
    assert compared([first], [first])


def test_two_systems_of_one_run() -> None:
    both = [run(system(retrieval_cases(GOOD)), system(retrieval_cases(BAD), "peer"))]
    (one,) = compared(both, both, ("ours", "peer"))
    assert (one.before, one.now, one.is_worse) == ("ours", "peer", True)


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "变差且超出噪声：整题"), ("en", "Worse beyond noise: whole")]
)
def test_the_text_says_it_in_both_languages(language: str, said: str) -> None:
    before, now = [run(system(retrieval_cases(GOOD)))], [run(system(retrieval_cases(BAD, "fusion")))]
    shown = comparison_text(before, now, compared(before, now), language)
    assert "abc123def456 2026-11-30T08:00:00+00:00, retrieval.passages=4" in shown
    assert said in shown and "[fusion]" in shown and "Question 12?" in shown and "fusion 8" in shown
    assert said not in comparison_text(before, before, compared(before, before), language)


def test_the_command_fails_when_asked_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", run(system(retrieval_cases(GOOD))))
    write_run(tmp_path / "b", run(system(retrieval_cases(BAD))))
    sides = [str(tmp_path / "a"), str(tmp_path / "b" / "retrieval.run.json")]
    assert main(["compare", *sides]) == 0
    assert main(["compare", *sides, "--fail-on-worse"]) == 1
    assert main(["compare", *sides[::-1], "--fail-on-worse"]) == 0
    capsys.readouterr()
    assert main(["compare", *sides, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["compared"]
    assert one["is_worse"] and one["changes"][0]["figure"] == "whole"
