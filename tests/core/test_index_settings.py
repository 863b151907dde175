"""Choosing the index: in short by INDEX, in full by YOUJU_INDEX__NAME, which wins."""

from __future__ import annotations

import pytest

from core.errors import SettingsError
from core.settings import load_settings


def test_index_in_short_names_it_and_leaves_the_rest_of_its_group(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().index.name == "local"
    monkeypatch.setenv("INDEX", "milvus")
    monkeypatch.setenv("YOUJU_INDEX__HNSW_FROM", "5000")
    assert (load_settings().index.name, load_settings().index.hnsw_from) == ("milvus", 5000)
    monkeypatch.setenv("YOUJU_INDEX__NAME", "local")
    assert load_settings().index.name == "local"


def test_an_unknown_index_is_refused_by_the_name_of_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDEX", "elastic")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "INDEX" in str(caught.value)
