"""What several tests of parsers ask of a document, and of a packed file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from core.document import Document
from core.messages import render


def codes(document: Document) -> dict[str, dict[str, str]]:
    """Details by code of the document's notices, each of which can be said in both languages."""
    for notice in document.notices:
        for language in ("zh", "en"):
            assert "?" not in render(notice.code, language, **dict(notice.details))
    return {notice.code: dict(notice.details) for notice in document.notices}


def edited(data: bytes, part: str, edit: Callable[[bytes], bytes]) -> bytes:
    """The package with one part changed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, edit(old.read(name)) if name == part else old.read(name))
    return stream.getvalue()
