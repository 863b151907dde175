"""What an ingest did, file by file, and where its time went."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.answer import Usage
from core.chat.usage import together
from core.document import Notice
from core.errors import YoujuError
from core.messages import render


class Outcome(StrEnum):
    """What became of a file."""

    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    DUPLICATE = "duplicate"
    REFUSED = "refused"


class Stage(StrEnum):
    """What is being done with a file; also the keys of the time split."""

    PARSE = "parse"
    CHUNK = "chunk"
    EMBED = "embed"
    SAVE = "save"
    INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """``done`` of ``total`` steps of a stage of one file; ``file`` of ``files`` counts from 1."""

    name: str
    stage: Stage
    done: int
    total: int
    file: int
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileResult:
    """``same_as`` names the stored twin of a duplicate; ``error`` says why a file was refused."""

    name: str
    outcome: Outcome
    chunks: int = 0
    pages: int = 0
    characters: int = 0
    notices: tuple[Notice, ...] = ()
    same_as: str = ""
    error: YoujuError | None = None

    def notice_texts(self, language: str) -> list[str]:
        """What a reader must know about how the file was read, in words."""
        return [notice_text(notice.code, notice.details, language) for notice in self.notices]

    def as_json(self, language: str) -> dict[str, object]:
        """Plain data; the texts are in ``language``."""
        row: dict[str, object] = {
            "doc": self.name,
            "outcome": self.outcome.value,
            "chunks": self.chunks,
            "pages": self.pages,
            "characters": self.characters,
            "notices": self.notice_texts(language),
        }
        if self.same_as:
            row["same_as"] = self.same_as
        if self.error is not None:
            row["error"] = {"code": self.error.code, "message": self.error.message(language)}
        return row


@dataclass(slots=True, kw_only=True)
class IngestReport:
    """Grows while an ingest runs. ``seconds`` is wall time by stage.

    ``chat_calls`` are those of the chat model that judged borders or wrote focus lines; what the cache
    answered is not among them.
    """

    files: list[FileResult] = field(default_factory=list)
    seconds: dict[Stage, float] = field(default_factory=lambda: dict.fromkeys(Stage, 0.0))
    embedded_texts: int = 0
    embedded_tokens: int = 0
    chat_calls: list[Usage] = field(default_factory=list)
    cancelled: bool = False

    def count(self, outcome: Outcome) -> int:
        return sum(result.outcome is outcome for result in self.files)

    def as_json(self, language: str) -> dict[str, object]:
        """Plain data for ``--json``."""
        return {
            "files": [result.as_json(language) for result in self.files],
            "counts": {outcome.value: self.count(outcome) for outcome in Outcome},
            "seconds": {stage.value: round(value, 3) for stage, value in self.seconds.items()},
            "embedded_texts": self.embedded_texts,
            "embedded_tokens": self.embedded_tokens,
            "chat": self._chat_json(),
            "cancelled": self.cancelled,
        }

    def _chat_json(self) -> dict[str, object] | None:
        used = together(self.chat_calls)
        if used is None:
            return None
        return {
            "calls": used.calls,
            "prompt_tokens": used.prompt_tokens,
            "completion_tokens": used.completion_tokens,
            "price": used.price,
            "currency": used.currency,
        }


def notice_text(code: str, details: tuple[tuple[str, str], ...], language: str) -> str:
    """A document's notice in words."""
    return render(code, language, **dict(details))
