"""Rows of queries as records, with what is damaged said as such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from core.errors import StoreDamagedError
from core.store import schema

# Far below the most variables that a statement may have anywhere.
_BATCH: Final = 500

Record = TypeVar("Record")


class Rows:
    """Read access inside one transaction: what all readers share."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def _read(self, query: sa.Select[Any], make: Callable[[sa.Row[Any]], Record]) -> Iterator[Record]:
        """A record a row. Raises ``StoreDamagedError`` where a row is not what was stored."""
        try:
            for row in self._connection.execute(query):
                yield make(row)
        except (ValueError, TypeError, KeyError) as exc:
            # A bit that flipped on the disk: JSON that is none, a span that ends before it starts, an id
            # under which the row was found but which it does not have.
            raise StoreDamagedError(reason=f"a row cannot be read ({exc})") from exc

    def _first(self, query: sa.Select[Any], make: Callable[[sa.Row[Any]], Record]) -> Record | None:
        found = list(self._read(query.limit(1), make))
        return found[0] if found else None

    def _meta(self, key: str) -> str | None:
        query = sa.select(schema.meta.c.value).where(schema.meta.c.key == key)
        value: str | None = self._connection.execute(query).scalar()
        return value


def batches(values: Iterable[str], size: int = _BATCH) -> Iterator[Sequence[str]]:
    """The distinct values, in order, in parts that fit into one statement."""
    distinct = list(dict.fromkeys(values))
    for start in range(0, len(distinct), size):
        yield distinct[start : start + size]
