"""Captions, notebooks and source code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.document import BlockKind
from core.errors import DamagedDocumentError, InvalidJsonError
from ingest.parsers.text.captions import CaptionsParser
from ingest.parsers.text.notebook import NotebookParser
from ingest.parsers.text.source_code import SourceCodeParser


def captions(source: str) -> list[str]:
    document = CaptionsParser().parse(source.encode(), "x.vtt")
    return [block.span.of(document.text) for block in document.blocks]


def test_cues_join_into_timed_paragraphs() -> None:
    cues = "".join(f"{n}\n00:00:{n * 5:02},000 --> 00:00:{n * 5 + 4:02},000\nLine {n}.\n\n" for n in range(9))
    assert captions(cues) == [
        "[00:00:00] Line 0. Line 1. Line 2. Line 3. Line 4. Line 5.",
        "[00:00:30] Line 6. Line 7. Line 8.",
    ]


def test_voices_notes_tags_and_rolling_lines() -> None:
    source = (
        "WEBVTT - 访谈\r\n\r\nNOTE nothing\r\n\r\nSTYLE\r\n::cue {}\r\n\r\n"
        "01:02:03.000 --> 01:02:05.000 align:left\r\n<v 甲>你好 <i>世界</i> &amp; 大家\r\n\r\n"
        "01:02:05.000 --> 01:02:07.000\r\n<v 乙>早\r\n\r\n01:02:07.000 --> 01:02:09.000\r\n<v 乙>早 上好\r\n"
    )
    assert captions(source) == ["[01:02:03] 甲: 你好 世界 & 大家", "[01:02:05] 乙: 早 上好"]
    assert CaptionsParser().parse(source.encode(), "x.vtt").title == "访谈"


def test_captions_without_times_are_refused() -> None:
    with pytest.raises(DamagedDocumentError):
        captions("WEBVTT\n\nno time here\n")


def notebook(*cells: dict[str, Any], **metadata: str) -> bytes:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode()


def test_a_notebook_keeps_markdown_code_and_output() -> None:
    data = notebook(
        {"cell_type": "markdown", "source": ["# **Sales**\n", "\n", "- a\n", "- b"]},
        {
            "cell_type": "code",
            "source": "print(1)",
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {
                    "output_type": "execute_result",
                    "data": {"text/html": "<p>", "text/plain": ["x  y\n", "1  2"]},
                },
                {"output_type": "display_data", "data": {"image/png": "aGk="}},
                {"output_type": "error", "ename": "ValueError", "evalue": "bad", "traceback": ["\x1b[31mno"]},
            ],
        },
    )
    document = NotebookParser().parse(data, "x.ipynb")
    assert document.title == "Sales"
    assert [(block.kind.value, block.span.of(document.text)) for block in document.blocks] == [
        ("heading", "Sales"),
        ("list_item", "- a"),
        ("list_item", "- b"),
        ("code", "print(1)"),
        ("code", "1"),
        ("code", "x  y\n1  2"),
        ("code", "ValueError: bad"),
    ]
    assert [(n.code, dict(n.details)) for n in document.notices] == [("outputs_left_out", {"count": "1"})]
    assert NotebookParser().parse(notebook(*json.loads(data)["cells"], title="T"), "x.ipynb").title == "T"


def test_what_is_no_notebook_is_refused() -> None:
    with pytest.raises(DamagedDocumentError):
        NotebookParser().parse(b"[1]", "x.ipynb")
    with pytest.raises(DamagedDocumentError):
        NotebookParser().parse(b'{"a": 1}', "x.ipynb")
    with pytest.raises(InvalidJsonError):
        NotebookParser().parse(b'{"cells": [', "x.ipynb")


def pieces(source: str, name: str = "x.py") -> list[str]:
    document = SourceCodeParser().parse(source.encode(), name)
    assert document.text == source
    assert all(block.kind is BlockKind.CODE for block in document.blocks)
    return [block.span.of(source) for block in document.blocks]


def test_a_definition_is_one_piece_with_its_comments_and_docstring() -> None:
    first = 'def one():\n    """Says.\n\nAt the margin, behind a blank line.\n    """\n\n    return {\n}'
    second = "# about two\n@cached\ndef two():\n    pass"
    third = "class Three:\n    x = '#'\n\n    def inner(self): ...\nelse_ = 1"
    assert pieces(f"import a\nimport b\n\n\n{first}\n\n{second}\n{third}\n") == [
        "import a\nimport b",
        first,
        second,
        third,
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("x.js", ["/* one\n\ntwo */\nfunction a() {\n\n  return '/*'\n}", "const b = 1"]),
        ("x.c", ["#include <a.h>\n#define B 1", "int main(void)\n{\n  int x;\n\n  return 0;\n}"]),
        ("x.sql", ["CREATE TABLE a (\n  id int\n);", "INSERT INTO a\nSELECT 1;", "-- last\nDELETE FROM a;"]),
        ("x.toml", ["[one]\na = 1", "[two]\nb = 2"]),
        ("x.yaml", ["a:\n  b: 1\nc:\n  - d", "e: 2"]),
    ],
)
def test_pieces_of_other_languages(name: str, parts: list[str]) -> None:
    separator = "\n" if name in ("x.sql", "x.toml") else "\n\n"
    assert pieces(separator.join(parts) + "\n", name) == parts
