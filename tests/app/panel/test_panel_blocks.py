"""Blocks as the panel draws them: the words of the source, without marks, in exact layers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.panel.blocks import Layers, Renderer, words_of
from app.panel.markup import plain
from core.document import Document
from core.span import Span
from ingest.parsers.text.markdown import MarkdownParser

SOURCE = """\
# 手册 #

**注意：**温度不得超过`40 °C`，见[附录](#a)与 \\*注\\*。

- 第一项
  - 第*二*项

> 引文

| 城市 | 普通\\|经理 |
| --- | --- |
| **北京** | 400元 |
| 上海 | 600元 |

```
x = a[1]
```
"""


def parsed(source: str) -> Document:
    return MarkdownParser().parse(source.encode(), "a.md")


def drawn(source: str, passage: Span, *strong: Span, window: Span | None = None) -> list[dict[str, Any]]:
    document = parsed(source)
    layers = Layers(passage=passage, strong=strong)
    renderer = Renderer(
        text=document.text, media_type=document.media_type, blocks=document.blocks, layers=layers
    )
    return renderer.drawn(window or Span(0, len(document.text)))


def runs_of(blocks: list[dict[str, Any]]) -> list[dict[str, str]]:
    cells = [cell for block in blocks for row in (block.get("rows", [])) for cell in row]
    heads = [cell for block in blocks for cell in block.get("head", [])]
    return [run for runs in (*(b.get("runs", []) for b in blocks), *heads, *cells) for run in runs]


def test_a_reader_sees_words_and_structure_but_no_marks() -> None:
    blocks = drawn(SOURCE, Span(0, len(SOURCE)))
    assert [block["kind"] for block in blocks] == [
        "heading", "paragraph", "list_item", "list_item", "paragraph", "table", "code",
    ]  # fmt: skip
    assert [words_of([block]) for block in blocks[:5]] == [
        "手册",
        "注意：温度不得超过40 °C，见附录(#a)与 *注*。",
        "第一项",
        "第二项",
        "引文",
    ]
    assert [(block["depth"], block["bullet"]) for block in blocks[2:4]] == [(0, True), (1, True)]
    assert words_of([blocks[5]]) == "北京 | 400元\n上海 | 600元"
    assert "".join(run["text"] for run in blocks[5]["head"][1]) == "普通|经理"
    assert words_of([blocks[6]]) == "x = a[1]"
    styles = {run["text"]: run["style"] for run in runs_of(blocks) if run["style"]}
    assert styles == {"注意：": "strong", "40 °C": "code", "(#a)": "dim", "二": "emphasis", "北京": "strong"}


def test_only_the_strong_words_are_strong_even_inside_marks_and_cells() -> None:
    start = SOURCE.index("意：")
    end = SOURCE.index("40 °C") + 2
    cell = SOURCE.index("400元")
    blocks = drawn(SOURCE, Span(0, cell + 4), Span(start, end), Span(cell, cell + 3))
    layers = {layer: "".join(r["text"] for r in runs_of(blocks) if r["layer"] == layer) for layer in
              ("strong", "context")}  # fmt: skip
    assert layers == {"strong": "意：温度不得超过40400", "context": "x = a[1]上海600元"}


def test_a_table_cut_anywhere_keeps_its_header() -> None:
    at = SOURCE.index("| 上海")
    (table,) = drawn(SOURCE, Span(at, at + 5), window=Span(at, at + 12))
    assert ["".join(r["text"] for r in cell) for cell in table["head"]] == ["城市", "普通|经理"]
    assert words_of([table]) == "上海 | 600元"


def test_words_that_look_like_markup_stay_words() -> None:
    hostile = '<script>alert(1)</script> <img src=x onerror="a"> 5 * 3 * 2, snake_case_name, a**b'
    (block,) = drawn(hostile, Span(0, 5))
    assert words_of([block]) == hostile
    plain_text = Renderer(
        text="# 1 **x**", media_type="text/plain", blocks=(), layers=Layers(passage=Span(0, 9))
    )
    assert words_of(plain_text.drawn(Span(0, 9))) == "# 1 **x**"


@given(
    st.text(alphabet="ab *_`[]()|\\#->\n1.", min_size=1, max_size=80), st.integers(0, 79), st.integers(1, 30)
)
def test_whatever_is_written_nothing_but_marks_is_left_out(source: str, start: int, length: int) -> None:
    text = f"x{source}x"
    strong = Span(min(start, len(text) - 1), min(start + length, len(text)) if start + length > 0 else 1)
    blocks = drawn(text, Span(0, len(text)), strong)
    letters = [char for run in runs_of(blocks) for char in run["text"] if char in "abx"]
    assert letters == [char for char in text if char in "abx"]
    marked = [
        char for run in runs_of(blocks) if run["layer"] == "strong" for char in run["text"] if char in "abx"
    ]
    assert marked == [char for char in strong.of(text) if char in "abx"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("| a | b |\n| --- | --- |\n| **1** | 2 |", "a · b\n1 · 2"),
        ("## 标题\n- [链](x)", "标题\n链(x)"),
    ],
)
def test_a_hint_has_no_marks(source: str, said: str) -> None:
    assert plain(source, "text/markdown") == said
