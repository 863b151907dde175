"""The chat model's part of ``youju doctor``: one real, streamed call, and what is known beside it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.doctor.faults import Called, Finding, Say, address, failed
from core.answer import Usage
from core.chat.known_models import AS_OF
from core.chat.profiles import PROFILES, endpoint_of
from core.chat.usage import counted, money
from core.errors import ChatModelError
from core.settings import Settings

if TYPE_CHECKING:
    from core.chat.model import ChatModel

_SYSTEM = "Do exactly what is asked, without comment."
# Long enough to come in several parts where a server streams.
_TASK = "Write the numbers from 1 to 12 in digits, separated by commas."
# The prompt's own words, beside the passages.
_PROMPT_TOKENS = 400


def chat_findings(settings: Settings, model: ChatModel | None, say: Say) -> Iterator[Finding]:
    """What can be said of the configured chat model, after one call."""
    chat = settings.chat
    if model is None:
        if chat.profile:
            mend = say.text("mend_no_model", example=PROFILES[chat.profile].model)
            yield say(False, "chat_no_model", mend, profile=PROFILES[chat.profile].title)
        else:
            yield say(None, "chat_none")
        return
    endpoint = endpoint_of(settings)
    profile = endpoint.profile
    if profile and endpoint.is_own and profile.needs_key and not endpoint.key:
        mend = say.text("mend_key_missing", keys_at=profile.keys_at, variable=profile.key_variable)
        yield say(False, "key_missing", mend, name=chat.model, title=profile.title)
        return
    yield from _called(settings, model, say)


def _called(settings: Settings, model: ChatModel, say: Say) -> Iterator[Finding]:
    from core.chat.faults import reason_of

    arrivals: list[float] = []
    started = time.perf_counter()
    with counted() as calls:
        try:
            model.stream(_SYSTEM, _TASK, lambda text: arrivals.append(time.perf_counter() - started))
        except ChatModelError as exc:
            called = Called(
                kind="chat",
                name=model.name,
                endpoint=model.endpoint,
                key_variable=_key_variable(model),
                model_setting="YOUJU_CHAT__MODEL",
                timeout_setting="YOUJU_CHAT__TIMEOUT_S",
                timeout_s=settings.chat.timeout_s,
                offered=model.server.models,
            )
            reason = reason_of(exc.__cause__, model.endpoint.key) if exc.__cause__ else exc.details["reason"]
            yield failed(say, called, exc.fault, str(reason))
            return
    where = address(model.endpoint.base_url)
    yield say(True, "chat", name=model.name, address=where, seconds=f"{arrivals[0]:.1f}")
    yield say(True, "streams") if len(arrivals) > 1 else say(None, "streams_not")
    yield _usage(calls[0], say)
    yield _window(settings, model, say)
    yield _price(settings, model, say)


def _key_variable(model: ChatModel) -> str:
    profile = model.endpoint.profile
    return profile.key_variable if profile else "OPENAI_API_KEY"


def _usage(usage: Usage, say: Say) -> Finding:
    if usage.estimated:
        return say(None, "usage_not")
    return say(True, "usage", prompt=usage.prompt_tokens, completion=usage.completion_tokens)


def _window(settings: Settings, model: ChatModel, say: Say) -> Finding:
    window = model.window
    if window is None:
        return say(None, "window_unknown")
    answer, budget = settings.chat.max_answer_tokens, settings.retrieval.max_tokens
    if window.source == "assumed":
        source = say.text("window_assumed")
        return say(
            None, "window", say.text("mend_window_assumed"), tokens=f"{window.tokens:,}", source=source
        )
    if window.tokens < answer + budget + _PROMPT_TOKENS:
        mend = say.text("mend_window_small")
        return say(None, "window_small", mend, tokens=f"{window.tokens:,}", answer=answer, budget=budget)
    return say(True, "window", tokens=f"{window.tokens:,}", source=say.text(f"window_{window.source}"))


def _price(settings: Settings, model: ChatModel, say: Say) -> Finding:
    price, profile = model.price, model.endpoint.profile
    if price is None:
        return say(True, "price_local") if profile and profile.is_local else say(None, "price_unknown")
    stated = settings.chat.input_price is not None
    source = say.text("price_set") if stated else say.text("price_listed", as_of=AS_OF)
    shown = {"input": money(price.input, price.currency), "output": money(price.output, price.currency)}
    return say(True, "price", source=source, **shown)
