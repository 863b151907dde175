"""The outline of a PDF against its pages: bookmarks count when their titles stand where they lead."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.document import BlockKind
from ingest.parsers.pdf.furniture import PageContent
from ingest.parsers.pdf.page import PdfBlock

# Below this share of titles found on their pages the bookmarks describe another document.
_TRUSTED = 0.5
# The page may show a number of so many characters before the title.
_LONGEST_NUMBER = 12
_MOST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """An entry of the PDF's outline; ``page`` is 1-based."""

    level: int
    title: str
    page: int


def trusted_titles(pages: Sequence[PageContent], bookmarks: Sequence[Bookmark]) -> dict[int, dict[str, int]]:
    """Page number -> folded title -> level (1..6); empty when the bookmarks cannot be trusted."""
    words = {
        page.number: [_folded(block.words) for block in page.blocks if _may_be_title(block)] for page in pages
    }
    titles: dict[int, dict[str, int]] = defaultdict(dict)
    found = 0
    for bookmark in bookmarks:
        title = _folded(bookmark.title)
        if title and any(_is_title(text, title) for text in words.get(bookmark.page, ())):
            found += 1
            titles[bookmark.page].setdefault(title, min(max(bookmark.level, 1), 6))
    return titles if bookmarks and found >= _TRUSTED * len(bookmarks) else {}


def bookmarked_level(block: PdfBlock, titles: dict[str, int]) -> int | None:
    """The level of the bookmark that names the block, by the titles of its page."""
    if not titles or not _may_be_title(block):
        return None
    words = _folded(block.words)
    return next((level for title, level in titles.items() if _is_title(words, title)), None)


def _may_be_title(block: PdfBlock) -> bool:
    kinds = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    return block.kind in kinds and len(block.lines) <= _MOST_LINES and not block.is_addition


def _is_title(words: str, title: str) -> bool:
    return words == title or (words.endswith(title) and len(words) - len(title) <= _LONGEST_NUMBER)


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())
