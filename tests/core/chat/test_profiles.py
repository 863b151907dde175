"""Which address and key a profile gives, and that settings and .env.example know every profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.chat.profiles import PROFILES, endpoint_of
from core.env_example import env_example
from core.errors import SettingsError
from core.settings import load_settings


def chosen(monkeypatch: pytest.MonkeyPatch, **variables: str) -> tuple[str, str, str]:
    """Address, key and profile for these environment variables."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    endpoint = endpoint_of(load_settings())
    return endpoint.base_url, endpoint.key, endpoint.profile.name if endpoint.profile else ""


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_a_profile_is_a_setting_and_a_block_to_copy(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    profile = PROFILES[name]
    block = next(part for part in env_example().split("\n\n") if f"CHAT__PROFILE={name}\n" in part)
    lines = [line.removeprefix("#") for line in block.splitlines() if line.startswith("#YOUJU")]
    lines += [f"{profile.key_variable}=sk-of-{name}"] if profile.needs_key else []
    assert not profile.needs_key or f"#{profile.key_variable}=" in block
    (tmp_path / ".env").write_text("\n".join(lines))
    settings = load_settings()
    assert settings.has_chat_model
    assert settings.chat.model == profile.model
    endpoint = endpoint_of(settings)
    assert endpoint.base_url == profile.base_url
    assert endpoint.is_own
    assert endpoint.key == (f"sk-of-{name}" if profile.needs_key else "")


def test_an_unknown_profile_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as caught:
        chosen(monkeypatch, YOUJU_CHAT__PROFILE="claude")
    assert caught.value.details["name"] == "YOUJU_CHAT__PROFILE"
    assert "deepseek" in caught.value.message("zh")


def test_the_vendors_key_comes_before_the_common_one(monkeypatch: pytest.MonkeyPatch) -> None:
    address, key, _ = chosen(monkeypatch, YOUJU_CHAT__PROFILE="deepseek", OPENAI_API_KEY="sk-common")
    assert (address, key) == ("https://api.deepseek.com/v1", "sk-common")
    assert chosen(monkeypatch, DEEPSEEK_API_KEY=" sk-own ")[1] == "sk-own"


def test_without_a_profile_the_address_decides_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen(monkeypatch)[::2] == ("https://api.openai.com/v1", "openai")
    assert chosen(monkeypatch, OPENAI_BASE_URL="http://localhost:11434/v1")[2] == "ollama"
    assert chosen(monkeypatch, OPENAI_BASE_URL="http://10.0.0.7:9000/v1")[::2] == (
        "http://10.0.0.7:9000/v1",
        "",
    )
    _, key, profile = chosen(
        monkeypatch,
        OPENAI_BASE_URL="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        DASHSCOPE_API_KEY="sk-qwen",
    )
    assert (profile, key) == ("qwen", "sk-qwen")


def test_an_own_address_leads_a_profile_elsewhere_but_openai_base_url_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    embeddings = "http://127.0.0.1:9999/v1"
    assert chosen(monkeypatch, YOUJU_CHAT__PROFILE="ollama", OPENAI_BASE_URL=embeddings)[0].endswith(
        ":11434/v1"
    )
    moved = chosen(monkeypatch, YOUJU_CHAT__BASE_URL="http://nas:11434/v1")
    assert moved[::2] == ("http://nas:11434/v1", "ollama")
    assert not endpoint_of(load_settings()).is_own


@pytest.mark.parametrize("half", ["INPUT_PRICE", "OUTPUT_PRICE"])
def test_half_a_price_is_refused_and_empty_means_unknown(half: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONTEXT_TOKENS", "INPUT_PRICE", "OUTPUT_PRICE"):
        monkeypatch.setenv(f"YOUJU_CHAT__{name}", "")
    assert load_settings().chat.input_price is None
    monkeypatch.setenv(f"YOUJU_CHAT__{half}", "1.5")
    with pytest.raises(SettingsError):
        load_settings()
