"""Which pages are shown, as a person writes it: ``1-5,8``."""

from __future__ import annotations

import re
from typing import Final

from core.view_errors import PageSelectionError

_PART: Final = re.compile(r"\s*(\d{1,9})\s*(?:[-–—~]\s*(\d{1,9})\s*)?")


def selected_pages(written: str, page_count: int) -> tuple[int, ...]:
    """The pages that ``written`` names, ascending; all when it is empty.

    Raises ``PageSelectionError`` when it cannot be read or names a page that is not in 1..page_count.
    """
    if not written:
        return tuple(range(1, page_count + 1))
    pages: set[int] = set()
    for part in written.replace("，", ",").split(","):
        found = _PART.fullmatch(part)
        first = int(found[1]) if found else 0
        last = int(found[2] or first) if found else 0
        if not 1 <= first <= last <= page_count:
            raise PageSelectionError(given=written, count=page_count)
        pages.update(range(first, last + 1))
    return tuple(sorted(pages))
