"""Ids of passages become numbers, in every form and however the stream is cut; nothing else does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.answerers.cited_ids import CitedIds, new_ids

IDS = ("k7qd", "m3xz", "p9wb")
MARK = "0badf00d"
CASES = [
    # text, shown, passages by number, unknown
    ("甲[k7qd]。", "甲[1]。", [0], 0),
    ("甲【m3xz】。乙[k7qd]。", "甲[1]。乙[2]。", [1, 0], 0),
    ("甲［Ｋ７ｑｄ］。", "甲[1]。", [0], 0),
    ("甲〔p9wb〕。", "甲[1]。", [2], 0),
    ("甲[k7qd, m3xz]。", "甲[1][2]。", [0, 1], 0),
    ("甲[k7qd、m3xz；p9wb]。", "甲[1][2][3]。", [0, 1, 2], 0),
    ("甲[^k7qd]。", "甲[1]。", [0], 0),
    ("甲（k7qd）。", "甲[1]。", [0], 0),
    ("甲[来源 k7qd]。", "甲[1]。", [0], 0),
    ("甲[k7qd†L1-L3]。", "甲[1]。", [0], 0),
    ("according to k7qd it is", "according to [1] it is", [0], 0),
    ("甲[k7qd][k7qd]。", "甲[1]。", [0], 0),
    ("甲[k7qd, 8]。", "甲[1]。", [0], 1),
    # Copied from a document, or made up.
    ("甲 [8]。", "甲。", [], 1),
    ("甲[1-3]。", "甲。", [], 2),
    ("甲[0][999][-1]。", "甲。", [], 3),
    ("甲[zz99]。", "甲。", [], 1),
    ("甲[来源1]。", "甲。", [], 1),
    # No marks at all.
    ("见[附件一]和[2024]。", "见[附件一]和[2024]。", [], 0),
    ("(1) 甲 (a) 乙", "(1) 甲 (a) 乙", [], 0),
    ("a[1] stays, E2[k7qd] too", "a[1] stays, E2 [1] too", [0], 0),
    ("`b[2]` and ```\nx[1]\n```", "`b[2]` and ```\nx[1]\n```", [], 0),
    ("`b[2] [k7qd]` x", "`b[2]`[1] x", [0], 0),
    ("```\nx[1] [k7qd]\n```\n后", "```\nx[1] \n```\n[1]\n后", [0], 0),
    ("- [ ] 待办 [x]", "- [ ] 待办 [x]", [], 0),
    # The delimiters repeated.
    ("<<0badf00d k7qd>>\n甲\n<<0badf00d end>>", "甲\n", [], 0),
    ("<<deadbeef k7qd>>甲", "<<deadbeef [1]>>甲", [0], 0),
]


@pytest.mark.parametrize(("text", "shown", "passages", "unknown"), CASES)
def test_marks_in_every_form(text: str, shown: str, passages: list[int], unknown: int) -> None:
    for cut in range(len(text) + 1):
        reader = CitedIds(IDS, MARK)
        assert reader.feed(text[:cut]) + reader.feed(text[cut:]) + reader.finish() == shown == reader.text
        assert list(reader.order.values()) == passages
        assert list(reader.order) == list(range(1, len(passages) + 1))
        assert reader.unknown == unknown


def test_the_word_of_refusal_is_never_shown() -> None:
    for cut in range(12):
        reader = CitedIds(IDS, MARK)
        shown = reader.feed("NO_EVIDENCE"[:cut]) + reader.feed("NO_EVIDENCE"[cut:]) + reader.finish()
        assert (shown, reader.refused) == ("", True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("每年5天[k7qd]。满十年的，每年享受1", "每年5天[1]。满十年的，每年享受"),
        ("每年5天[k7qd]。满十年[m3", "每年5天[1]。满十年"),
        ("Once a year [k7qd]. Every 50", "Once a year [1]. Every "),
        ("每年5天[k7qd]。", "每年5天[1]。"),
    ],
)
def test_a_text_that_broke_off_ends_with_what_is_whole(text: str, shown: str) -> None:
    reader = CitedIds(IDS, MARK)
    assert reader.feed(text) + reader.finish(cut=True) == shown


_PIECES = st.sampled_from(
    [
        "k7qd",
        "[k7qd]",
        "[m3xz, k7qd]",
        "[",
        "]",
        "【",
        "】",
        "(",
        ")",
        "<",
        ">",
        "`",
        "```",
        "\n",
        " ",
        "甲",
        "a",
        "[8]",
        "NO_EVIDENCE",
        "。",
    ]
)


@given(st.lists(_PIECES, max_size=12).map("".join), st.lists(st.integers(0, 80), max_size=4))
def test_no_id_is_ever_shown_and_cuts_change_nothing(text: str, cuts: list[int]) -> None:
    whole = CitedIds(IDS, MARK)
    shown = whole.feed(text) + whole.finish()
    assert not re.search(rf"(?<![A-Za-z0-9_])(?:{'|'.join(IDS)})(?![A-Za-z0-9_])", shown)
    reader, at, pieces = CitedIds(IDS, MARK), 0, ""
    for cut in sorted(cuts):
        pieces += reader.feed(text[at:cut])
        at = max(at, cut)
    assert pieces + reader.feed(text[at:]) + reader.finish() == shown
    assert reader.order == whole.order


def test_ids_stand_in_no_passage_and_differ_each_time() -> None:
    texts = [" ".join(new_ids(200, []))]
    ids = new_ids(50, texts)
    assert len(set(ids)) == 50
    assert not any(id_ in texts[0] for id_ in ids)
    assert not set(ids) & set(new_ids(50, [*texts, " ".join(ids)]))
    assert all(re.fullmatch(r"[a-z][a-z0-9]{3}", id_) and re.search(r"\d", id_) for id_ in ids)
