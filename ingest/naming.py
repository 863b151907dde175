"""What a document is called where it is embedded: its title, and its file's name where that says more."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Final

_MARKS: Final = re.compile(r"[_\s]+")
# What programs and cameras call files, copies and versions, and keys that mean nothing to a reader.
_NOISE: Final = re.compile(
    r"\(\d+\)|（\d+）|\b(?:copy|final|draft|scan|img|dsc|untitled|document|download|doc|file|new|tmp|temp|page)[ -]*\d*\b"
    r"|副本|最终版|定稿|未命名|新建|文档|扫描件?|下载|\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b|\b\d{1,6}\b|\bv\d+(?:\.\d+)*\b",
    re.IGNORECASE,
)
_MAX_CHARS: Final = 80
_LETTERS: Final = 3


def called(title: str, name: str) -> str:
    """ "Title (file name)" in one line; the name is left out where the title holds it or it says nothing."""
    spoken = spoken_name(name)
    if not title:
        return spoken
    key, own = _key(title), _key(spoken)
    if key == _key(PurePosixPath(name).stem):
        # A parser that finds no title gives the file's name.
        return _MARKS.sub(" ", title)
    if not own or own in key:
        return title
    return spoken if key in own else f"{title} ({spoken})"


def spoken_name(name: str) -> str:
    """The name of the file ``name`` (a path with "/") in words; empty when it is noise."""
    stem = unicodedata.normalize("NFKC", PurePosixPath(name).stem)
    spoken = _MARKS.sub(" ", stem).strip()
    if len(_key(_NOISE.sub(" ", spoken))) < _LETTERS:
        return ""
    return spoken if len(spoken) <= _MAX_CHARS else spoken[: _MAX_CHARS - 1] + "…"


def _key(text: str) -> str:
    """What two names share when they name the same."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
