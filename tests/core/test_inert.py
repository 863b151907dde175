"""Nothing a document or a model says may load from elsewhere, in whole or in pieces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.inert import InertStream, inert

PAYLOADS = [
    "![x](https://evil.example/a.png)",
    "![x][ref]\n\n[ref]: https://evil.example/a.png",
    "[click](https://evil.example)",
    "[click](javascript:alert(1))",
    "[click](data:text/html,x)",
    "<img src=https://evil.example/a.png>",
    "<script>alert(1)</script>",
    "<https://evil.example>",
    "https://evil.example/movie.mp4",
    "www.evil.example",
    "![a](<https://evil.example/a b.png>)",
    "<iframe src='//evil.example'></iframe>",
    "</details><svg onload=alert(1)>",
    "[![x](https://evil.example/a.png)](https://evil.example)",
]
LIVE = re.compile(r"!\[[^\]]*\]\(|\]\(\s*\S|<[a-zA-Z/!]|^\[[^\]]+\]:", re.MULTILINE)


def assert_inert(shown: str) -> None:
    assert not LIVE.search(shown), shown
    outside_code = re.sub(r"`[^`]*`", "", shown)
    assert not re.search(r"(?:https?://|www\.)evil", outside_code), shown


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_are_inert(payload: str) -> None:
    assert_inert(inert(f"before {payload} after [1]"))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_are_inert_however_the_stream_is_cut(payload: str) -> None:
    whole = f"甲 {payload} 乙。 end [1] "
    for cut in range(1, len(whole)):
        stream = InertStream()
        shown = stream.feed(whole[:cut]) + stream.feed(whole[cut:]) + stream.finish()
        assert_inert(shown)


def test_words_and_markers_stay() -> None:
    text = "年假5天[1]。若 a < b 则 2 > 1；`a[1]` 不变 [2][3]。\n\n| a | b |\n| --- | --- |"
    assert inert(text) == text


@given(st.text(alphabet="![]()<>`a1. \n中。", max_size=60), st.integers(0, 60))
def test_the_stream_loses_nothing_that_is_plain(text: str, cut: int) -> None:
    plain = text.replace("!", "").replace("<", "").replace("(", "").replace("[", "").replace("`", "")
    stream = InertStream()
    assert stream.feed(plain[:cut]) + stream.feed(plain[cut:]) + stream.finish() == plain
