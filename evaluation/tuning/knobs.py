"""What may be turned: settings with the values that are tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """A setting as ``group.name`` (several that go together with "+") and its values, as written."""

    setting: str
    values: tuple[str, ...]

    def changes(self, value: str) -> dict[str, str]:
        """``{"chunking.soft_tokens": "200", ...}``."""
        names, parts = self.setting.split("+"), value.split("+")
        return dict(zip(names, parts, strict=True))


def _knob(setting: str, values: str) -> Knob:
    return Knob(setting=setting, values=tuple(values.split()))


# Searching alone: no document is read again.
SEARCH: Final = (
    _knob("retrieval.passages", "8 16 24"),
    _knob("retrieval.core_share", "0.5 0.7 0.85 1.0"),
    _knob("retrieval.rerank_candidates", "10 20 40"),
    _knob("retrieval.candidates", "25 50 100"),
    _knob("retrieval.max_passages_per_document", "4 8 16"),
    _knob("retrieval.parent_weight", "0.0 0.5"),
)
# Each value indexes the documents again.
CHUNKS: Final = (
    _knob("chunking.strategy", "semantic recursive clause"),
    _knob("chunking.min_tokens+chunking.soft_tokens+chunking.hard_tokens", "50+150+220 100+300+400"),
)
GROUPS: Final = {"search": SEARCH, "chunks": CHUNKS, "all": (*CHUNKS, *SEARCH)}


def knobs_of(written: str) -> tuple[Knob, ...]:
    """A group by name, or ``retrieval.passages=8|16;retrieval.rrf_k=10|60``.

    Raises ``SettingsError`` that names ``--knobs``.
    """
    if written in GROUPS:
        return GROUPS[written]
    knobs: list[Knob] = []
    for part in filter(None, (part.strip() for part in written.split(";"))):
        setting, _, values = part.partition("=")
        found = tuple(filter(None, (value.strip() for value in values.split("|"))))
        if not found or any(len(value.split("+")) != len(setting.split("+")) for value in found):
            reason = f"expected {', '.join(GROUPS)} or group.name=value|value;..., got {part!r}"
            raise SettingsError(name="--knobs", reason=reason)
        knobs.append(Knob(setting=setting.strip(), values=found))
    if not knobs:
        raise SettingsError(name="--knobs", reason=f"expected {', '.join(GROUPS)} or settings")
    return tuple(knobs)
