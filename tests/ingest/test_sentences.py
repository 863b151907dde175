import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.span import is_blank
from ingest.sentences import sentences
from ingest.splitters.piece import CLOSING_MARKS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他说：“好。”然后走了。真的吗？！是……", ["他说：“好。”然后走了。", "真的吗？！", "是……"]),
        ("年假5天；满十年的，10天。不得转让。", ["年假5天；满十年的，10天。", "不得转让。"]),
        ("Version 2.13.0 costs 3.5 yuan. It is new.", ["Version 2.13.0 costs 3.5 yuan.", "It is new."]),
        (
            "Dr. Smith, e.g. in the U.S. office, left. He ran.",
            ["Dr. Smith, e.g. in the U.S. office, left.", "He ran."],
        ),
        ("1. First item\n2. Second item", ["1. First item", "2. Second item"]),
        (
            "A line that is\nwrapped here. Next.",
            ["A line that is wrapped here.".replace(" wrapped", "\nwrapped"), "Next."],
        ),
        ("须满足：\n（一）转正；\n（二）满一年。", ["须满足：", "（一）转正；", "（二）满一年。"]),
        ("See https://a.example/b.c?d=e. Done", ["See https://a.example/b.c?d=e.", "Done"]),
        ("（见附件。）其余照旧。", ["（见附件。）", "其余照旧。"]),
    ],
)
def test_sentences_of(text: str, expected: list[str]) -> None:
    assert [span.of(text) for span in sentences(text)] == expected


@given(st.text(alphabet="。！？”』）….!? \n\rab中文，“1", max_size=60))
def test_sentences_hold_every_visible_character_and_open_with_no_closing_mark(text: str) -> None:
    found = sentences(text)
    covered = {i for span in found for i in range(span.start, span.end)}
    assert all(i in covered for i, char in enumerate(text) if not is_blank(char))
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    for span in found[1:]:
        before = text[: span.start].rstrip()
        closing = text[span.start] in CLOSING_MARKS and before and before[-1] in "。！？…"
        assert not closing or text[span.start - 1].isspace()
