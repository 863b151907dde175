"""Formats whose document text is the decoded file itself, unchanged: every offset is one of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.document import Block, Document
from core.language import language_of
from ingest.parsers.outline import heading_title, with_section_paths
from ingest.parsers.text.decode import decode


def plain_document(
    data: bytes,
    name: str,
    media_type: str,
    blocks_of: Callable[[str], Iterable[Block]],
    title_of: Callable[[str, tuple[Block, ...], str], str],
    *,
    heading_of: Callable[[str], str] = heading_title,
) -> Document:
    """The document from what finds its blocks (of the text) and its title (of text, blocks and file name).

    ``heading_of`` makes a heading's words from its source.

    Raises ``EncodingError``, ``EmptyDocumentError`` and ``UnsupportedFormatError``.
    """
    text, notices = decode(data, name)
    blocks = with_section_paths(blocks_of(text), text, heading_of)
    return Document(
        text=text,
        title=title_of(text, blocks, name),
        language=language_of(text),
        media_type=media_type,
        blocks=blocks,
        notices=notices,
    )
