"""Search tokens: the same for what is the same, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as run
from hypothesis import strategies as st

from ingest.indexes.analyzer import analyze, fold


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Ｐｆｉｚｅｒ ＧＢ／Ｔ", {"pfizer", "gb/t", "gb"}),
        ("P\ufb01zer", {"pfizer"}),
        ("GB/T 7714-2015", {"gb/t", "7714-2015", "7714", "2015", "gb/t7714", "gb/t7714-2015"}),
        ("v2.13.0", {"v2.13.0", "2.13.0", "v2", "13", "0"}),
        ("T-200", {"t-200", "t200", "200"}),
        ("年休假", {"年休", "休假", "年休假"}),
        ("calibrated", {"calibr"}),
        ("第一百零五条", {"第105条"}),
        ("第 7 款", {"第7款"}),
        ("2024年5月1日", {"2024-05-01", "2024-05", "2024"}),
        ("1 May 2024", {"2024-05-01", "may"}),
        ("！？。 ，", set()),
        ("the of A", set()),
    ],
)
def test_tokens(text: str, tokens: set[str]) -> None:
    assert tokens <= set(analyze(text))
    if not tokens:
        assert analyze(text) == []


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("GB/T7714-2015", "gb/t 7714-2015"),
        ("ISO 9001", "iso9001"),
        ("第三十二条", "第32條"),
        ("version 2.13.0", "v2.13.0"),
        ("二〇二四年五月一日", "2024/5/1"),
        ("民國113年", "2024年"),
        ("T200", "T-200"),
    ],
)
def test_two_spellings_share_a_token_that_names_the_thing(left: str, right: str) -> None:
    shared = set(analyze(left)) & set(analyze(right))
    assert any(any(char.isdigit() for char in token) for token in shared)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("臺灣的資訊科技發展與後來的頭髮", "台湾的资讯科技发展与后来的头发"),
        ("勞動合同應當約定為書面", "劳动合同应当约定为书面"),
        ("看著著名的乾隆皇帝裏面", "看着著名的乾隆皇帝里面"),
    ],
)
def test_traditional_and_simplified_characters_are_one(traditional: str, simplified: str) -> None:
    assert analyze(traditional) == analyze(simplified)


def test_words_that_name_no_code_stay_words() -> None:
    assert {"in2024", "on5", "the3"}.isdisjoint(analyze("in 2024 on 5 the 3"))


@run(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_tokens_without_white_space_and_the_same_for_its_folded_form(text: str) -> None:
    tokens = analyze(text)
    assert all(token and not any(char.isspace() for char in token) for token in tokens)
    assert fold(fold(text)) == fold(text)
