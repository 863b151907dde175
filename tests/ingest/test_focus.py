"""Focus lines: in what is embedded, never in what is shown, and only where a section is cut."""

from __future__ import annotations

from pathlib import Path

from core.errors import ChatModelError
from core.registry import resolve
from core.settings import ChunkingSettings, Settings
from ingest import hierarchy
from ingest.embedders.hashing import HashingEmbedder
from ingest.focus import Focus
from ingest.sections import sections_of
from ingest.splitters.splitter import SplitTools

TOKENS = HashingEmbedder(Settings(home=Path()))
SIZES = {
    "min_tokens": 20,
    "soft_tokens": 60,
    "hard_tokens": 120,
    "overlap_tokens": 8,
    "parent_soft_tokens": 300,
}
LONG = (
    "船身每年上漆一次。年休假由员工提前申请。年休假当年没有休完的可以延期。年休假申请由主管批准。窗户每月擦洗。"
    * 3
)
TEXT = f"# 手册\n\n## 休假\n\n{LONG}\n\n## 门卫\n\n访客登记。\n"


class Writer:
    name = "writer"

    def __init__(self, line: str | None) -> None:
        self.line = line

    def decide(self, instruction: str, data: str) -> str:
        if self.line is None:
            raise ChatModelError(name=self.name, reason="away")
        return self.line


def lines(mode: str, model: Writer | None = None) -> list[str]:
    settings = ChunkingSettings.model_validate({**SIZES, "focus": mode})
    document = resolve("parser", "markdown")().parse(TEXT.encode(), "x.md")
    sections = Focus(settings, model).given(sections_of(document, settings, TOKENS))
    pieces = resolve("splitter", "semantic")(settings, SplitTools()).split(sections)
    for chunk in hierarchy.build("version", sections, pieces, settings)[0]:
        assert chunk.embed_text.endswith(chunk.span.of(document.text))
        assert chunk.token_count == TOKENS.count([chunk.embed_text])[0] <= settings.hard_tokens
        long = chunk.section_path[-1] == "休假"
        focus = sections[0].focus if long else ""
        assert not focus or focus in chunk.embed_text
    return [section.focus for section in sections]


def test_off_is_off() -> None:
    assert lines("off") == ["", ""]


def test_a_central_sentence_stands_for_a_section_that_is_cut() -> None:
    first, second = lines("extractive")
    assert "年休假" in first and first in LONG
    assert second == ""


def test_a_model_writes_it_and_a_sentence_replaces_one_that_does_not() -> None:
    assert lines("model", Writer("关于年休假\n的申请")) == ["关于年休假 的申请", ""]
    assert lines("model", Writer(None)) == lines("extractive")
    assert lines("model", Writer("太长" * 200)) == ["", ""]


def test_the_fingerprint_names_mode_and_model() -> None:
    made = [
        Focus(ChunkingSettings.model_validate({"focus": mode}), model).fingerprint
        for mode, model in (("off", None), ("extractive", None), ("model", Writer("x")), ("model", None))
    ]
    assert len(set(made)) == 4
