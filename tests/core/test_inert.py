"""Nothing a document or a model says may load from elsewhere or run in the browser, in whole or in pieces."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.inert import InertStream, inert, literal

_EVIL = "//evil.example/a.png"
PAYLOADS = [
    "![x](https://evil.example/a.png)", f"![x]({_EVIL})", "![](https://evil.example/a.png)",
    "![x][ref]\n\n[ref]: https://evil.example/a.png", f"![ref]\n\n[ref]:\n{_EVIL}", f"[ref]\n\n> [ref]: {_EVIL}",
    f"![ref][]\n\n- [ref]: {_EVIL} 'title'", f"[a\nb]\n\n[a\nb]: {_EVIL}", f"[^1]\n\n[^1]: ![x]({_EVIL})",
    "![a](<https://evil.example/a b.png>)", f"![a [b] c]({_EVIL})", f"![a\nb]({_EVIL})", f"![a\\]b]({_EVIL})",
    "[click](https://evil.example)", f"[click]({_EVIL} \"title\")", "[](https://evil.example)",
    f"[a [b] c]({_EVIL})", "[`a`](https://evil.example)", "[1](https://evil.example)", f"[1][2]({_EVIL})",
    "[click](javascript:alert(1))", "[click](JaVaScRiPt:alert(1))", "[click](java&#115;cript:alert(1))",
    "[click](data:text/html;base64,PHNjcmlwdD4=)", "[click](vbscript:x)", "[click](file:///etc/passwd)",
    "[![x](https://evil.example/a.png)](https://evil.example)", f"[click]![({_EVIL})](u)", f"[x]![:]({_EVIL}) {_EVIL}",
    "<img src=https://evil.example/a.png>", "<IMG SRC=//evil.example/a.png>", "<img\nsrc=//evil.example/a.png>",
    "<script>alert(1)</script>", "<iframe src='//evil.example'></iframe>", "</details><svg onload=alert(1)>",
    "<a href=//evil.example>x</a>", "<style>@import '//evil.example'</style>", "<!-- x --><b>", "<!DOCTYPE x>",
    "<?php x ?>", "<[img src=//evil.example](x)>", "<![img src=//evil.example/a.png](x)>", "<math><mtext>x",
    "<https://evil.example>", "<mailto:a@evil.example>", "<javascript:alert(1)>", "<a@evil.example>",
    "https://evil.example/movie.mp4", "www.evil.example", "请看https://evil.example/路径", "HTTPS://EVIL.EXAMPLE",
    "a@evil.example", "https\\://evil.example", "https&#58;//evil.example", "&#104;ttps://evil.example",
    "www&period;evil.example", "www\\.evil.example", "ht![tps://evil.example](u)", "ht[tps://evil.example](u)",
    "ht\u200btps://evil.example", "w\u202eww.evil.example", f"`![x]({_EVIL})", f"\\`![x]({_EVIL})`",
    "`https://evil.example", "``https://evil.example`", f"``` ![x]({_EVIL})", f"~~~\n```\n~~~\n![x]({_EVIL})\n```",
    f"- a\n\n  ```\n![x]({_EVIL})\n```", f"> ```\n![x]({_EVIL})\n```", f"```\nx\n```\n![x]({_EVIL})",
    f"| `a | ![x]({_EVIL}) b` |\n| --- | --- |", ":img[x]{src=//evil.example}", "::iframe{src=//evil.example}",
    ":::note\nx\n:::", "型号:T200", f"&#33;&#91;x&#93;&#40;{_EVIL}&#41;", f"\\![x]({_EVIL})", f"!\\[x]({_EVIL})",
]  # fmt: skip
_RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LIVE = {"image", "link_open", "html_inline", "html_block"}
# What GitHub's Markdown makes links of in plain text.
_ADDRESS = re.compile(r"https?://|www\.|\w@\w[\w-]*\.\w", re.IGNORECASE)
_CODE = re.compile(r"^```.*?(?:^ {0,3}```|\Z)|`[^`]*`", re.DOTALL | re.MULTILINE)


def tokens_of(markdown: str) -> Iterator[Token]:
    for token in _RENDERER.parse(markdown):
        yield token
        yield from token.children or ()


def assert_inert(shown: str) -> None:
    for token in tokens_of(shown):
        assert token.type not in _LIVE, (token.type, shown)
        assert token.type != "text" or not _ADDRESS.search(token.content), (token.content, shown)
    # Directives: Chainlit draws those that it does not know as nothing.
    assert not re.search(r":[A-Za-z:]", _CODE.sub("", shown)), shown


def in_pieces(text: str, cuts: list[int]) -> str:
    stream, at, shown = InertStream(), 0, ""
    for cut in sorted(cuts):
        shown += stream.feed(text[at:cut])
        at = max(at, cut)
    return shown + stream.feed(text[at:]) + stream.finish()


def test_there_are_enough_payloads_and_they_are_live() -> None:
    assert len(PAYLOADS) >= 60
    live = [
        p for p in PAYLOADS if any(t.type in _LIVE for t in tokens_of(p)) or _ADDRESS.search(p) or ":" in p
    ]
    assert len(live) >= 60


@pytest.mark.parametrize("payload", PAYLOADS)
def test_payloads_are_inert_however_the_stream_is_cut(payload: str) -> None:
    for before, after in (("", ""), ("甲 ", " 乙。 end [1] "), ("before\n\n", "\n\n`code` [1]")):
        whole = inert(before + payload + after)
        assert_inert(whole)
        for cut in range(len(before) + len(payload) + 1):
            assert in_pieces(before + payload + after, [cut]) == whole
        assert in_pieces(before + payload + after, list(range(200))) == whole


_PIECES = st.sampled_from(
    [
        "![",
        "[",
        "]",
        "(",
        ")",
        "](",
        "]:",
        "!",
        "<",
        "`",
        "``",
        "```",
        "```\n",
        "\n",
        ">",
        "-",
        "~~~\n",
        "\\",
        "\\\\",
        "&#104;",
        "&lt;",
        "&#91;",
        "&#58;",
        "&colon;",
        "ht",
        "tps://evil.example",
        "w",
        "ww.evil.example",
        "www",
        "@evil.example",
        "a@evil.example",
        ":",
        "::",
        ":::",
        "[^1]",
        "[1]",
        "甲",
        "。",
        "x",
        "T200",
        "|",
        "*",
        "**",
        "_",
        "~",
        "\r",
        "\t",
        "{",
        "}",
        "a",
        "0",
        "&",
        ".",
        "/",
        "![x](//evil.example)",
        "[a](https://evil.example)",
        "<b>",
        "https\\://evil.example",
    ]
)


@given(
    st.lists(_PIECES, max_size=14),
    st.lists(st.integers(0, 150), max_size=5),
    st.sampled_from(["", " ", "\n"]),
)
def test_no_combination_is_live_and_pieces_are_the_whole(
    pieces: list[str], cuts: list[int], glue: str
) -> None:
    text = glue.join(pieces)
    shown = inert(text)
    assert_inert(shown)
    assert in_pieces(text, cuts) == shown


PLAIN = [
    "年假5天[1]。若 a < b 则 2 > 1；`a[1]` 不变 [2][3]。",
    "| 城市 | 标准 |\n| --- | --- |\n| 一线 | 400元 |",
    "# 标题\n\n- **重点**：12:30 开始\n- *其次*\n\n1. 一\n2. 二",
    "```python\nif a<b: print(x[1](y), '<b>', 'https://a.b')\n```\n然后[1]。",
    "见[附件一]（第3条），50% & 100%；a/b, c-d_e ~ f $5 #7 + 'x' \"y\"",
]


@pytest.mark.parametrize("text", PLAIN)
def test_words_markers_tables_and_code_stay(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("图 ![说明](https://a.b/c.png)。", "图 说明。"),
        ("[手册](https://a.b/c) 有", "手册 (`https://a.b/c`) 有"),
        ("见https://a.b/c。下句[1]。", "见`https://a.b/c`。下句[1]。"),
        ("[1](https://a.b)", "[1] (`https://a.b`)"),
        ("写信给 a.b@c.de 吧", "写信给 `a.b@c.de` 吧"),
        ("型号:T200", "型号&#58;T200"),
        ("List<int> 与 C:\\Users", "List&lt;int> 与 C:&#92;Users"),
        ("```\n没有关上", "```\n没有关上\n```"),
    ],
)
def test_what_is_taken_away_leaves_its_words(text: str, shown: str) -> None:
    assert inert(text) == shown
    rendered = "".join(t.content for t in tokens_of(shown) if t.type in ("text", "code_inline", "fence"))
    words = re.compile(r"https?://[!-~]*|\W")
    assert words.sub("", rendered) == words.sub("", text)


def test_what_is_inert_stays_as_it_is() -> None:
    for payload in PAYLOADS:
        once = inert(payload)
        assert inert(once) == once


@pytest.mark.parametrize(
    "name",
    [
        "__init__.py",
        "a*b*c.txt",
        "[link](javascript:alert(1)) `code` **b**.txt",
        "<b>x</b> & ~~y~~.md",
        "&lt;b&gt;.md",
        "a\\_b_.md",
        "![i](http://x/y_z_.png)",
    ],
)
def test_a_name_is_shown_to_the_letter(name: str) -> None:
    drawn = MarkdownIt().render(f"*{literal(name)}*")
    assert html.unescape(re.sub(r"<[^>]*>", "", drawn)).strip() == name
    assert set(re.findall(r"<(\w+)", drawn)) <= {"p", "em", "code"}
