"""A date as a person types it into a search: 2024, 2024-5, 2024/5/1, 2024年5月, May 2024, 2024 Q3."""

from __future__ import annotations

import re
from typing import Final

from core.period import days_of
from ingest.dates import dates

# What no text is read as, but what nobody who is asked for a date can mean otherwise.
_BARE: Final = re.compile(r"(\d{4})(?:\s?[-/.]\s?(\d{1,2}))?")


def typed_date(typed: str) -> str:
    """The date as in ``core.period``; empty when it is none, or more than one."""
    typed = typed.strip()
    bare = _BARE.fullmatch(typed)
    found = [_iso(bare)] if bare else [date.iso for date in dates(typed)]
    return found[0] if len(found) == 1 and _is_date(found[0]) else ""


def _iso(bare: re.Match[str]) -> str:
    year, month = bare.groups()
    return f"{year}-{int(month):02}" if month else str(year)


def _is_date(iso: str) -> bool:
    try:
        days_of(iso)
    except ValueError:
        return False
    return True
