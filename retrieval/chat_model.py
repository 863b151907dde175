"""The chat model behind LangChain's interface: any OpenAI-compatible endpoint, streamed or asked once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import openai
from langchain.chat_models import init_chat_model
from langchain_core.caches import BaseCache
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage

from core.errors import ChatModelError, MissingExtraError
from core.settings import Settings


class ChatModel:
    """Thin and synchronous. Every failure is a ``ChatModelError`` with a reason a person understands."""

    def __init__(self, model: BaseChatModel, name: str, cache: BaseCache | None = None) -> None:
        self.name = name
        self._model = model
        # Decisions (rewriting, judging) are cached; answers are not.
        self._decider = model.model_copy(update={"cache": cache}) if cache is not None else model

    def decide(self, instruction: str, data: str) -> str:
        """The whole reply to a small task; the same task is asked once and then answered from the cache."""
        try:
            reply = self._decider.invoke([SystemMessage(instruction), HumanMessage(data)])
        except (openai.OpenAIError, ValueError) as exc:
            raise ChatModelError(name=self.name, reason=_reason(exc)) from exc
        return reply.text

    def stream(self, system: str, user: str, on_text: Callable[[str], None]) -> str:
        """The whole reply; each new part goes to ``on_text`` as it comes.

        Raises ``ChatModelError`` for a failed call, a cut stream, a reply that hit the length limit, and
        an empty reply. What ``on_text`` raises goes through.
        """
        parts: list[str] = []
        finish: Any = None
        stream = self._model.stream([SystemMessage(system), HumanMessage(user)])
        while True:
            try:
                chunk = next(stream, None)
            except (openai.OpenAIError, ValueError, OSError) as exc:
                raise ChatModelError(name=self.name, reason=_reason(exc)) from exc
            if chunk is None:
                break
            finish = chunk.response_metadata.get("finish_reason") or finish
            if chunk.text:
                parts.append(chunk.text)
                on_text(chunk.text)
        reply = "".join(parts)
        if not reply.strip():
            raise ChatModelError(name=self.name, reason="the reply was empty")
        if finish == "length":
            raise ChatModelError(name=self.name, reason="the reply hit the length limit")
        if finish is None:
            raise ChatModelError(name=self.name, reason="the reply broke off")
        return reply


def make_chat_model(settings: Settings) -> ChatModel | None:
    """The configured chat model, or ``None`` when none is set."""
    if not settings.has_chat_model:
        return None
    chat = settings.chat
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
    model = init_chat_model(
        chat.model,
        model_provider="openai",
        base_url=settings.openai_base_url or None,
        api_key=key,
        temperature=chat.temperature,
        timeout=chat.timeout_s,
        max_retries=chat.max_retries,
        max_tokens=chat.max_answer_tokens,
    )
    return ChatModel(model, chat.model, decision_cache(settings))


def decision_cache(settings: Settings) -> BaseCache | None:
    """Where model decisions are kept: SQLite under the home folder, a Redis URL, or nowhere."""
    where = settings.chat.cache
    if where == "none":
        return None
    if where.startswith(("redis://", "rediss://")):
        try:
            from langchain_community.cache import RedisCache
            from redis import Redis
        except ModuleNotFoundError as exc:
            raise MissingExtraError(name="redis", install="pip install redis") from exc
        return RedisCache(redis_=Redis.from_url(where))
    from langchain_community.cache import SQLiteCache

    settings.home.mkdir(parents=True, exist_ok=True)
    return SQLiteCache(database_path=str(settings.home / "decisions.db"))


def _reason(exc: Exception) -> str:
    """The first line of what went wrong, without keys."""
    if isinstance(exc, openai.APITimeoutError):
        return "it did not reply in time"
    if isinstance(exc, openai.APIConnectionError):
        return "it cannot be reached"
    if isinstance(exc, openai.AuthenticationError):
        return "the key was refused"
    if isinstance(exc, openai.RateLimitError):
        return "too many requests, or the quota is used up"
    return (str(exc).splitlines() or [type(exc).__name__])[0][:200]
