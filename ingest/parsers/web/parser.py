"""Web pages: what a reader of the page sees, without the site's furniture. Nothing is ever fetched."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from core.document import Document
from core.errors import EmptyDocumentError, ScriptedPageError, UnsupportedFormatError
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.detect import KNOWN
from ingest.parsers.web.charset import decoded_page
from ingest.parsers.web.inline import line_of
from ingest.parsers.web.page import add_page
from ingest.parsers.web.tree import Element, parsed_html

# A piece of a page has no site around it: all of it was meant to be read.
_WHOLE_PAGE: Final = re.compile(r"<(?:!doctype\s+html|html|head|body|title)\b", re.IGNORECASE)
_HEAD_CHARS: Final = 65_536
_XHTML: Final = (".xhtml", ".xht")
_SAYS_NOTHING: Final = frozenset(
    [
        "untitled",
        "untitled document",
        "document",
        "index",
        "home",
        "new page",
        "无标题文档",
        "无标题",
        "新建网页 1",
        "首页",
    ]
)
_SEPARATORS: Final = " -|–—·•_:：»›«‹/～~丨｜"


class WebParser:
    """Reads ``.html``, ``.htm`` and ``.xhtml``, whole pages and pieces of them."""

    version = "html-1"
    media_type = "text/html"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``EmptyDocumentError``, ``EncodingError``, ``UnsupportedFormatError`` for binary data and
        ``ScriptedPageError`` for a page whose text would only be fetched by its scripts.
        """
        text, notices = decoded_page(data, name)
        if "\x00" in text[:_HEAD_CHARS]:
            raise UnsupportedFormatError(name=name, kind="binary", known=KNOWN)
        root = parsed_html(text, xhtml=PurePath(name).suffix.lower() in _XHTML)
        title, is_scripted = _title(root), root.has("script")
        builder = DocumentBuilder()
        for notice in notices:
            builder.notice(notice.code, **dict(notice.details))
        of_a_site = _WHOLE_PAGE.search(text, 0, _HEAD_CHARS) is not None
        add_page(builder, root, of_a_site=of_a_site).tell(builder)
        try:
            return builder.document(name=name, media_type=self.media_type, title=title)
        except EmptyDocumentError as exc:
            if is_scripted:
                raise ScriptedPageError(name=name) from exc
            raise


def _title(root: Element) -> str:
    """The page's title without the name of the site, where its main heading says which part that is."""
    written = next((line_of(element) for element in root.all("title")), "")
    heading = next((line_of(element) for element in root.all("h1")), "")
    if not written or written.lower() in _SAYS_NOTHING:
        return heading
    if heading and heading != written and len(heading) > 1:
        before, found, behind = written.partition(heading)
        if (
            found
            and _is_apart(before[-1:])
            and _is_apart(behind[:1])
            and (before + behind).strip(_SEPARATORS)
        ):
            return heading
    return written


def _is_apart(char: str) -> bool:
    return not char or char in _SEPARATORS
