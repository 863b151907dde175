"""A quote with all that is needed to find its place again, as people write it down."""

from __future__ import annotations

from collections.abc import Sequence

from app.panel.versions import VersionNote
from app.texts import text
from core.answer import Passage


def reference(
    quotes: Sequence[str], passage: Passage, pages: Sequence[int], version: VersionNote | None, language: str
) -> str:
    """The quotes and, behind them, document, section, page and version; parts that are not there are left out."""
    quote = " … ".join(" ".join(one.split()) for one in quotes)
    title = " ".join(passage.title.split())
    name = text("reference_file", language, file=passage.doc) if passage.doc != title else ""
    path = [" ".join(part.split()) for part in passage.section_path if part != passage.title]
    parts = [
        text("reference_title", language, title=title) + name,
        " › ".join(path),
        text("page", language, pages=", ".join(map(str, pages))) if pages else "",
        text("reference_version", language, number=version.number, added=version.added) if version else "",
    ]
    where = text("reference_comma", language).join(part for part in parts if part)
    return text("reference", language, quote=quote, where=where)
