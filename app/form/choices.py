"""What can be chosen on this machine, and what is taken when nobody chooses."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from core.registry import REGISTRY
from core.settings import Settings

# The most that one question reads, however much fits the token budget.
_MOST_PASSAGES: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Names of the registry, and for each kind the one that is set."""

    methods: tuple[str, ...]
    method: str
    rerankers: tuple[str, ...]
    reranker: str
    strategies: tuple[str, ...]
    strategy: str
    strict: bool
    expand: bool
    passages: int
    most_passages: int
    has_model: bool


def choices_of(settings: Settings) -> Choices:
    """What these settings and this machine allow."""
    has_model, retrieval = settings.has_chat_model, settings.retrieval
    strategy = settings.chunking.strategy
    return Choices(
        methods=tuple(name for name in REGISTRY["answerer"] if has_model or name == "extractive"),
        method=settings.answer.method or ("llm" if has_model else "extractive"),
        rerankers=tuple(name for name in REGISTRY["reranker"] if _can_rerank(name, settings)),
        reranker=retrieval.reranker,
        strategies=tuple(REGISTRY["splitter"]),
        strategy=strategy,
        strict=settings.answer.strict,
        expand=retrieval.expand,
        passages=retrieval.passages,
        most_passages=max(_MOST_PASSAGES, retrieval.passages),
        has_model=has_model,
    )


def _can_rerank(name: str, settings: Settings) -> bool:
    """Whether a reranker works without anything being fetched or set first."""
    options = settings.retrieval
    if name == options.reranker:
        return True
    match name:
        case "api":
            return bool(options.reranker_url)
        case "llm":
            return settings.has_chat_model
        case "cross-encoder":
            # A model of another name would be fetched in the middle of a question.
            there = Path(options.reranker_model).expanduser().is_dir()
            return there and find_spec("sentence_transformers") is not None
    return True
