"""Headers and footers: what stands on every page beside the text."""

from __future__ import annotations

import re
from typing import Final

from ingest.parsers.docx.package import WordPackage
from ingest.parsers.docx.seen import Ground
from ingest.parsers.docx.styles import Styles
from ingest.parsers.docx.text import WordReader
from ingest.parsers.docx.xml import W, value

_PAGE_NUMBER: Final = re.compile(r"(?:page|of|第|页|頁|共|[\W\d_]|\b[ivxlc]+\b)*", re.IGNORECASE)


def furniture_texts(package: WordPackage) -> list[str]:
    """The different lines of all headers and footers, page numbers apart."""
    styles = Styles(package.styles)
    texts: dict[str, None] = {}
    for root in package.furniture:
        reader = WordReader(styles)
        for paragraph in root.iter(W + "p"):
            look = styles.paragraph(value(paragraph, "pPr/pStyle")).look
            text = " ".join(reader.read(paragraph, look, Ground(None)).text.split())
            if not _PAGE_NUMBER.fullmatch(text):
                texts[text] = None
    return list(texts)
