"""Visits to documents, over an empty base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.knowledge_base import KnowledgeBase
from tests.app.managing.visits import Visits


@pytest.fixture
def visits(base: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visits]:
    made = Visits(base, tmp_path, monkeypatch)
    with made.client:
        yield made
