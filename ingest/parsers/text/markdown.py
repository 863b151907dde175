"""Markdown: the document's text is the source, unchanged; markup stays in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from core.document import Block, BlockKind, Document
from core.reading import DEFAULT_READING, Reading
from core.span import trimmed
from ingest.parsers.outline import heading_title
from ingest.parsers.text.markdown_blocks import inline_text, markdown_blocks
from ingest.parsers.text.plain import plain_document

_FRONT_MATTER = re.compile(
    r"\A(---|\+\+\+)[ \t]*\r?\n(?P<fields>.*?)^(?:\1|\.\.\.)[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE
)
# A field, an entry of a list, a continued value, a comment: anything else is text between two rules.
_FIELD_LINE = re.compile(r"[\w\"'.-]+[\w \"'.-]*\s*[:=].*|\s*-\s.*|\s+\S.*|#.*|\s*|[\]}]")
_TITLE_FIELD = re.compile(r"^title\s*[:=]\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)
_MARKUP = re.compile(r"[*_`\[<&\\~]")
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^}]*\}$")
_MAX_TITLE_CHARS = 500
_TAG = re.compile(r"<[^>]+>")


class MarkdownParser:
    """Reads ``.md``; markup stays in the text, so that every offset is one of the source file."""

    version = "markdown-2"
    media_type = "text/markdown"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EncodingError`` and ``EmptyDocumentError``."""
        return plain_document(data, name, self.media_type, _blocks, _title, heading_of=markdown_title)


def markdown_title(source: str) -> str:
    """The words of a heading as a reader sees them: without marks, emphasis, link targets, tags."""
    title = _ATTRIBUTES.sub("", heading_title(source))[:_MAX_TITLE_CHARS]
    if not _MARKUP.search(title):
        return title
    if title.startswith("<"):
        title = _TAG.sub("", title)
    return " ".join(inline_text(title).split()) or title


def _blocks(text: str) -> Iterator[Block]:
    front = _front_matter(text)
    if front is not None and (span := trimmed(text, 0, front.end())):
        yield Block(kind=BlockKind.CODE, span=span)
    yield from markdown_blocks(text, front.end() if front else 0)


def _front_matter(text: str) -> re.Match[str] | None:
    found = _FRONT_MATTER.match(text)
    if found is None or not all(_FIELD_LINE.fullmatch(line) for line in found["fields"].splitlines()):
        return None
    return found


def _title(text: str, blocks: tuple[Block, ...], name: str) -> str:
    """The front matter's title, the first heading of level 1, the first heading, or the file's name."""
    front = _front_matter(text)
    if front is not None and (named := _TITLE_FIELD.search(front["fields"])):
        return named.group(1).strip("\"'")
    titles = [block for block in blocks if block.kind is BlockKind.HEADING]
    first = next((block for block in titles if block.level == 1), titles[0] if titles else None)
    return markdown_title(first.span.of(text)) if first else PurePath(name).stem
