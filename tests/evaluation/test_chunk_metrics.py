"""What is said about chunks without searching, against slow second implementations and cases by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.document import Line
from core.span import Span
from evaluation.chunk_metrics import (
    Coverage,
    coverage,
    header_inheritance,
    page_retention,
    redundancy,
    sizes,
    table_integrity,
)
from evaluation.passage import Passage
from evaluation.rouge import common_subsequence, rouge_l
from ingest.parsers.text.markdown import MarkdownParser
from tests.evaluation.passages import passage
from tests.oracles import chunk_spans as oracle

RANGES = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
PAGE = "# Pumps\n\n## Errors\n\n| Code | Meaning |\n| --- | --- |\n| E1 | Hot |\n| E2 | Dry |\n\nCall us.\n"


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(RANGES, st.booleans()), max_size=6), RANGES)
def test_coverage_is_that_of_the_oracle(
    chunks: list[tuple[tuple[int, int], bool]], piece: tuple[int, int]
) -> None:
    chunks.sort()
    passages = [passage(start, end, follows=follows) for (start, end), follows in chunks]
    expected = oracle.coverage([c for c, _ in chunks], [f for _, f in chunks], *piece)
    assert coverage(passages, Span(*piece)) == expected


def test_a_section_border_is_no_neighbourhood() -> None:
    evidence = Span(5, 15)
    assert coverage([passage(0, 10), passage(10, 20)], evidence) is Coverage.JOINED
    assert coverage([passage(0, 10), passage(10, 20, follows=False)], evidence) is Coverage.TRUNCATED


@settings(max_examples=80, deadline=None)
@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_the_common_subsequence_is_that_of_the_textbook(a: str, b: str) -> None:
    assert common_subsequence(list(a), list(b)) == oracle.longest_common(a, b)


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("The seal is dry.", "the seal IS dry", 1.0),
        ("员工请病假", "员工请事假", 0.8),
        ("pump", "", 0.0),
        ("a b c d", "d c b a", 0.25),
    ],
)
def test_rouge_l(first: str, second: str, score: float) -> None:
    assert rouge_l(first, second) == pytest.approx(score)


def test_sizes_count_empty_chunks_and_both_limits() -> None:
    found = sizes([passage(0, 9, tokens=n) for n in (10, 400, 401, 600)], 1, 400, 512)
    assert (found.chunks, found.empty_rate, found.max_tokens) == (5, 0.2, 600)
    assert found.mean_tokens == pytest.approx(352.75)
    assert (found.over_limit, found.over_window) == (2, 1)
    assert sizes([], 0, 400, 512).mean_tokens == 0


def test_a_header_is_inherited_when_the_innermost_heading_is_embedded() -> None:
    document = MarkdownParser().parse(PAGE.encode(), "pumps.md")
    at = document.text.index("Call us")
    plain = passage(at, at + 8, text=document.text)
    headed = passage(at, at + 8, text=document.text, header="Pumps > Errors\n")
    wrong = passage(at, at + 8, text=document.text, header="Pumps\n")
    assert header_inheritance(document, [plain]) == [False]
    assert header_inheritance(document, [headed]) == [True]
    assert header_inheritance(document, [wrong]) == [False]
    assert header_inheritance(MarkdownParser().parse(b"Just text.", "a.md"), [passage(0, 4)]) == []


def test_a_passage_keeps_its_page_when_a_line_with_a_box_is_in_it() -> None:
    plain = MarkdownParser().parse(b"One line of text.\n\nAnother line.", "a.md")
    line = Line(page=3, span=Span(0, 17), x0=0, y0=0, x1=1, y1=1)
    printed = replace(plain, lines=(line,))
    assert page_retention(printed, [passage(0, 10), passage(10, 30), passage(19, 30)]) == [True, True, False]
    assert page_retention(plain, [passage(0, 10)]) == []


def test_a_row_counts_when_it_is_whole_and_its_columns_have_names() -> None:
    document = MarkdownParser().parse(PAGE.encode(), "pumps.md")
    text = document.text
    names, first, second = text.index("| Code"), text.index("| E1"), text.index("| E2")
    end = text.index("\n", second)

    def held(*found: Passage) -> list[bool]:
        return table_integrity(document, found)

    assert held(passage(names, end, text=text)) == [True, True]
    assert held(passage(names, second, text=text), passage(second, end, text=text)) == [True, False]
    repeated = passage(second, end, text=text, header="| Code | Meaning |\n")
    assert held(passage(names, second, text=text), repeated) == [True, True]
    cut = first + 4
    assert held(passage(names, cut, text=text), passage(cut, end, text=text)) == [False, False]


def test_redundancy_is_of_neighbours_in_one_document() -> None:
    text = "one two three four five six"
    overlapping = [passage(0, 18, text=text), passage(4, 27, text=text)]
    assert redundancy(overlapping) == pytest.approx(2 * 3 / (4 + 5))
    assert redundancy([passage(0, 7, text=text), passage(0, 7, doc="e", text=text)]) == 0.0
