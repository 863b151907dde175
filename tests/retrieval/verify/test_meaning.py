"""What words cannot tell: other languages, paraphrases, and the chat model's opinion."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.errors import ChatModelError, EmbeddingError
from core.protocols import Vectors
from core.verdict import Aspect, Verdict
from ingest.calibration import Calibration, LanguageScale
from retrieval.verify.judge import Judge
from retrieval.verify.meaning import Meaning
from retrieval.verify.verifier import Verifier
from tests.retrieval.verify.sources import evidence_of

SOURCE = "租赁期限不得超过二十年。承租人应当按照约定的方法使用租赁物。"


class ByTopic:
    """An embedder that knows two topics in both languages."""

    fingerprint, dimension, max_tokens = "topics", 3, 512

    def count(self, texts: list[str]) -> list[int]:
        return [1] * len(texts)

    def passages(self, texts: list[str]) -> Vectors:
        if any("fails" in text for text in texts):
            raise EmbeddingError(name="topics", reason="down")
        topics = [("期限", "lease"), ("方法", "way")]
        rows = [[float(any(word in text for word in words)) for words in topics] + [0.1] for text in texts]
        vectors = np.asarray(rows, dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    queries = passages


def verifier() -> Verifier:
    scale = LanguageScale(
        texts=1, question_mean=(0.0,) * 3, passage_mean=(0.0,) * 3, random_pair=0.0, near_copy=1.0
    )
    calibration = Calibration(fingerprints=("topics",), source="test", languages={"zh": scale, "en": scale})
    return Verifier(Meaning(ByTopic(), calibration))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sentence", "verdict", "aspects"),
    [
        ("A lease may not be longer than twenty years.", Verdict.SUPPORTED, []),
        ("A lease may not be longer than thirty years.", Verdict.UNSUPPORTED, [Aspect.NUMBER]),
        ("A lease may be longer than twenty years.", Verdict.PARTLY, [Aspect.MEANING]),
        ("The tenant must use it in the agreed way.", Verdict.PARTLY, [Aspect.MEANING]),
        ("Whales are mammals.", Verdict.UNSUPPORTED, [Aspect.WORDS]),
    ],
)
def test_over_another_language_values_and_meaning_decide(
    sentence: str, verdict: Verdict, aspects: list[Aspect]
) -> None:
    found = verifier().check(sentence, (0,), evidence_of(SOURCE))
    assert found.verdict is verdict
    assert [reason.aspect for reason in found.reasons] == aspects


def test_without_an_embedder_another_language_is_not_carried_by_words() -> None:
    found = Verifier().check("A lease may not be longer than twenty years.", (0,), evidence_of(SOURCE))
    assert found.verdict is Verdict.UNSUPPORTED


def test_an_embedder_that_fails_leaves_the_verdict_to_the_words() -> None:
    found = verifier().check("This fails to be a lease.", (0,), evidence_of(SOURCE))
    assert found.verdict is Verdict.UNSUPPORTED


class Says:
    """A chat model with one reply."""

    def __init__(self, reply: str | None) -> None:
        self.reply, self.asked = reply, 0

    def decide(self, instruction: str, data: str) -> str:
        self.asked += 1
        assert json.loads(data)["source"] in SOURCE
        if self.reply is None:
            raise ChatModelError(name="m", reason="down")
        return self.reply


PARTLY = "租赁期限二十年。"


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"verdict": "unsupported", "why": "缺少“不得超过”"}', Verdict.UNSUPPORTED),
        ('```json\n{"verdict": "supported", "why": ""}\n```', Verdict.SUPPORTED),
        ('{"verdict": "partly", "why": "x"}', Verdict.PARTLY),
        ("I think so", Verdict.PARTLY),
        ('{"verdict": "maybe"}', Verdict.PARTLY),
        ("", Verdict.PARTLY),
        (None, Verdict.PARTLY),
    ],
)
def test_the_judge_decides_what_is_partly_carried_or_changes_nothing(
    reply: str | None, verdict: Verdict
) -> None:
    model = Says(reply)
    found = Verifier(judge=Judge(model)).check(PARTLY, (0,), evidence_of(SOURCE))
    assert (found.verdict, model.asked) == (verdict, 1)
    assert (found.reasons[0].aspect is Aspect.JUDGE) == (verdict is not Verdict.PARTLY)


def test_the_judge_is_not_asked_about_the_rest() -> None:
    model = Says(None)
    for sentence in ("租赁期限不得超过二十年", "月亮是奶酪做的"):
        Verifier(judge=Judge(model)).check(sentence, (0,), evidence_of(SOURCE))
    assert model.asked == 0
