"""Words of sources are taken out of a text and put in again, to the character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.span import Span
from retrieval.records.words import BAR, Piece, Quoted, Quotes, shown
from tests.retrieval.records.answers import LEAVE, PUMP


def quotes(*texts: str, is_written: bool = True, whole: dict[int, str] | None = None) -> Quotes:
    quoted = [Quoted(version=number, start=0, text=text) for number, text in enumerate(texts)]
    return Quotes(quoted, whole or {}, is_written)


def places(pieces: list[Piece]) -> list[tuple[int, int, int]]:
    return [piece for piece in pieces if not isinstance(piece, str)]


def test_a_long_stretch_of_a_source_becomes_a_place() -> None:
    text = "根据规定，满十年的，每年享受10天年休假，请留意。"
    pieces = quotes(LEAVE).hidden(text)
    [(version, start, end)] = places(pieces)
    assert version == 0
    assert LEAVE[start:end] == "满十年的，每年享受10天年休假"
    assert "10天" not in "".join(piece for piece in pieces if isinstance(piece, str))
    assert shown(pieces, {0: LEAVE}) == text


def test_a_few_common_words_stay_own_words() -> None:
    assert quotes(LEAVE).hidden("有10天年休假") == ["有10天年休假"]
    assert quotes(PUMP).hidden("see the pump and the filter") == ["see the pump and the filter"]


def test_whole_lines_are_places_however_short_and_wherever_they_stand() -> None:
    pieces = quotes("不得折算", whole={0: LEAVE}).hidden("**休假**\n\n不得折算 [1]")
    assert next(LEAVE[start:end] for _, start, end in places(pieces)) == "休假"
    assert "不得折算" not in str(pieces)


def test_what_no_model_wrote_keeps_next_to_nothing() -> None:
    pieces = quotes(LEAVE, is_written=False).hidden("共 1 项：10天年休假。")
    assert "年休假" not in str(pieces)


def test_words_that_are_gone_become_bars_of_their_length() -> None:
    text = "他说：满十年的，每年享受10天年休假"
    pieces = quotes(LEAVE).hidden(text)
    gone = shown(pieces, {0: None})
    assert len(gone) == len(text)
    assert gone == "他说：" + BAR * (len(text) - 3)
    assert shown(pieces, {}) == shown(pieces, {0: "shorter"}) == gone


def test_a_known_place_is_taken_only_if_the_words_stand_there() -> None:
    known = quotes(LEAVE)
    start = LEAVE.index("10天")
    assert known.hidden("10天", (0, Span(start, start + 3))) == [(0, start, start + 3)]
    assert known.hidden("11天", (0, Span(start, start + 3))) == ["11天"]


def test_a_table_of_rules_takes_no_time() -> None:
    table = "| --- | --- |\n" * 2000
    assert shown(quotes(table, is_written=False).hidden(table[:5000]), {0: table}) == table[:5000]


@pytest.mark.parametrize("is_written", [True, False])
@given(data=st.data())
def test_every_text_comes_back(data: st.DataObject, is_written: bool) -> None:
    letters = st.text(st.sampled_from("年休假 10天.|\n[1]ab█\ud800"), max_size=60)
    texts = data.draw(st.lists(letters, max_size=3))
    parts = [letters, *(st.just(text) for text in texts)]
    text = "".join(data.draw(st.lists(st.one_of(*parts), max_size=5)))
    pieces = quotes(*texts, is_written=is_written, whole=dict(enumerate(texts))).hidden(text)
    assert shown(pieces, dict(enumerate(texts))) == text
    assert len(shown(pieces, {})) == len(text)
