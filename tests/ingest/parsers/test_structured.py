"""JSON keeps every key with its value; what is wrong is named by line and column."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.document import BlockKind
from core.errors import DocumentError, EmptyDocumentError, InvalidJsonError, NestedTooDeepError
from ingest.parsers.text.structured import JsonParser


def text_of(source: str, name: str = "x.json") -> str:
    return JsonParser().parse(source.encode(), name).text


def test_an_object_becomes_lines_and_sections() -> None:
    source = json.dumps(
        {
            "name": "水泵",
            "server": {"host": "a.test", "port": 8080, "tls": {"on": True, "ca": None}},
            "note": "长" * 300,
            "tags": ["a", "b"],
            "rows": [{"code": "E1", "means": "hot"}, {"code": "E2", "means": "no | water"}],
        }
    )
    document = JsonParser().parse(source.encode(), "x.json")
    assert document.title == "水泵"
    assert [(b.kind.value, b.section_path, b.span.of(document.text)) for b in document.blocks] == [
        ("paragraph", (), "- name: 水泵"),
        ("paragraph", (), "note: " + "长" * 300),
        ("paragraph", (), "- tags: a, b"),
        ("heading", ("server",), "server"),
        (
            "paragraph",
            ("server",),
            "- server.host: a.test\n- server.port: 8080\n- server.tls.on: true\n- server.tls.ca: null",
        ),
        ("heading", ("rows",), "rows"),
        ("table", ("rows",), "| code | means |\n| --- | --- |\n| E1 | hot |\n| E2 | no \\| water |"),
    ]


def test_records_have_a_heading_each() -> None:
    source = '[{"title": "First", "body": {"a": [1, [2, 3]]}}, {"title": "Second", "x": []}]'
    document = JsonParser().parse(source.encode(), "x.json")
    titles = [b.section_path for b in document.blocks if b.kind is BlockKind.HEADING]
    assert titles == [("[0] First",), ("[1] Second",)]
    assert "- body.a: 1, [2, 3]" in document.text
    assert "- x: (empty)" in document.text


def test_numbers_duplicates_and_odd_values_stand_as_in_the_file() -> None:
    text = text_of(
        '{"n": 12345678901234567890.10, "e": 1E5, "nan": NaN, "d": 1, "d": 2, "u": "\\u4e2d", "t": "a\tb"}'
    )
    for line in ("n: 12345678901234567890.10", "e: 1E5", "nan: NaN", "d: 1", "d: 2", "u: 中", "t: a\tb"):
        assert f"- {line}" in text.splitlines()


def test_half_a_surrogate_pair_is_shown_and_counted() -> None:
    document = JsonParser().parse(b'{"a": "x\\ud800"}', "x.json")
    assert document.text == "- a: x\ufffd"
    assert [notice.code for notice in document.notices] == ["bytes_replaced"]


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        ('{"a": [1,\n  2', InvalidJsonError, "第 2 行第 4 列"),
        ("{'a': 1}", InvalidJsonError, "第 1 行第 2 列"),
        ("[" * 100_000, NestedTooDeepError, "100"),
        ("[" * 150 + "]" * 150, NestedTooDeepError, "100"),
        ("[]", EmptyDocumentError, "x.json"),
        ("null", EmptyDocumentError, "x.json"),
    ],
)
def test_what_is_wrong_is_said(source: str, error: type[DocumentError], words: str) -> None:
    with pytest.raises(error) as caught:
        text_of(source)
    assert words in caught.value.message("zh")


def test_lines_of_records_and_a_bad_line_among_them() -> None:
    source = '{"question": "几天?", "answer": {"d": 5}}\n\n{"question": "Where?"}\nnot json\n'
    document = JsonParser().parse(source.encode(), "x.jsonl")
    titles = [b.section_path for b in document.blocks if b.kind is BlockKind.HEADING]
    assert titles == [("[0] 几天?",), ("[1] Where?",)]
    assert "not json" in document.text
    assert [(n.code, dict(n.details)) for n in document.notices] == [("lines_not_json", {"lines": "4"})]
    assert text_of('{"a": 1}\n{"a": 2}\n', "lines.json") == "| a |\n| --- |\n| 1 |\n| 2 |"
    with pytest.raises(InvalidJsonError):
        text_of("no\nno\n", "x.jsonl")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet="ab中 .", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet="kl键", max_size=3), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(_JSON)
def test_no_text_or_number_is_lost(value: object) -> None:
    try:
        text = text_of(json.dumps(value))
    except EmptyDocumentError:
        return
    for leaf in _leaves(value):
        assert " ".join(str(leaf).split()) in " ".join(text.split())


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for child in value.values() for leaf in _leaves(child)]
    if isinstance(value, list):
        return [leaf for child in value for leaf in _leaves(child)]
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else []
