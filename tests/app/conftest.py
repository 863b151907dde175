"""Cheap password hashes: what they cost is for one test alone."""

from __future__ import annotations

import pytest

from app.login import passwords


@pytest.fixture(autouse=True)
def _cheap_hashes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "real_cost" not in request.fixturenames:
        monkeypatch.setattr(passwords, "_LOG_N", 11)


@pytest.fixture
def real_cost() -> None:
    """For the test that needs it."""
