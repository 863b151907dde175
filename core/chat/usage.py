"""Counting what chat models take: tokens of a text, the calls of one question, and the line about them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from core.answer import Usage
from core.chat.known_models import Price
from core.messages import render

# Tokens of a character, without the model's tokenizer. Measured on windows of 3000 characters (Chinese
# statutes, CMRC, DRCD in traditional script, English articles), tokens a character in the mean:
#            cl100k  o200k  Qwen  DeepSeek  XLM-R
# Chinese     1.10    0.73   0.58    0.52    0.64   statutes
# Chinese     1.24    0.85   0.75    0.69    0.77   CMRC
# traditional 1.43    0.95   0.82    0.74    0.76   DRCD
# English     0.23    0.23   0.25    0.22    0.26
_TYPICAL = (0.7, 0.25, 0.25)
# With these no window was above its estimate, cl100k (GPT-4 and older) apart, which reached 1.3 times.
# Digits and marks stand alone in many tokenizers.
_AT_MOST = (1.2, 1.0, 1 / 3)

_WIDE = re.compile(r"[\u2e80-\U0010ffff]")
_MARK = re.compile(r"[0-9!-/:-@\[-`{-~]")
# Roles and delimiters of a request with two messages.
MESSAGE_TOKENS: Final = 16


def tokens_at_most(text: str) -> int:
    """An upper estimate of the tokens of ``text`` in any current model, to keep within a window."""
    return _estimate(text, _AT_MOST)


def tokens_about(text: str) -> int:
    """A middling estimate of the tokens of ``text``, for what a server does not report."""
    return _estimate(text, _TYPICAL)


def _estimate(text: str, rates: tuple[float, float, float]) -> int:
    wide, marks = len(_WIDE.findall(text)), len(_MARK.findall(text))
    counts = (wide, marks, len(text) - wide - marks)
    return int(sum(count * rate for count, rate in zip(counts, rates, strict=True))) + 1


def priced(
    price: Price | None, *, prompt: int, completion: int, cached: int = 0, estimated: bool = False
) -> Usage:
    """One call. Counts that contradict each other are clipped: cached is part of the prompt."""
    prompt, completion = max(prompt, 0), max(completion, 0)
    cached = min(max(cached, 0), prompt)
    cost = price.of(prompt, cached, completion) if price else None
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=completion,
        cached_tokens=cached,
        estimated=estimated,
        price=cost,
        currency=price.currency if price and cost is not None else "",
    )


def together(calls: Sequence[Usage]) -> Usage | None:
    """The sum; its price is known when that of every call is. ``None`` without calls."""
    if not calls:
        return None
    costs = [call.price for call in calls if call.price is not None]
    whole = len(costs) == len(calls) and len({call.currency for call in calls}) == 1
    return Usage(
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        completion_tokens=sum(call.completion_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        calls=sum(call.calls for call in calls),
        estimated=any(call.estimated for call in calls),
        price=sum(costs) if whole else None,
        currency=calls[0].currency if whole else "",
    )


_CALLS: ContextVar[list[Usage] | None] = ContextVar("calls of the question at hand", default=None)


@contextmanager
def counted() -> Iterator[list[Usage]]:
    """Collects the calls that are made inside the block, in this thread, into what is yielded."""
    calls: list[Usage] = []
    token = _CALLS.set(calls)
    try:
        yield calls
    finally:
        _CALLS.reset(token)


def record(call: Usage) -> None:
    """Add a call to the innermost ``counted`` block, if there is one."""
    calls = _CALLS.get()
    if calls is not None:
        calls.append(call)


def usage_line(usage: Usage, language: str) -> str:
    """One quiet line for a reader in ``language``, for example "Usage: 1,234 + 156 tokens, about $0.002"."""
    cached = (
        render("usage_cached", language, tokens=f"{usage.cached_tokens:,}") if usage.cached_tokens else ""
    )
    price = ""
    if usage.price is not None:
        price = render("usage_price", language, price=money(usage.price, usage.currency))
    return render(
        "usage_estimated" if usage.estimated else "usage",
        language,
        prompt=f"{usage.prompt_tokens:,}{cached}",
        completion=f"{usage.completion_tokens:,}",
        price=price,
        calls=usage.calls,
    )


_SIGNS: Final = {"USD": "$", "CNY": "¥", "EUR": "€"}


def money(amount: float, currency: str) -> str:
    """The amount with two digits that count, at least to the ten-thousandth: $0.002, ¥1.25, <$0.0001."""
    sign = _SIGNS.get(currency, f"{currency} ")
    if 0 < amount < 0.0001:
        return f"<{sign}0.0001"
    shown = f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}".rstrip("0").rstrip(".")
    return sign + shown
