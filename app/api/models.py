"""What the API's requests may say; its answers have the shapes of ``retrieval.results``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.api_errors import ApiFilterError
from core.scope import Scope, is_ephemeral
from retrieval.history import Turn

_Names = Annotated[list[Annotated[str, Field(max_length=500)]], Field(max_length=200)]


class Narrowed(BaseModel):
    """What of the documents that the user may see is looked at; all of them where nothing is said."""

    model_config = ConfigDict(extra="forbid")

    collections: _Names | None = Field(None, description="names of collections")
    documents: _Names | None = Field(None, description="ids of documents")
    kinds: _Names | None = Field(None, description="pdf, docx, image, ...")
    since: str | None = Field(None, max_length=10, description="first day, as 2024, 2024-05 or 2024-05-31")
    until: str | None = Field(None, max_length=10, description="last day, in the same forms")

    def scope(self, viewer: str | None) -> Scope:
        """The same as a scope of that user. Raises ``ApiFilterError``; files of single chats are never named."""
        for name in self.collections or ():
            if is_ephemeral(name):
                raise ApiFilterError(reason=name)
        try:
            return Scope(
                viewer=viewer,
                collections=_named(self.collections),
                documents=_named(self.documents),
                kinds=_named(self.kinds),
                since=self.since,
                until=self.until,
            )
        except ValueError as exc:
            raise ApiFilterError(reason=str(exc)) from exc


def _named(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


class Said(BaseModel):
    """One message before the question."""

    model_config = ConfigDict(extra="forbid")

    role: Literal["user", "assistant"]
    text: str = Field(max_length=20_000)


class SearchRequest(Narrowed):
    question: str
    history: list[Said] = Field(default_factory=list, max_length=24)
    passages: int | None = Field(None, ge=1, le=50, description="most passages that come back")

    def turns(self) -> tuple[Turn, ...]:
        return tuple(Turn(role=said.role, text=said.text) for said in self.history)


class AskRequest(SearchRequest):
    passages: None = None
    method: Literal["extractive", "llm", "step-by-step"] | None = None
    stream: bool = Field(False, description="answer as server-sent events: found, text, answer, error")


class VerifyRequest(Narrowed):
    text: str
