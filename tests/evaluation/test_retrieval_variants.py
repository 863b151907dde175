"""Settings of a variant by dotted name, and the table of ablations, which must name what exists."""

from __future__ import annotations

import pytest

from core.errors import SettingsError
from core.settings import Settings
from evaluation.retrieval.variants import CONVERSATIONS, OURS, Ask, ablations, variant_of


def test_settings_are_changed_by_dotted_name(settings: Settings) -> None:
    variant = variant_of(
        "ours:retrieval.rrf_k=60:chunking.soft_tokens=90:chunking.min_tokens=20:ask=last-turn", settings
    )
    assert (variant.settings.retrieval.rrf_k, variant.settings.chunking.soft_tokens) == (60, 90)
    assert variant.settings.embedding == settings.embedding and settings.retrieval.rrf_k != 60
    assert variant.ask is Ask.LAST_TURN and not variant.sets_tokens
    assert variant_of("ours:retrieval.max_tokens=900", settings).sets_tokens
    assert variant_of(OURS, settings).settings == settings


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ours:retrieval.magic=1", "known: retrieval.candidates, "),
        ("ours:magic.rrf_k=1", "chunking.strategy, "),
        ("ours:rrf_k=1", "retrieval.rrf_k"),
        ("ours:retrieval.rrf_k=-1", "greater than or equal"),
        ("ours:ask=nobody", "history, last-turn, rewrite"),
        ("theirs", "expected ours"),
    ],
)
def test_what_does_not_exist_is_refused(written: str, said: str, settings: Settings) -> None:
    with pytest.raises(SettingsError, match=said):
        variant_of(written, settings)


@pytest.mark.parametrize("written", [*ablations(), *CONVERSATIONS])
def test_every_row_of_the_tables_is_a_variant(written: str, settings: Settings) -> None:
    assert variant_of(written, settings).name == written
