"""The non-blank lines of a plain text, and what white space tells about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.span import Span, trimmed

_SENTENCE_END = frozenset("。！？；：.!?;:…”’」』）)】")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    """``span`` and ``source`` are without the white space at their ends; ``indent`` is in columns.

    ``blank_before``: nothing but a blank line (or the start of the text) stands before it.
    """

    span: Span
    source: str
    indent: int
    full_width_indent: bool
    blank_before: bool

    @property
    def ends_sentence(self) -> bool:
        return self.source[-1] in _SENTENCE_END

    @property
    def is_chinese(self) -> bool:
        return self.source[0] >= "\u2e80" or self.source[-1] >= "\u2e80"


def text_lines(text: str) -> list[TextLine]:
    """The lines in order; blank ones show only in what follows them."""
    found: list[TextLine] = []
    blank_before = True
    for start, line in _raw_lines(text):
        span = trimmed(text, start, start + len(line))
        if span is None:
            blank_before = True
            continue
        lead = text[start : span.start]
        found.append(
            TextLine(
                span=span,
                source=span.of(text),
                indent=sum(2 if char == "\u3000" else 1 for char in lead.expandtabs(8)),
                full_width_indent=lead.endswith("\u3000"),
                blank_before=blank_before,
            )
        )
        blank_before = False
    return found


def _raw_lines(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    for line in text.splitlines(keepends=True):
        yield position, line
        position += len(line)
