"""What a reader of one generation may find on the server, as a filter for Milvus."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from core.hashing import stable_id
from core.store import CurrentVersion


def key_of(version: CurrentVersion) -> str:
    """The name of a version's rows: a document that goes back to earlier bytes gets another one."""
    return stable_id("rows", version.version_id, version.stamp)


def digest_of(keys: Iterable[str]) -> str:
    """What a set of versions is recognised by."""
    return stable_id("versions", *sorted(keys))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The rows of one generation: ``keys`` by version id, written by the synchronisations up to ``seq``.

    ``hidden`` are the other versions of which rows up to ``seq`` may lie on the server: those that are
    retired, or newer than the reader.
    """

    seq: int
    keys: Mapping[str, str]
    hidden: frozenset[str] = frozenset()

    def filter(self, allowed: Collection[str] | None = None) -> str | None:
        """The condition that exactly the rows of these versions meet; ``None`` when there are none.

        Rows beyond ``seq`` came after the reader. Of the versions up to it, either those wanted or all
        others are named, whichever list is shorter; mostly it is empty.
        """
        wanted = {key for version, key in self.keys.items() if allowed is None or version in allowed}
        if not wanted:
            return None
        others = (set(self.keys.values()) | self.hidden) - wanted
        conditions = [f"seq <= {self.seq}"]
        if others:
            conditions.append(
                f"version in {listed(wanted)}"
                if len(wanted) < len(others)
                else f"version not in {listed(others)}"
            )
        return " and ".join(conditions)


def listed(values: Iterable[str]) -> str:
    """Strings as a list in Milvus's expressions, in a fixed order."""
    return json.dumps(sorted(values))
