"""Presets fill what is not said; what contradicts itself is refused in one sentence."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.chunking_settings import ChunkingSettings
from core.errors import SettingsError
from core.settings import load_settings


def test_what_is_said_wins_over_the_preset() -> None:
    legal = ChunkingSettings.model_validate({"preset": "legal", "soft_tokens": 200})
    assert (legal.min_tokens, legal.soft_tokens, legal.hard_tokens) == (40, 200, 480)
    assert ChunkingSettings.model_validate({"preset": "general"}) == ChunkingSettings()


@pytest.mark.parametrize("preset", ["general", "legal", "narrative", "technical", "semantic-flat"])
def test_every_preset_is_sound(preset: str) -> None:
    made = ChunkingSettings.model_validate({"preset": preset})
    assert made.min_tokens <= made.soft_tokens <= made.hard_tokens
    assert made.parents is (preset != "semantic-flat")


def test_a_preset_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_CHUNKING__PRESET", "legal")
    monkeypatch.setenv("YOUJU_CHUNKING__MIN_TOKENS", "50")
    chunking = load_settings().chunking
    assert (chunking.min_tokens, chunking.hard_tokens) == (50, 480)
    monkeypatch.setenv("YOUJU_CHUNKING__PRESET", "poem")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "YOUJU_CHUNKING__PRESET" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"overlap_tokens": 300}, "overlap_tokens < soft_tokens"),
        ({"overlap_tokens": 8, "soft_tokens": 8, "min_tokens": 0}, "overlap_tokens < soft_tokens"),
        ({"min_tokens": 301}, "min_tokens <= soft_tokens <= hard_tokens"),
        ({"soft_tokens": 401}, "min_tokens <= soft_tokens <= hard_tokens"),
        ({"parent_soft_tokens": 399}, "hard_tokens <= parent_soft_tokens"),
        ({"split_similarity": 0.8}, "split_similarity <= merge_similarity"),
        ({"skip_rules": "list, lists"}, "got lists"),
    ],
)
def test_contradictions_are_refused_with_what_was_expected(given: dict[str, object], expected: str) -> None:
    with pytest.raises(ValidationError) as caught:
        ChunkingSettings.model_validate(given)
    (error,) = caught.value.errors()
    assert expected in error["msg"]


@pytest.mark.parametrize("size", range(6))
@pytest.mark.parametrize("overlap", range(7))
def test_sizes_that_could_never_end_are_refused(size: int, overlap: int) -> None:
    """B30: an overlap of the size or more is an endless loop elsewhere."""
    with pytest.raises(ValidationError):
        ChunkingSettings.model_validate({"min_tokens": 0, "soft_tokens": size, "overlap_tokens": overlap})
