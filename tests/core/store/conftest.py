"""Stores on both databases, and documents to put into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store import Store
from tests.postgresql import Server, programs, serving

OpenStore = Callable[..., Store]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL's programs are not installed")
    with serving(found) as server:
        yield server


@pytest.fixture
def open_postgres(postgres: Server, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the same empty database again and again; ``home`` names the machine's own folder."""
    yield from _opening(tmp_path, postgres.fresh_url())


@pytest.fixture(params=["sqlite", "postgresql"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """As ``open_postgres``, on each database."""
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    yield from _opening(tmp_path, server.fresh_url() if server else "")


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    return open_store()


def _opening(folder: Path, url: str) -> Iterator[OpenStore]:
    opened: list[Store] = []

    def open_it(home: str = "home", **options: object) -> Store:
        opened.append(Store(folder / home, url=url, **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()
