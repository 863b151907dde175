"""What several tests use: small documents and shortcuts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pymupdf

from core.answer import Answer
from ingest.pipeline import Ingest
from ingest.report import Progress
from retrieval.knowledge_base import KnowledgeBase

HANDBOOK = """\
# 星河公司员工手册

## 第一章 休假

### 1.1 年休假

员工工作满一年的，每年享受5天年休假；满十年的，每年享受10天年休假。年休假当年未用完的，可以延至次年3月31日。

### 1.2 病假

员工请病假须同时满足以下条件：

1. 持有二级以上医院出具的诊断证明；
2. 在当日上午十点前通知直属上级；
3. 连续超过三天的，须附病历。

急诊不受第二项限制，但应在两天内补交材料。

## 第二章 差旅

### 2.1 住宿标准

| 城市 | 普通员工 | 经理 |
| --- | --- | --- |
| 一线城市 | 400元 | 600元 |
| 其他城市 | 300元 | 450元 |
"""

MANUAL = """\
# Comet 5 Pump Manual

## Safety

Never run the pump dry. Switch the pump off before opening the cover, unless the service key is inserted.

## Maintenance

Replace the filter every 500 hours. The seal must be greased with silicone grease once a year.

## Errors

| Code | Meaning | Action |
| --- | --- | --- |
| E1 | Motor too hot | Let it cool for 30 minutes |
| E2 | No water | Open the inlet valve |
"""


def make_ingest(
    base: KnowledgeBase,
    *,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Ingest:
    """An ingest into ``base``."""
    return Ingest(base.workspace, on_progress=on_progress, cancelled=cancelled)


def pdf_bytes(*pages: str, **save: object) -> bytes:
    """A PDF with one text box a page; Chinese fonts are embedded."""
    with pymupdf.open() as pdf:
        for html in pages:
            page = pdf.new_page()
            if html:
                page.insert_htmlbox(pymupdf.Rect(60, 60, 535, 780), html)
        pdf.subset_fonts()
        data: bytes = pdf.tobytes(**save)
    return data


def assert_citations_are_lawful(base: KnowledgeBase, answer: Answer) -> None:
    with base.workspace.store.read() as reader:
        for citation in answer.citations:
            passage = answer.search.passages[citation.passage]
            assert passage.span.contains(citation.span)
            assert citation.span.of(reader.version(passage.version_id).text) == citation.text
            assert f"[{citation.n}]" in answer.text
    numbers = [int(n) for n in re.findall(r"\[(\d+)\]", answer.text)]
    assert list(dict.fromkeys(numbers)) == list(range(1, len(set(numbers)) + 1))
    assert {citation.n for citation in answer.citations} == set(numbers)
