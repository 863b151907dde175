"""Rerankers: finite scores, one a text; a failing one changes nothing but says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

from core.errors import ModelError
from core.registry import resolve
from core.settings import Settings
from retrieval.knowledge_base import KnowledgeBase


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
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


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


def test_a_model_that_is_not_there_is_said(settings: Settings) -> None:
    with pytest.raises(ModelError):
        resolve("reranker", "cross-encoder")(with_reranker(settings, "/nowhere/model"))


class Broken:
    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        raise ModelError(name="broken", reason="scores are not finite")


def test_a_failing_reranker_falls_back_to_the_fused_order_and_says_so(filled: KnowledgeBase) -> None:
    expected = [p.text for p in filled.search("病假需要什么条件").passages]
    base = KnowledgeBase(with_reranker(filled.settings, "broken"))
    base.__dict__["reranker"] = Broken()
    answer = base.ask("病假需要什么条件")
    assert [p.text for p in answer.search.passages] == expected
    assert "note_reranker_failed" in answer.notes
