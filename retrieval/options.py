"""What one question may have otherwise than the settings say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.settings import RetrievalSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """``None``: as it is set.

    ``method`` names an answerer and ``reranker`` a reranker of the registry; ``strict`` takes out sentences that
    no source carries, ``expand`` lets passages grow inside their section, ``passages`` is the most of them.
    """

    method: str | None = None
    strict: bool | None = None
    reranker: str | None = None
    expand: bool | None = None
    passages: int | None = None

    def retrieval(self, settings: RetrievalSettings) -> RetrievalSettings:
        """The settings of a search with what is said here."""
        said = {name: getattr(self, name) for name in ("reranker", "expand", "passages")}
        changes = {name: value for name, value in said.items() if value is not None}
        return settings.model_copy(update=changes) if changes else settings


AS_SET: Final = AskOptions()
