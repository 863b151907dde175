"""LangChain's retrievers over our stored texts: places to the character, questions timed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import MissingExtraError, SettingsError
from core.settings import Settings
from evaluation.peers import made
from evaluation.retrieval.base import Base, Models, open_base
from evaluation.retrieval.questions import Question, asked_of, read_set
from evaluation.retrieval.systems import PEERS, System
from evaluation.vector_cache import VectorCache
from tests.support import HANDBOOK, MANUAL

ASKED = {
    "病假需要什么诊断证明？": ("handbook.md", "持有二级以上医院出具的诊断证明"),
    "How often must the filter be replaced?": ("manual.md", "Replace the filter every 500 hours."),
}


@pytest.fixture
def stored(settings: Settings, tmp_path: Path) -> Iterator[tuple[Base, list[Question]]]:
    folder = tmp_path / "both"
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "corpus" / "manual.md").write_text(MANUAL, "utf-8")
    rows = [
        {"id": q, "question": q, "evidence": [{"doc": doc, "text": text}]} for q, (doc, text) in ASKED.items()
    ]
    (folder / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    cache = VectorCache(tmp_path / "vectors.db")
    found = read_set("both", [folder], 0)
    base = open_base(
        found, settings, Models(cache, lambda done, total: None).of(settings), lambda done, all: None
    )
    yield base, list(asked_of(found, base.texts, base.twins, 0).questions)
    cache.close()


@pytest.mark.parametrize("name", PEERS)
def test_evidence_is_found_at_its_place_in_both_languages(
    name: str, stored: tuple[Base, list[Question]]
) -> None:
    pytest.importorskip("langchain_classic")
    base, questions = stored
    sizes = {"zh_chars": 120.0, "en_chars": 150.0, "candidates": 3.0}
    system: System = made(PEERS, name, sizes, base, name)
    assert system.name == name and system.build_s > 0 and len(questions) == len(ASKED)
    for question in questions:
        returned = system.search(question)
        (piece,) = question.case.evidence
        texts = [place.span.of(base.texts[place.doc].text) for place in returned.places]
        assert any(ASKED[question.case.question][1] in text for text in texts), texts
        assert any(place.doc == piece.doc for place in returned.places[:2])
        assert all(len(text) <= 150 for text in texts)
        assert len(set(returned.places)) == len(returned.places) > 1
        assert 0 < returned.embed_ms < returned.latency_ms


def test_a_missing_package_says_what_to_install(
    stored: tuple[Base, list[Question]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [module for module in sys.modules if module.split(".")[0] == "langchain_classic"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "langchain_classic", None)
    with pytest.raises(MissingExtraError, match=r"youju\[peers\]"):
        made(PEERS, "langchain-ensemble", {}, stored[0], "x")
    with pytest.raises(SettingsError, match="zh_child"):
        made(PEERS, "langchain-parent", {"size": 3.0}, stored[0], "x")
