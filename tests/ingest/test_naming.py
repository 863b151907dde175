"""A document is called by its title, and by its file's name where that says more."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.settings import ChunkingSettings, Settings
from ingest.embedders.hashing import HashingEmbedder
from ingest.naming import called, spoken_name
from ingest.parsers.text.markdown import MarkdownParser
from ingest.sections import sections_of

TOKENS = HashingEmbedder(Settings(home=Path()))


@pytest.mark.parametrize(
    ("title", "name", "expected"),
    [
        ("住院病历", "霜叶市第一人民医院_喻某某.txt", "住院病历 (霜叶市第一人民医院 喻某某)"),
        ("Hospitalization Record", "a/Lexington_General_Q._Reyes.pdf", "Hospitalization Record (Lexington General Q. Reyes)"),
        ("中华人民共和国劳动合同法", "劳动合同法.docx", "中华人民共和国劳动合同法"),
        ("劳动合同法", "中华人民共和国劳动合同法（2012修正）.txt", "中华人民共和国劳动合同法(2012修正)"),
        ("annual_report", "annual_report.txt", "annual report"),
        ("ＡＮＮＵＡＬ　report", "annual-report.txt", "ＡＮＮＵＡＬ report"),
        ("", "采购办法.md", "采购办法"),
        ("采购办法", "scan_0001.pdf", "采购办法"),
        ("采购办法", "未命名文档(3).docx", "采购办法"),
        ("Manual", "3f2b8c1d-4e5f-4a6b-8c7d-9e0f1a2b3c4d.pdf", "Manual"),
        ("Manual", "20240501.pdf", "Manual"),
        ("Manual", "", "Manual"),
    ],
)  # fmt: skip
def test_what_a_document_is_called(title: str, name: str, expected: str) -> None:
    assert called(title, name) == expected


def test_a_long_name_is_shortened_and_stays_one_line() -> None:
    spoken = spoken_name("很长的名字" * 40 + "\n第二行.txt")
    assert len(spoken) == 80
    assert spoken.endswith("…")
    assert "\n" not in spoken


def test_every_chunk_is_embedded_with_the_name() -> None:
    document = MarkdownParser().parse("# 病历\n\n## 诊断\n\n贫血。\n".encode(), "x.md")
    sections = sections_of(document, ChunkingSettings(), TOKENS, "archive.zip/海滨医院_李某.md")
    assert [section.header for section in sections] == ["病历 (海滨医院 李某) > 诊断"] * len(sections)
