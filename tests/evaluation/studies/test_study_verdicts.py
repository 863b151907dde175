"""What is called better: hand-made points, and tallies that chance makes."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.errors import UnknownNameError
from evaluation.chunkers import spec_of
from evaluation.intervals import Interval
from evaluation.studies.blend import blend_design, weights_of
from evaluation.studies.designs import STUDIES, Curve, Design
from evaluation.studies.plot import Mark, study_svg
from evaluation.studies.points import Point, SetPoints, together
from evaluation.studies.report import Study, report_of, sentences_of, tables_of
from evaluation.studies.sweeps import design_of
from evaluation.studies.verdicts import LEVEL, chance_of_gain, verdict
from retrieval.rerankers.builtin import blend


def point(label: str, values: list[float], *, curve: str = "c", shipped: bool = False) -> Point:
    scores = {str(at): value for at, value in enumerate(values)}
    return Point(
        curve=curve, label=label, spec=label, is_shipped=shipped, scores=scores, facts={"chunks": 2.0}
    )


SHIPPED = point("a", [0.0] * 8 + [1.0] * 8, shipped=True)
BETTER = point("b", [1.0] * 16)
WORSE = point("c", [0.0] * 16)


def test_better_beyond_noise() -> None:
    found = verdict([SHIPPED, BETTER, WORSE], SHIPPED)
    assert found.best is BETTER and found.is_certain
    assert found.gain.mean == 0.5 and found.gain.low > 0
    # Eight of eight that differ, all better, twice for two tries.
    assert found.chance == pytest.approx(2 / 2**8)
    assert found.worse == (SHIPPED, WORSE) and found.level == ()


def test_a_certain_gain_may_be_too_small_to_matter() -> None:
    tiny = point("b", [value + 0.001 for value in SHIPPED.scores.values()])
    found = verdict([SHIPPED, tiny], SHIPPED)
    assert found.is_certain and not found.matters
    assert verdict([SHIPPED, BETTER], SHIPPED).matters


def test_a_few_questions_are_noise() -> None:
    barely = point("b", [1.0] * 3 + [0.0] * 5 + [1.0] * 8)
    found = verdict([SHIPPED, barely], SHIPPED)
    assert found.best is barely and not found.is_certain
    assert found.chance == pytest.approx(1 / 2**3) and found.level == (SHIPPED,)


def test_what_is_shipped_stays_when_nothing_is_higher() -> None:
    found = verdict([point("b", list(SHIPPED.scores.values())), SHIPPED, WORSE], SHIPPED)
    assert found.best is SHIPPED and found.chance == 1 and not found.is_certain
    assert found.gain.mean == 0


def test_every_further_try_makes_a_gain_less_sure() -> None:
    assert chance_of_gain(SHIPPED, BETTER, 10) == pytest.approx(5 * chance_of_gain(SHIPPED, BETTER, 2))
    assert chance_of_gain(SHIPPED, BETTER, 10**6) == 1


def test_of_values_that_are_alike_one_is_seldom_called_better() -> None:
    """The chance of a false recommendation stays at the level, however many values are tried."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(30):
        points = [
            point(str(n), rng.integers(0, 2, 13).astype(float).tolist(), shipped=n == 0) for n in range(5)
        ]
        wrong += verdict(points, points[0]).is_certain
    assert wrong / 30 <= LEVEL + 0.05


