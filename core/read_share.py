"""How much of a document was read for an answer that needs all of it, and the line that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.messages import render

# Names of sections that were not read; more of them are only counted.
_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadShare:
    """Characters and sections that were read, of those there are; ``section`` names what alone was to be read.

    ``unread`` are the names of the sections that were not read, or not wholly, in order.
    """

    read_chars: int
    all_chars: int
    parts_read: int
    parts: int
    section: str = ""
    unread: tuple[str, ...] = ()

    @property
    def percent(self) -> int:
        """0..100, rounded down: 100 means everything."""
        return 100 * self.read_chars // self.all_chars if self.all_chars else 0

    @property
    def is_whole(self) -> bool:
        return 0 < self.all_chars == self.read_chars


def read_line(share: ReadShare, language: str) -> str:
    """The line for a reader in ``language``; what was not read is named."""
    if not share.all_chars:
        return render("read_nothing", language)
    code = "read_whole" if share.is_whole else "read_part"
    line = render(
        f"{code}_section" if share.section else code,
        language,
        section=share.section,
        percent=share.percent,
        read=share.parts_read,
        parts=share.parts,
    )
    if not share.unread:
        return line
    joint = render("read_joint", language)
    names = joint.join(share.unread[:_NAMED])
    more = len(share.unread) - _NAMED
    rest = render("read_more", language, more=more) if more > 0 else ""
    return line + render("read_missing", language, names=names + rest)
