"""Where chat models live: one profile a provider, and the endpoint that the settings choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One provider of an OpenAI-compatible endpoint.

    ``key_variable`` names the environment variable of its key, with OPENAI_API_KEY as fallback.
    ``without_thinking`` is what a request carries so that a thinking model answers at once: the passages
    are there already, and thoughts would use up the answer's tokens. ``mark`` is what tells the endpoint
    by its address, ``keys_at`` the page that gives keys, ``start`` the command that starts a local server.
    """

    name: str
    title: str
    base_url: str
    key_variable: str
    model: str
    needs_key: bool
    mark: str
    keys_at: str = ""
    start: str = ""
    notes: str = ""
    without_thinking: tuple[tuple[str, object], ...] = ()

    @property
    def is_local(self) -> bool:
        return not self.needs_key


PROFILES: Final[dict[str, Profile]] = {
    profile.name: profile
    for profile in (
        Profile(
            name="openai",
            title="OpenAI",
            base_url="https://api.openai.com/v1",
            key_variable="OPENAI_API_KEY",
            model="gpt-6-luna",
            needs_key=True,
            mark="api.openai.com",
            keys_at="https://platform.openai.com/api-keys",
            without_thinking=(("reasoning_effort", "none"),),
        ),
        Profile(
            name="deepseek",
            title="DeepSeek",
            base_url="https://api.deepseek.com/v1",
            key_variable="DEEPSEEK_API_KEY",
            model="deepseek-flash",
            needs_key=True,
            mark="api.deepseek.com",
            keys_at="https://platform.deepseek.com/api_keys",
            without_thinking=(("thinking", {"type": "disabled"}),),
        ),
        Profile(
            name="qwen",
            title="Qwen (Alibaba Cloud Model Studio, DashScope)",
            base_url="https://dashscope.aliyuncs.com/compatible-mode/v1",
            key_variable="DASHSCOPE_API_KEY",
            model="qwen-plus",
            needs_key=True,
            mark="dashscope",
            keys_at="https://bailian.console.aliyun.com",
            notes="outside China: YOUJU_CHAT__BASE_URL=https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            without_thinking=(("enable_thinking", False),),
        ),
        Profile(
            name="ollama",
            title="Ollama",
            base_url="http://localhost:11434/v1",
            key_variable="OPENAI_API_KEY",
            model="qwen3:8b",
            needs_key=False,
            mark=":11434",
            start="ollama serve",
            notes="fetch a model: ollama pull qwen3:8b; it may read 4096 tokens only, see README",
            without_thinking=(("reasoning_effort", "none"),),
        ),
        Profile(
            name="vllm",
            title="vLLM",
            base_url="http://localhost:8001/v1",
            key_variable="OPENAI_API_KEY",
            model="Qwen/Qwen3-8B",
            needs_key=False,
            mark=":8001",
            start="vllm serve Qwen/Qwen3-8B --port 8001",
            without_thinking=(("chat_template_kwargs", {"enable_thinking": False}),),
        ),
        Profile(
            name="llamacpp",
            title="llama.cpp",
            base_url="http://localhost:8080/v1",
            key_variable="OPENAI_API_KEY",
            model="local",
            needs_key=False,
            mark=":8080",
            start="llama-server -m MODEL.gguf -c 8192",
            notes="any model name will do",
            without_thinking=(("chat_template_kwargs", {"enable_thinking": False}),),
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where chat requests go. ``profile`` is ``None`` for an address that no profile has."""

    base_url: str
    key: str
    profile: Profile | None

    @property
    def is_own(self) -> bool:
        """Whether this is the provider's own address, for which its list prices hold."""
        return self.profile is not None and self.base_url.rstrip("/") == self.profile.base_url


def endpoint_of(settings: Settings) -> Endpoint:
    """The address and key (empty when there is none) for chat requests.

    The address is YOUJU_CHAT__BASE_URL, else that of the named profile, else OPENAI_BASE_URL, else
    OpenAI's own; an address without a named profile is known by its mark.
    """
    chat = settings.chat
    named = PROFILES.get(chat.profile)
    base_url = chat.base_url or (named.base_url if named else settings.openai_base_url) or ""
    base_url = base_url or PROFILES["openai"].base_url
    profile = named or next((p for p in PROFILES.values() if p.mark in base_url), None)
    keys = [_key(settings, profile.key_variable)] if profile else []
    key = next(filter(None, [*keys, _key(settings, "OPENAI_API_KEY")]), "")
    return Endpoint(base_url=base_url, key=key, profile=profile)


def _key(settings: Settings, variable: str) -> str:
    """The settings' fields bear the variables' names."""
    secret = getattr(settings, variable.lower())
    return secret.get_secret_value().strip() if secret else ""