def test_sets_together_hold_every_question() -> None:
    one = SetPoints(name="one", points=(SHIPPED, BETTER))
    two = SetPoints(name="two", points=(SHIPPED, point("b", [0.0] * 16)))
    both = together([one, two], "all")
    assert len(both.points[1].scores) == 32 and both.points[1].mean == 0.5
    assert both.points[1].facts == {"chunks": 2.0}


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "best is b (1.000), +0.500"), ("zh", "最好的是 b（1.000）")],
)
def test_the_sentence_says_what_to_do(language: str, said: str) -> None:
    curve = Curve(name="c", base="x", values={"a": "", "b": "k=2", "c": "k=3"}, shipped="a")
    design = Design(kind="chunks", curves=(curve,), figure="recall", curves_compare=False)
    found = SetPoints(name="set", points=(SHIPPED, BETTER, WORSE))
    study = Study.of("similarity", design, "recall", [found], {}, "model")
    (sentence,) = sentences_of(study, found, language)
    assert said in sentence and ("beyond noise" in sentence or "超出噪声" in sentence)
    table = tables_of(study, language)
    assert table.count("\n| c |") == 3 and "[" in table
    verdicts = report_of(study)["sets"][0]["verdicts"]  # type: ignore[index]
    assert verdicts[0]["best"] == "b" and verdicts[0]["beyond_noise"] and verdicts[0]["worse"] == ["a", "c"]


def test_the_shipped_values_are_what_the_settings_ship() -> None:
    """Each curve's shipped label sets nothing, or sets what is the default."""
    from core.settings import ChunkingSettings, RetrievalSettings

    for design in STUDIES.values():
        groups = {"chunks": ChunkingSettings(), "search": RetrievalSettings()}
        for curve in design.curves:
            assert curve.shipped in curve.values and "," not in curve.name, (
                "names are written with commas between"
            )
            if not curve.values[curve.shipped]:
                continue
            name, _, value = curve.values[curve.shipped].partition("=")
            usual = getattr(groups[design.kind], name.removeprefix("retrieval."))
            if usual != float(value):
                pytest.fail(f"{curve.name}: {name} is {usual}, not {value}")


def test_every_value_is_a_setting_that_validates() -> None:
    from core.settings import Settings
    from evaluation.chunkers import OwnChunker
    from evaluation.retrieval.variants import variant_of
    from evaluation.vector_cache import MeasuredEmbedder  # noqa: F401 - the type of what is passed
    from ingest.workspace import make_embedder

    settings = Settings(embedding={"name": "hashing"})  # type: ignore[arg-type]
    embedder = make_embedder(settings)
    for design in STUDIES.values():
        for curve in design.curves:
            for label in curve.values:
                if design.kind == "search":
                    variant_of(curve.spec(label), settings)
                else:
                    OwnChunker(spec_of(curve.spec(label), "--x"), settings, embedder)  # type: ignore[arg-type]


def test_weights_of_a_blend_add_up_and_order_anew() -> None:
    design = blend_design()
    shipped = blend().weights
    for curve in design.curves:
        assert weights_of(curve.spec(curve.shipped)) == pytest.approx(shipped)
        without = weights_of(curve.spec("0"))
        assert without[curve.name] == 0 and sum(without.values()) == pytest.approx(sum(shipped.values()))
    assert design_of("blend", ["whole"]).curves[0].values == {
        f"{shipped['whole'] * factor:g}": f"whole={shipped['whole'] * factor:g}" for factor in (0, 0.5, 1, 2)
    }


def test_curves_by_name() -> None:
    assert [curve.name for curve in design_of("similarity", ["valley"]).curves] == ["valley"]
    with pytest.raises(UnknownNameError):
        design_of("similarity", ["hill"])
    with pytest.raises(UnknownNameError):
        design_of("colour")


def test_the_drawing_shows_every_value_on_one_scale() -> None:
    def mark(value: float, *, shipped: bool = False) -> Mark:
        figure = Interval(value=value, low=value - 0.1, high=value + 0.1)
        return Mark(label=f"v<{value}", figure=figure, is_shipped=shipped)

    svg = study_svg("a & b", [("one", [mark(0.2, shipped=True), mark(0.6)]), ("two", [mark(0.4)])], "bars")
    heights = [float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"', svg)]
    assert heights[1] < heights[2] < heights[0], "higher is better is higher"
    assert svg.count('fill="#c2570c"') == 1 and "a &amp; b" in svg and "v&lt;0.2" in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
