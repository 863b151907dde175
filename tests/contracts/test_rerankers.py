"""Rerankers: finite scores, one a text; a failing one changes nothing but says so."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

from core.errors import ModelError
from core.protocols import Reranker, Signals
from core.registry import REGISTRY, resolve
from core.settings import Settings
from retrieval.knowledge_base import KnowledgeBase
from retrieval.rerankers.cross_encoder import CrossEncoderReranker
from tests.rerank_endpoint import RerankEndpoint
from tests.scripted_openai import serving


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny cross-encoder with random weights, saved as a real one is."""
    folder = tmp_path_factory.mktemp("cross-encoder")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz", *"年休假病"]
    (folder / "vocab.txt").write_text("\n".join(words), "utf-8")
    tokenizer = BertTokenizerFast(vocab=str(folder / "vocab.txt"))
    tokenizer.save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, num_labels=1,
    )  # fmt: skip
    torch.manual_seed(7)
    # Wide enough that texts differ, as a trained model's scores do.
    config.initializer_range = 1.0
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def reranker(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    return made(model_folder, tmp_path_factory.mktemp("home"))


def made(model: Path, home: Path, **options: object) -> CrossEncoderReranker:
    retrieval = {"reranker": "cross-encoder", "reranker_model": str(model), "reranker_device": "cpu"}
    chosen = {"reranker_precision": "float32", **options}
    return CrossEncoderReranker(Settings(home=home, retrieval={**retrieval, **chosen}))  # type: ignore[arg-type]


TEXTS = [
    " ".join("abcdefgh"[i % 8] * (1 + i // 8 % 3) + " 年休假" * (i % 5) + " xyz"[: i % 4]) for i in range(32)
]


@pytest.fixture(params=sorted(REGISTRY["reranker"]))
def any_reranker(
    request: pytest.FixtureRequest, settings: Settings, model_folder: Path
) -> Iterator[Reranker]:
    """Every row of the registry, with what it needs: a folder, an endpoint or a chat model."""

    def backwards(asked: dict[str, object]) -> str:
        count = len(json.loads(asked["messages"][1]["content"])["passages"])  # type: ignore[index]
        return json.dumps({"order": list(range(count, 0, -1))})

    with RerankEndpoint() as endpoint, serving(backwards) as chat:
        options = settings.retrieval.model_copy(
            update={
                "reranker": request.param,
                "reranker_model": str(model_folder),
                "reranker_device": "cpu",
                "reranker_url": endpoint.url,
            }
        )
        changed = {
            "retrieval": options,
            "openai_base_url": chat.url,
            "chat": settings.chat.model_copy(update={"model": "m"}),
        }
        yield resolve("reranker", request.param)(settings.model_copy(update=changed))


def test_every_reranker_gives_one_finite_score_a_text(any_reranker: Reranker) -> None:
    assert any_reranker.rerank("年休假", []) == []
    for texts in (["年休假"], ["", "a b", "年休假"], TEXTS, ["同", "同"]):
        scores = any_reranker.rerank("年休假", texts)
        assert len(scores) == len(texts)
        assert all(isinstance(score, float) and math.isfinite(score) for score in scores)


def test_every_reranker_says_the_same_twice_and_from_many_threads(any_reranker: Reranker) -> None:
    first = any_reranker.rerank("年休假", TEXTS[:6])
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda _: any_reranker.rerank("年休假", TEXTS[:6]), range(6)))
    assert all(scores == pytest.approx(first, abs=1e-6) for scores in again)


def with_reranker(settings: Settings, model: str) -> Settings:
    retrieval = settings.retrieval.model_copy(update={"reranker": "cross-encoder", "reranker_model": model})
    return settings.model_copy(update={"retrieval": retrieval})


def test_a_cross_encoder_gives_one_finite_score_a_text(settings: Settings, model_folder: Path) -> None:
    reranker = resolve("reranker", "cross-encoder")(with_reranker(settings, str(model_folder)))
    scores = reranker.rerank("年休假", ["年休假", "病假", ""])
    assert len(scores) == 3
    assert all(isinstance(score, float) and abs(score) < 1e6 for score in scores)
    assert reranker.rerank("年休假", []) == []


def test_a_search_with_it_says_so_in_the_trace(filled: KnowledgeBase, model_folder: Path) -> None:
    base = KnowledgeBase(with_reranker(filled.settings, str(model_folder)))
    result = base.search("病假需要什么条件")
    assert "rerank" in [step.name for step in result.trace]
    assert result.passages


def test_a_model_that_is_not_there_is_said_when_it_is_needed(settings: Settings) -> None:
    reranker = resolve("reranker", "cross-encoder")(with_reranker(settings, "/nowhere/model"))
    with pytest.raises(ModelError) as caught:
        reranker.rerank("q", ["a"])
    assert "/nowhere/model" in caught.value.message("zh")


@pytest.fixture(scope="module")
def alone(reranker: Reranker) -> list[float]:
    return [reranker.rerank("年休假", [text])[0] for text in TEXTS]


@pytest.mark.parametrize("size", [2, 7, 32])
def test_each_score_belongs_to_its_text_whatever_stands_beside_it(
    reranker: Reranker, alone: list[float], size: int
) -> None:
    """B53: scores stay aligned with their texts; ``alone`` is size 1."""
    together = [
        score
        for start in range(0, 32, size)
        for score in reranker.rerank("年休假", TEXTS[start : start + size])
    ]
    assert together == pytest.approx(alone, abs=1e-5)
    assert reranker.rerank("年休假", TEXTS[::-1]) == pytest.approx(alone[::-1], abs=1e-5)
    assert max(alone) - min(alone) > 0.01


@pytest.mark.parametrize("activation", ["Sigmoid", "Identity"])
def test_scores_are_ordered_as_the_models_own_and_mapped_the_same(
    model_folder: Path, tmp_path: Path, activation: str, reranker: Reranker
) -> None:
    """Models that come with a sigmoid and those that give logits score alike."""
    copy = tmp_path / activation
    shutil.copytree(model_folder, copy)
    config = json.loads((copy / "config.json").read_text("utf-8"))
    config["sentence_transformers"] = {
        "activation_fn": f"torch.nn.modules.{_PLACES[activation]}.{activation}"
    }
    (copy / "config.json").write_text(json.dumps(config), "utf-8")
    scores = made(copy, tmp_path).rerank("年休假", TEXTS)
    assert scores == pytest.approx(reranker.rerank("年休假", TEXTS), abs=1e-6)
    assert all(0 < score < 1 for score in scores)
    own = CrossEncoder(str(copy), device="cpu").predict([("年休假", text) for text in TEXTS])
    assert np.allclose(1 / (1 + np.exp(-own)) if activation == "Identity" else own, scores, atol=1e-6)


def test_bfloat16_keeps_the_scores(model_folder: Path, tmp_path: Path, reranker: Reranker) -> None:
    half = made(model_folder, tmp_path, reranker_precision="bfloat16").rerank("年休假", TEXTS)
    full = reranker.rerank("年休假", TEXTS)
    assert half != full
    # Wide random weights round far worse than trained ones.
    assert np.corrcoef(half, full)[0, 1] > 0.98


def test_many_threads_load_once_and_agree(model_folder: Path, tmp_path: Path, reranker: Reranker) -> None:
    shared = made(model_folder, tmp_path)
    loads: list[int] = []
    load = shared._load

    def counted() -> object:
        loads.append(1)
        return load()

    shared._load = counted  # type: ignore[method-assign]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: shared.rerank("年休假", TEXTS), range(8)))
    assert len(loads) == 1
    assert all(scores == pytest.approx(reranker.rerank("年休假", TEXTS), abs=1e-6) for scores in found)


def test_models_of_another_kind_are_refused(model_folder: Path, tmp_path: Path) -> None:
    """B54: a plain encoder would be given a random last layer, a classifier has more than one score."""
    config = BertConfig.from_pretrained(model_folder)
    for name, model in (("encoder", BertModel(config)), ("labels", _with_labels(config, 3))):
        folder = tmp_path / name
        shutil.copytree(model_folder, folder)
        model.save_pretrained(folder)
        with pytest.raises(ModelError) as caught:
            made(folder, tmp_path).rerank("q", ["a"])
        assert "expected" in str(caught.value)


def test_scores_that_are_not_finite_are_refused(model_folder: Path, tmp_path: Path) -> None:
    model = BertForSequenceClassification.from_pretrained(model_folder)
    with torch.no_grad():
        model.classifier.bias.fill_(float("nan"))
    folder = tmp_path / "nan"
    shutil.copytree(model_folder, folder)
    model.save_pretrained(folder)
    with pytest.raises(ModelError):
        made(folder, tmp_path).rerank("q", ["a", "b"])


_PLACES = {"Sigmoid": "activation", "Identity": "linear"}


def _with_labels(config: BertConfig, labels: int) -> BertForSequenceClassification:
    return BertForSequenceClassification(BertConfig(**{**config.to_dict(), "num_labels": labels}))


class Broken:
    def rerank(self, question: str, texts: Sequence[str], signals: Sequence[Signals] = ()) -> list[float]:
        raise ModelError(name="broken", reason="scores are not finite")


def test_a_failing_reranker_falls_back_to_the_fused_order_and_says_so(filled: KnowledgeBase) -> None:
    expected = [p.text for p in filled.search("病假需要什么条件").passages]
    base = KnowledgeBase(with_reranker(filled.settings, "broken"))
    base.__dict__["reranker"] = Broken()
    answer = base.ask("病假需要什么条件")
    assert [p.text for p in answer.search.passages] == expected
    assert "note_reranker_failed" in answer.notes
