"""ragas as a judge of answers: faithfulness, answer relevancy and context recall, by the configured chat model."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import math
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, Protocol

from core.errors import MissingExtraError
from core.protocols import Embedder

INSTALL: Final = "pip install 'youju[eval]'"
FIGURES: Final = ("faithfulness", "answer_relevancy", "context_recall")
_INSTRUCTION: Final = (
    "You judge answers of a question answering program. Reply with the JSON that is asked for, alone."
)
# Gone from langchain-community since 0.4; ragas 0.3.1, the newest that goes with openai 3, imports it for a list of names.
_GONE: Final = ("langchain_community.chat_models.vertexai", "ChatVertexAI")


class Model(Protocol):
    """The part of ``core.chat.model.ChatModel`` that is used."""

    def decide(self, instruction: str, data: str) -> str:
        """The whole reply. Raises ``ChatModelError``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer. An empty ``answer`` is a refusal, an empty ``reference`` no known right answer."""

    question: str
    answer: str
    contexts: tuple[str, ...]
    reference: str


class RagasJudge:
    """Asks the model through ragas; what was asked before comes from the model's cache.

    Raises ``MissingExtraError`` where ragas is not installed. Its reports of use to its makers are switched off.
    Source of the figures: Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", 2023.
    """

    def __init__(self, model: Model, embedder: Embedder) -> None:
        try:
            with _importable():
                self._schema = importlib.import_module("ragas.dataset_schema")
                metrics = importlib.import_module("ragas.metrics")
                self._unread = importlib.import_module("ragas.exceptions").RagasException
                llm, vectors = _llm(model), _vectors(embedder)
        except ImportError as exc:
            raise MissingExtraError(name="ragas", install=INSTALL) from exc
        self._metrics: dict[str, Any] = {
            "faithfulness": metrics.Faithfulness(llm=llm),
            # A model that is asked the same gives the same: one question for an answer.
            "answer_relevancy": metrics.ResponseRelevancy(llm=llm, embeddings=vectors, strictness=1),
            "context_recall": metrics.LLMContextRecall(llm=llm),
        }

    def scores(self, sample: Sample) -> dict[str, float]:
        """Each 0..1 (a relevancy may be less); what does not apply, or got no usable reply, is left out.

        Raises ``ChatModelError``.
        """
        names = [name for name in FIGURES if _applies(name, sample)]
        return asyncio.run(self._judged(names, sample))

    async def _judged(self, names: Sequence[str], sample: Sample) -> dict[str, float]:
        row = self._schema.SingleTurnSample(
            user_input=sample.question,
            response=sample.answer,
            retrieved_contexts=list(sample.contexts),
            reference=sample.reference,
        )
        found = await asyncio.gather(*(self._score(name, row) for name in names))
        return {name: value for name, value in zip(names, found, strict=True) if not math.isnan(value)}

    async def _score(self, name: str, row: Any) -> float:
        try:
            # What calls this in ragas also makes a lasting id of the user, for reports of use.
            return float(await self._metrics[name]._single_turn_ascore(row, callbacks=[]))
        except self._unread:
            return math.nan


def _applies(name: str, sample: Sample) -> bool:
    if name == "context_recall":
        return bool(sample.reference and sample.contexts)
    return bool(sample.answer and (sample.contexts or name == "answer_relevancy"))


@contextmanager
def _importable() -> Iterator[None]:
    """What ragas wants of its surroundings while it is imported."""
    os.environ.setdefault("RAGAS_DO_NOT_TRACK", "true")
    name, member = _GONE
    stands_in = importlib.util.find_spec("ragas") is not None and importlib.util.find_spec(name) is None
    if stands_in:
        module: Any = ModuleType(name)
        setattr(module, member, type(member, (), {}))
        sys.modules[name] = module
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if stands_in:
            del sys.modules[name]


def _llm(model: Model) -> Any:
    """The chat model as ragas calls one: our own retries, cache and errors, none of its."""
    from langchain_core.outputs import Generation, LLMResult

    base: Any = importlib.import_module("ragas.llms").BaseRagasLLM

    class Llm(base):  # type: ignore[misc]
        def is_finished(self, response: Any) -> bool:
            return True

        def generate_text(self, prompt: Any, n: int = 1, **options: Any) -> Any:
            text = model.decide(_INSTRUCTION, prompt.to_string())
            return LLMResult(generations=[[Generation(text=text)] * n])

        async def agenerate_text(self, prompt: Any, n: int = 1, **options: Any) -> Any:
            return await asyncio.to_thread(self.generate_text, prompt, n)

    made: Any = Llm()
    made.set_run_config(importlib.import_module("ragas.run_config").RunConfig(max_retries=1))
    return made


def _vectors(embedder: Embedder) -> Any:
    """Our embedder as ragas calls one; what it compares are questions."""
    base: Any = importlib.import_module("ragas.embeddings").BaseRagasEmbeddings

    class Vectors(base):  # type: ignore[misc]
        def embed_query(self, text: str) -> list[float]:
            return self.embed_documents([text])[0]

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = embedder.queries(texts).tolist()
            return vectors

        async def aembed_query(self, text: str) -> list[float]:
            return self.embed_query(text)

        async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
            return self.embed_documents(texts)

    return Vectors()
