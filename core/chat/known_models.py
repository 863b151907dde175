"""Windows and list prices of known chat models; what is not known here is unknown, never guessed.

Read on 2026-11-30 (``AS_OF``): DeepSeek from its Chinese price page, OpenAI from its price and model pages
as relayed by models.dev and litellm, Qwen (China, non-thinking) from Model Studio's list as relayed in 2026.
Prices change: YOUJU_CHAT__INPUT_PRICE, __OUTPUT_PRICE, __CURRENCY and __CONTEXT_TOKENS come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.chat.profiles import Endpoint
from core.settings import ChatSettings

AS_OF: Final = "2026-11"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Price of a million tokens in ``currency``; ``cached`` is that of prompt tokens the provider had kept.

    It holds for prompts of at most ``max_prompt_tokens``: beyond, providers charge by another tariff.
    """

    input: float
    output: float
    currency: str
    cached: float | None = None
    max_prompt_tokens: int | None = None

    def of(self, prompt: int, cached: int, completion: int) -> float | None:
        """What a call costs, or ``None`` where this price does not hold."""
        if self.max_prompt_tokens is not None and prompt > self.max_prompt_tokens:
            return None
        kept = self.input if self.cached is None else self.cached
        return ((prompt - cached) * self.input + cached * kept + completion * self.output) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """``window`` holds prompt and reply together, in the model's tokens."""

    window: int
    price: Price | None = None


def _openai(window: int, price: float, cached: float, output: float, limit: int | None = None) -> KnownModel:
    listed = Price(input=price, cached=cached, output=output, currency="USD", max_prompt_tokens=limit)
    return KnownModel(window=window, price=listed)


def _yuan(
    window: int, price: float, output: float, *, cached: float | None = None, limit: int | None = None
) -> KnownModel:
    listed = Price(input=price, cached=cached, output=output, currency="CNY", max_prompt_tokens=limit)
    return KnownModel(window=window, price=listed)


# profile -> model -> what is known. Exact names only: dated versions may cost otherwise.
KNOWN: Final[dict[str, dict[str, KnownModel]]] = {
    "openai": {
        "gpt-6.1-sol": _openai(1_050_000, 2.00, 0.10, 10.00, 272_000),
        "gpt-6.1-terra": _openai(1_050_000, 1.00, 0.05, 5.00, 272_000),
        "gpt-6-sol": _openai(1_050_000, 2.00, 0.20, 10.00, 272_000),
        "gpt-6-luna": _openai(1_050_000, 0.10, 0.01, 0.50, 272_000),
        "gpt-5.6-sol": _openai(1_050_000, 4.00, 0.40, 20.00, 272_000),
        "gpt-5.6-terra": _openai(1_050_000, 2.00, 0.20, 12.00, 272_000),
        "gpt-5.6-luna": _openai(1_050_000, 0.20, 0.02, 1.20, 272_000),
        "gpt-5.4": _openai(1_050_000, 2.50, 0.25, 15.00, 272_000),
        "gpt-5.4-mini": _openai(400_000, 0.75, 0.075, 4.50),
        "gpt-5.4-nano": _openai(400_000, 0.20, 0.02, 1.25),
        "gpt-4.1": _openai(1_047_576, 2.00, 0.50, 8.00),
        "gpt-4.1-mini": _openai(1_047_576, 0.40, 0.10, 1.60),
        "gpt-4o": _openai(128_000, 2.50, 1.25, 10.00),
        "gpt-4o-mini": _openai(128_000, 0.15, 0.075, 0.60),
    },
    # Peak hours (weekdays 9-12 and 14-18 in Beijing); outside them DeepSeek charges half.
    "deepseek": {
        "deepseek-flash": _yuan(1_000_000, 2.00, 8.00, cached=0.04),
        "deepseek-v4-flash": _yuan(1_000_000, 2.00, 8.00, cached=0.04),
        "deepseek-v4-pro": _yuan(1_000_000, 9.00, 27.00, cached=0.30),
    },
    "qwen": {
        "qwen-plus": _yuan(131_072, 0.80, 2.00, limit=128_000),
        "qwen-max": _yuan(32_768, 2.40, 9.60),
        "qwen-long": _yuan(10_000_000, 0.50, 2.00),
        "qwen3.5-plus": _yuan(1_000_000, 0.80, 4.80, limit=128_000),
        "qwen3.6-plus": _yuan(1_000_000, 2.00, 12.00, limit=256_000),
        "qwen3-max": _yuan(262_144, 2.50, 10.00, limit=32_000),
        "qwen3.8-flash": KnownModel(window=1_000_000),
        "qwen3.8-max": KnownModel(window=1_000_000),
    },
}


def known_model(endpoint: Endpoint, model: str) -> KnownModel | None:
    """What is known of ``model`` at ``endpoint``, whose profile must be the model's own provider."""
    return KNOWN.get(endpoint.profile.name, {}).get(model) if endpoint.profile else None


def price_of(chat: ChatSettings, endpoint: Endpoint) -> Price | None:
    """The price that the settings state, else the list price at the provider's own address, else ``None``."""
    if chat.input_price is not None and chat.output_price is not None:
        return Price(input=chat.input_price, output=chat.output_price, currency=chat.currency)
    known = known_model(endpoint, chat.model)
    return known.price if known and endpoint.is_own else None
