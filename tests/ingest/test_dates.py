"""Dates in Chinese and English: each as exact as the text, nothing that is no date, and in linear time."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from core.registry import resolve
from core.settings import ChunkingSettings, Settings
from ingest import hierarchy
from ingest.dates import dates
from ingest.embedders.hashing import HashingEmbedder
from ingest.sections import sections_of
from ingest.splitters.splitter import SplitTools

WRITTEN = [
    ("2024年5月1日", "2024-05-01"),
    ("2024 年 5 月 1 日", "2024-05-01"),
    ("２０２４年５月１日", "2024-05-01"),
    ("2024年5月1號", "2024-05-01"),
    ("二〇二四年五月一日", "2024-05-01"),
    ("二零二四年十二月三十一日", "2024-12-31"),
    ("一九八七年二月二十日", "1987-02-20"),
    ("2024年5月份", "2024-05"),
    ("2024年5月", "2024-05"),
    ("2024年", "2024"),
    ("2024年度", "2024"),
    ("2024财年", "2024"),
    ("2024會計年度", "2024"),
    ("2024年第三季度", "2024-Q3"),
    ("2024年三季度", "2024-Q3"),
    ("2024年Q3", "2024-Q3"),
    ("2024年下半年", "2024-H2"),
    ("民国113年5月1日", "2024-05-01"),
    ("民國三十八年", "1949"),
    ("民國元年", "1912"),
    ("2024-05-01", "2024-05-01"),
    ("2024/5/1", "2024-05-01"),
    ("2024.05.01", "2024-05-01"),
    ("2024-05", "2024-05"),
    ("1 May 2024", "2024-05-01"),
    ("1st May, 2024", "2024-05-01"),
    ("1st day of May, 2024", "2024-05-01"),
    ("May 1, 2024", "2024-05-01"),
    ("May 1st 2024", "2024-05-01"),
    ("MAY 1, 2024", "2024-05-01"),
    ("01-May-2024", "2024-05-01"),
    ("May 1-3, 2024", "2024-05-01"),
    ("Sept. 30, 2023", "2023-09-30"),
    ("May 2024", "2024-05"),
    ("fiscal year 2024", "2024"),
    ("FY2024", "2024"),
    ("FY24", "2024"),
    ("Q3 2024", "2024-Q3"),
    ("2024Q3", "2024-Q3"),
    ("third quarter of fiscal 2024", "2024-Q3"),
    ("4th quarter 2023", "2023-Q4"),
    ("first half of 2024", "2024-H1"),
    ("1H 2024", "2024-H1"),
    ("12/31/2023", "2023-12-31"),
    ("31/12/2023", "2023-12-31"),
    ("31.12.2023", "2023-12-31"),
    ("5/6/2024", "2024"),
    ("5/5/2024", "2024-05-05"),
]

NONE = [
    "2024-13-45",
    "2024-02-30",
    "2023年2月29日",
    "2024年13月1日",
    "February 30, 2024",
    "31/31/2024",
    "version 2.13.0",
    "v2024.1.5",
    "1.2.2024.3",
    "第2024条",
    "第2024-05号",
    "〔2024〕5号",
    "010-2024-0501",
    "138-2024-05-01",
    "20240501",
    "12024年",
    "公元前1046年",
    "（前1046年",
    "距今2000年",
    "距今约2000年",
    "5月1日",
    "May 1",
    "2000元",
    "2010-12",
    "in 2000%",
    "in 2024.5",
    "https://example.org/2024/05/01/post",
    "the fifth quarter of 2024 cars",
    "民国十十年",
    "2023/24",
]


@pytest.mark.parametrize(("written", "iso"), WRITTEN)
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("自", "起施行。"), ("On ", ", at noon."), ("| ", " |")]
)
def test_a_date_is_as_exact_as_it_is_written(written: str, iso: str, before: str, after: str) -> None:
    (found,) = dates(before + written + after)
    assert found.iso == iso
    assert found.span.of(before + written + after).endswith(written.split()[-1])


@pytest.mark.parametrize("written", NONE)
def test_what_is_no_date_is_not_taken(written: str) -> None:
    assert dates(f"见 {written} 。") == ()


@pytest.mark.parametrize(
    ("text", "isos"),
    [
        ("从2019-2021年", ["2019", "2021"]),
        ("2019年3月至2021年4月", ["2019-03", "2021-04"]),
        ("between May 1, 2023 and June 2024", ["2023-05-01", "2024-06"]),
        ("in 2019, since 2020, during the year 2021", ["2019", "2020", "2021"]),
        ("2024-05-01T10:00 - 2024-05-02T11:00", ["2024-05-01", "2024-05-02"]),
        ("on 3 May 10, 2024", ["2024-05-10"]),
        ("公司于2023年成立，2024年第一季度盈利，2023年未变", ["2023", "2024-Q1", "2023"]),
    ],
)
def test_several_dates_come_in_the_order_of_the_text(text: str, isos: list[str]) -> None:
    assert [found.iso for found in dates(text)] == isos


PARTS = st.sampled_from(
    [*(written for written, _ in WRITTEN), *NONE, "自", "，", " ", "\n", "-", "/", ".", "年", "月", "1", "20", "民国", "FY", "Q", "of "]
)  # fmt: skip


@run(max_examples=300, deadline=None)
@given(text=st.one_of(st.lists(PARTS, max_size=12).map("".join), st.text(max_size=60)))
def test_every_date_found_lies_in_the_text_and_in_the_calendar(text: str) -> None:
    found = dates(text)
    for before, after in itertools.pairwise(found):
        assert before.span.end <= after.span.start
    for one in found:
        assert one.span.end <= len(text)
        # Taken out of the text, the same characters say the same.
        assert one.iso[:4].isdigit() and re.fullmatch(
            r"\d{4}(-(0[1-9]|1[0-2])(-([0-2]\d|3[01]))?|-Q[1-4]|-H[12])?", one.iso
        )
        assert re.search("[0-9０-９〇一二三四五六七八九元]", one.span.of(text))


@pytest.mark.parametrize(
    "text",
    ["1" * 200_000, "二〇" * 100_000, "2024" * 50_000, "2024-" * 40_000, "May " * 50_000, "1 May 1 " * 25_000,
     "2024年" * 40_000, "民国" * 100_000, "FY" * 100_000, "first quarter of " * 12_000 + "2024", " " * 200_000 + "2024"],
    ids=lambda text: text[:8],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    dates(text)
    assert time.process_time() - started < 2


def test_a_chunk_holds_its_dates_each_once_in_order() -> None:
    text = "# 通知\n\n自2024年5月1日起施行，2023年度的规定同时废止；2024年5月1日以前的，照旧。\n"
    tokens, settings = HashingEmbedder(Settings(home=Path())), ChunkingSettings()
    document = resolve("parser", "markdown")().parse(text.encode(), "x.md")
    sections = sections_of(document, settings, tokens)
    pieces = resolve("splitter", "clause")(settings, SplitTools()).split(sections)
    (chunk,), _ = hierarchy.build("version", sections, pieces, settings)
    assert chunk.dates == ("2024-05-01", "2023")
