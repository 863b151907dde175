"""Source code and configuration: the text is the file, unchanged; blocks are its top-level pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from core.document import Block, BlockKind, Document
from core.reading import DEFAULT_READING, Reading
from core.span import trimmed
from ingest.parsers.text.lines import TextLine, text_lines
from ingest.parsers.text.plain import plain_document

# Strings and comments over several lines: opening mark -> closing mark.
_LONG = {'"""': '"""', "'''": "'''", "/*": "*/", "<!--": "-->"}
_TOKEN = re.compile(
    r'"""|\'\'\'|/\*|<!--|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?<![\w$])#(?!include|define|if|end).*|(?<!:)//.*'
)
# A line at the margin that goes on with the piece above.
_GOES_ON = re.compile(
    r"[)}\]{,.;:&|+*/?<>-]+|</|(?:else|elif|except|finally|catch|end|then|do|fi|done|esac|when)\b", re.I
)
_OPENS_ANEW = re.compile(r"<(?![/!])|-\s|/\*|//|--\s|:root|\.[\w-]+.*\{|\*\s")
_DEFINES = re.compile(
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|unsafe|inline"
    r"|pub(?:\(\w+\))?)\s+)*"
    r"(?:def|class|function|func|fn|struct|enum|interface|trait|impl|type|module|namespace|package|record|object)"
    r"\s+[\w$*(]|\[\[?[\w.\"' -]+\]\]?$"
)
_STATEMENT = re.compile(r"(?:CREATE|ALTER|DROP|INSERT|UPDATE|DELETE|SELECT|WITH|GRANT)\b", re.IGNORECASE)
_LEADS = re.compile(r"#(?!include|define|if|end)|//|--|@|/\*|\*|;|%")


class SourceCodeParser:
    """Reads program text of any language; a comment stays with what it is about."""

    version = "code-1"
    media_type = "text/x-source"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EncodingError`` and ``EmptyDocumentError``."""
        return plain_document(data, name, self.media_type, _blocks, _title)


def _blocks(text: str) -> Iterator[Block]:
    lines = text_lines(text)
    starts = [lines[at].span.start for at in sorted(set(_starts(lines)))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if (span := trimmed(text, start, end)) is not None:
            yield Block(kind=BlockKind.CODE, span=span)


def _starts(lines: list[TextLine]) -> Iterator[int]:
    """Lines that begin a piece: at the margin behind a blank line, or a definition with its comments above."""
    margin = min((line.indent for line in lines), default=0)
    began = _began(lines)
    for at, line in enumerate(lines):
        if at == 0:
            yield 0
        elif began[at] < at or line.indent > margin:
            continue
        elif line.blank_before:
            if not _GOES_ON.match(line.source) or _OPENS_ANEW.match(line.source):
                yield at
        elif _DEFINES.match(line.source):
            yield _with_leads(lines, began, at)
        elif _STATEMENT.match(line.source):
            first = _with_leads(lines, began, at)
            if first == 0 or lines[first - 1].source.endswith(";"):
                yield first


def _began(lines: list[TextLine]) -> list[int]:
    """For each line, where the string or comment over several lines began that it goes on with, or itself."""
    began: list[int] = []
    awaited = ""
    for at, line in enumerate(lines):
        began.append(began[-1] if awaited else at)
        awaited = _still_open(line.source, awaited)
    return began


def _with_leads(lines: list[TextLine], began: list[int], at: int) -> int:
    """The first of the comments and decorators right above a line, or the line itself."""
    while at and not lines[at].blank_before and _LEADS.match(lines[began[at - 1]].source):
        at = began[at - 1]
    return at


def _still_open(source: str, inside: str) -> str:
    """The closing mark that is still awaited behind a line, or nothing."""
    position = 0
    while position < len(source):
        if inside:
            end = source.find(inside, position)
            if end < 0:
                return inside
            position, inside = end + len(inside), ""
            continue
        token = _TOKEN.search(source, position)
        if token is None:
            return ""
        position, inside = token.end(), _LONG.get(token.group(), "")
    return inside


def _title(text: str, blocks: tuple[Block, ...], name: str) -> str:
    del text, blocks
    return PurePath(name).name
