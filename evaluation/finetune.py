"""Fine-tuning an embedding model on topics of one's own: learn, judge before and after, keep as a folder.

After the article "semantic chunks" (002, 3.4): chunks marked as one topic belong together, chunks of
neighbouring topics apart; no question and no answer has to be written.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from core.errors import SettingsError
from core.protocols import Vectors
from evaluation.topic_groups import TopicGroup, held_back
from evaluation.topic_metrics import TopicFigures, topic_figures

LEAST_GROUPS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """``learning_rate`` is the peak, after a tenth of the steps; ``held_back`` the share judged by, 0..1."""

    epochs: int = 2
    batch_size: int = 16
    learning_rate: float = 2e-5
    held_back: float = 0.2
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Triplet:
    """Two texts of one topic; ``negative`` may be empty when the group has none."""

    anchor: str
    positive: str
    negative: str


class Trainable(Protocol):
    """A model that can learn."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised."""
        ...

    def learn(
        self, batches: Sequence[Sequence[Triplet]], recipe: Recipe, on_step: Callable[[int], None]
    ) -> None:
        """One contrastive step a batch; ``on_step`` hears the steps done."""
        ...

    def save(self, folder: Path) -> None:
        """The whole model under ``folder``, which did not exist."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Figures on the held-back groups."""

    before: TopicFigures
    after: TopicFigures
    learned_groups: int
    judged_groups: int
    steps: int

    def as_json(self) -> dict[str, object]:
        return {
            "before": self.before.as_json(),
            "after": self.after.as_json(),
            "learned_groups": self.learned_groups,
            "judged_groups": self.judged_groups,
            "steps": self.steps,
        }


def finetune(
    model: Trainable,
    groups: Sequence[TopicGroup],
    recipe: Recipe,
    out: Path,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Train, judge, and save the model with its figures (``youju.json``) as ``out``.

    Raises ``SettingsError`` when ``out`` exists or there are fewer than ``LEAST_GROUPS`` groups. When it
    is interrupted nothing is left at ``out``.
    """
    if out.exists():
        raise SettingsError(name="--out", reason=f"{out} exists already; name a new folder")
    if len(groups) < LEAST_GROUPS:
        reason = f"expected at least {LEAST_GROUPS} groups of two texts, got {len(groups)}"
        raise SettingsError(name="--groups", reason=reason)
    learned, judged = held_back(groups, recipe.held_back)
    before = topic_figures(judged, model.encode)
    batches = batches_of(learned, recipe)
    steps = recipe.epochs * len(batches)
    model.learn(batches, recipe, lambda done: on_step(done, steps))
    outcome = Outcome(
        before=before,
        after=topic_figures(judged, model.encode),
        learned_groups=len(learned),
        judged_groups=len(judged),
        steps=steps,
    )
    unfinished = out.with_name(f".{out.name}.unfinished")
    model.save(unfinished)
    (unfinished / "youju.json").write_text(json.dumps(outcome.as_json(), indent=1), "utf-8")
    unfinished.rename(out)
    return outcome


def batches_of(groups: Sequence[TopicGroup], recipe: Recipe) -> list[list[Triplet]]:
    """Triplets in batches in which no two are of one group, so that all others are true negatives.

    Each text is an anchor once an epoch, paired with another of its group. The same seed gives the same
    batches.
    """
    chosen = random.Random(recipe.seed)
    waiting = [(group, chosen.sample(group.texts, len(group.texts))) for group in groups]
    batches: list[list[Triplet]] = []
    while any(anchors for _, anchors in waiting):
        left = [item for item in waiting if item[1]]
        chosen.shuffle(left)
        # Groups with most texts left first: else the last batches would be of one group each.
        left.sort(key=lambda item: -len(item[1]))
        batches.append(
            [_triplet(group, anchors.pop(), chosen) for group, anchors in left[: recipe.batch_size]]
        )
    chosen.shuffle(batches)
    return batches


def _triplet(group: TopicGroup, anchor: str, chosen: random.Random) -> Triplet:
    others = [text for text in group.texts if text != anchor] or [anchor]
    negative = chosen.choice(group.negatives) if group.negatives else ""
    return Triplet(anchor=anchor, positive=chosen.choice(others), negative=negative)
