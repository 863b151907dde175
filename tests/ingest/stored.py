"""Small documents put into a knowledge base, and a look at every byte that it keeps."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from core.settings import Settings
from ingest.pipeline import Ingest
from ingest.report import Outcome
from ingest.sources import Source
from ingest.workspace import Workspace
from retrieval.knowledge_base import KnowledgeBase


def add_text(
    base: KnowledgeBase | Workspace, name: str, text: str, collection: str = "default", **place: object
) -> Outcome:
    """Add ``text`` as the file ``name``."""
    workspace = base.workspace if isinstance(base, KnowledgeBase) else base
    path = workspace.settings.home.parent / "written.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    report = Ingest(workspace).add_sources(
        [Source(name=name, path=path)],
        collection,
        **place,  # type: ignore[arg-type]
    )
    assert report.files[0].error is None, report.files[0].error
    return report.files[0].outcome


def home_of(tmp_path: Path, name: str = "home", **groups: object) -> Settings:
    """Settings of a knowledge base of its own, with the model-free embedder."""
    return Settings(home=tmp_path / name / "home", embedding={"name": "hashing"}, **groups)  # type: ignore[arg-type]


def break_row(workspace: Workspace, statement: str, **values: object) -> None:
    """Change a row behind the program's back."""
    engine = sa.create_engine(sa.URL.create("sqlite", database=str(workspace.settings.home / "youju.db")))
    with engine.begin() as connection:
        assert connection.execute(sa.text(statement), values).rowcount > 0
    engine.dispose()


def files_with(home: Path, word: str) -> list[str]:
    """The files under ``home`` that hold the word's bytes."""
    wanted = word.encode()
    return sorted(
        path.relative_to(home).as_posix()
        for path in home.rglob("*")
        if path.is_file() and wanted in path.read_bytes()
    )
