"""Comparing texts: what is marked is exactly what differs, and no text makes it slow."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.span import Span
from ingest.versions.compare import Comparison, Side, compare, stretches
from ingest.versions.matching import common
from ingest.versions.words import changed_spans, words_of

OLD = "第一条 年假五天。\n\n第二条 病假须有证明。\n第三条 急诊除外。\n\nThe pump runs at 40 bar."
NEW = "第一条 年假六天。\n\n第二条 病假须有证明。\n第二条之一 事假须事先批准。\n\nThe pump runs at 45 bar."


def marked(text: str, spans: tuple[Span, ...]) -> list[str]:
    return [span.of(text) for span in spans]


def changes(old: str, new: str) -> list[tuple[list[str], list[str]]]:
    def of(side: Side | None, text: str) -> list[str]:
        return marked(text, side.changed) if side else []

    return [(of(r.old, old), of(r.new, new)) for r in compare(old, new).rows if r.is_changed]


def test_changed_words_are_marked_and_unlike_lines_stand_alone() -> None:
    assert changes(OLD, NEW) == [
        (["五天"], ["六天"]),
        (["第三条 急诊除外。"], []),
        ([], ["第二条之一 事假须事先批准。"]),
        (["40"], ["45"]),
    ]


def test_blank_lines_and_blanks_at_the_end_do_not_count_but_indentation_does() -> None:
    assert not any(row.is_changed for row in compare("a\n\nb  \n", "a\nb").rows)
    assert changes("if x:\n    go()", "if x:\ngo()")
    assert compare("", "").rows == ()


def test_a_line_that_came_is_all_new() -> None:
    assert changes("", "neu\n") == [([], ["neu"])]
    assert (compare("", "neu\n").added, compare("", "neu\n").removed) == (3, 0)


def lines(side: str, comparison: Comparison, text: str) -> list[str]:
    found = [getattr(row, side) for row in comparison.rows]
    return [one.span.of(text) for one in found if one]


def without_changes(side: str, comparison: Comparison, text: str) -> str:
    kept = []
    for row in comparison.rows:
        one = getattr(row, side)
        if one is None:
            continue
        at = one.span.start
        for span in (*one.changed, Span(one.span.end, one.span.end + 1)):
            kept.append(text[at : span.start])
            at = span.end
    return "".join(kept)


TEXTS = st.lists(
    st.sampled_from(["甲乙丙丁", "第一条 员工", "a b c", "a x c", "  code()", "", "重复", "重复 行"]),
    max_size=9,
)


@given(TEXTS, TEXTS)
def test_every_line_is_there_once_in_order_and_what_is_not_marked_is_equal(
    a: list[str], b: list[str]
) -> None:
    old, new = "\n".join(a), "\n".join(b)
    found = compare(old, new)
    assert lines("old", found, old) == [line for line in a if line]
    assert lines("new", found, new) == [line for line in b if line]
    assert without_changes("old", found, old) == without_changes("new", found, new)
    assert (found.removed, found.added) == (0, 0) or [x for x in a if x] != [x for x in b if x]


@given(st.text(alphabet="甲乙丙 ab1,。\n", max_size=30), st.text(alphabet="甲乙丙 ab1,。\n", max_size=30))
def test_words_lose_nothing_and_unmarked_words_are_the_same_on_both_sides(old: str, new: str) -> None:
    assert "".join(words_of(old)) == old
    if old and new:
        gone, come = changed_spans(old, new)
        kept = ["".join(c for i, c in enumerate(t) if not any(s.start <= i < s.end for s in spans))
                for t, spans in ((old, gone), (new, come))]  # fmt: skip
        assert kept[0] == kept[1]


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_what_is_common_ascends_and_is_equal(a: list[int], b: list[int]) -> None:
    pairs = common(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(pairs))
    if a == b:
        assert len(pairs) == len(a)


def _long(kind: str) -> tuple[str, str]:
    dice = random.Random(7)
    words = ["研究", "数据", "系统", "设备", "检查", "记录", "规定", "应当", "年假", "the", "of", "rule"]
    many = ["".join(dice.choices(words, k=dice.randint(5, 50))) for _ in range(4_000)]
    other = many[:]
    dice.shuffle(other)
    return {
        "edited": (
            "\n".join(many),
            "\n".join(x[:-1] + "改" if i % 9 == 0 else x for i, x in enumerate(many)),
        ),
        "shuffled": ("\n".join(many), "\n".join(other)),
        "one line": ("".join(many), "".join(x for i, x in enumerate(many) if i % 99)),
        "repeated": ("甲行\n乙行\n" * 20_000, "乙行\n甲行\n" * 20_000 + "丙"),
        "letters": ("ab " * 100_000, "ba " * 100_000),
    }[kind]


@pytest.mark.parametrize("kind", ["edited", "shuffled", "one line", "repeated", "letters"])
def test_long_texts_are_compared_in_seconds_whatever_they_are(kind: str) -> None:
    old, new = _long(kind)
    started = time.process_time()
    compare(old, new)
    assert time.process_time() - started < 6


def test_unchanged_lines_lie_between_stretches() -> None:
    old = "\n".join(f"line {n}" for n in range(20))
    new = old.replace("line 5\n", "line five\n").replace("line 15\n", "")
    found = stretches(compare(old, new))
    assert [(near, len(rows)) for near, rows in found] == [
        (False, 4),
        (True, 3),
        (False, 7),
        (True, 3),
        (False, 3),
    ]
