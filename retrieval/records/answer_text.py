"""An answer's text as HTML: its Markdown, its numbers as links to the sources, its doubtful sentences marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from core.answer import Answer
from core.inert import inert as inert_markdown
from core.verdict import Verdict
from ingest.viewer.inert import attribute, inert
from retrieval.records.texts import word
from retrieval.records.words import BAR

# Signs for private use, which no text can bring along: they are taken out of it first.
_FIRST_SIGN: Final = 0xE000
_SIGNS: Final = re.compile("[\ue000-\uf8ff]")
# The place for a verdict: behind the last letter or marker, not behind the bar that closes a row of a table.
_TAIL: Final = re.compile(r"[\s|]*\Z")
_MARKER: Final = re.compile(r"\s*\[(\d{1,4})\]")
_BARS: Final = re.compile(f"{BAR}(?:{BAR}|[\\s。，、；：,.;:]*{BAR})*")
_DISABLED: Final = ("link", "image", "autolink", "html_inline", "html_block", "reference")


def answer_html(answer: Answer, numbers: Collection[int], language: str) -> str:
    """The text as HTML without images, foreign links and markup of its own; ``numbers`` are those of the sources."""
    text = _SIGNS.sub("\ufffd", answer.text)
    marked = [check for check in answer.checks if check.claim and check.verdict is not Verdict.SUPPORTED]
    for number, check in reversed(list(enumerate(marked[: 0xF8FF - _FIRST_SIGN]))):
        end = check.span.start + _TAIL.search(check.span.of(text)).start()  # type: ignore[union-attr]
        text = text[:end] + chr(_FIRST_SIGN + number) + text[end:]
    badges = [_badge(check.verdict, number, language) for number, check in enumerate(marked)]

    def shown(content: str) -> str:
        html = _MARKER.sub(lambda found: _chip(found, numbers), inert(content))
        return _SIGNS.sub(lambda found: badges[ord(found[0]) - _FIRST_SIGN], bars(html, language))

    # A sign that came to stand inside code is of no use there.
    return _SIGNS.sub("", _rendered(inert_markdown(text), shown))


def bars(html: str, language: str) -> str:
    """Words that are gone as one bar, however many they were."""
    title = attribute(word("gone", language))
    return _BARS.sub(f'<span class="gone" title="{title}">{BAR * 6}</span>', html)


def _badge(verdict: Verdict, number: int, language: str) -> str:
    said = word(verdict.value, language)
    return f'<a class="badge {verdict.value}" href="#c{number + 1}">{said}</a>'


def _chip(found: re.Match[str], numbers: Collection[int]) -> str:
    # The word joiner keeps the full stop behind a number on its line.
    n = int(found[1])
    return f'<a class="chip" href="#s{n}">{n}</a>&#8288;' if n in numbers else found[0]


def _rendered(markdown: str, shown: Callable[[str], str]) -> str:
    from markdown_it import MarkdownIt

    def text_rule(self: object, tokens: Sequence[Any], index: int, options: object, env: object) -> str:
        return shown(tokens[index].content)

    parser = (
        MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable(list(_DISABLED))
    )
    parser.add_render_rule("text", text_rule)
    return str(parser.render(markdown))
