"""What lies in an archive of a knowledge base.

A ZIP with ``manifest.json`` (this model), ``documents.jsonl`` (a line for each version of each document, the
oldest first: its rows as the database has them), ``vectors.bin`` and ``sentences.bin`` (``vectors.py`` says
how), and ``originals/SHA-256`` for the files that were added. Nothing in it is ever run or unpickled. Answers
that were given are no part of it: they belong to those who asked.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
DOCUMENTS: Final = "documents.jsonl"
VECTORS: Final = "vectors.bin"
SENTENCES: Final = "sentences.bin"
ORIGINALS: Final = "originals/"
# The only names that an archive may hold beside its manifest.
MEMBER_NAME: Final = re.compile(r"documents\.jsonl|vectors\.bin|sentences\.bin|originals/[0-9a-f]{64}")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Member(_Part):
    """What a file inside must be when it is unpacked."""

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class ArchivedCollection(_Part):
    """A collection and who may open it; nobody named means everyone."""

    name: str = Field(min_length=1, max_length=500)
    members: list[str]


class Counts(_Part):
    """How much is in the archive, for people and for checks."""

    documents: int = Field(0, ge=0)
    versions: int = Field(0, ge=0)
    chunks: int = Field(0, ge=0)
    vectors: int = Field(0, ge=0)
    sentence_vectors: int = Field(0, ge=0)
    originals: int = Field(0, ge=0)


class Manifest(_Part):
    """``model`` is the fingerprint of the embedding model, ``dimension`` that of its vectors (0 without any)."""

    format: Literal["youju knowledge base"] = "youju knowledge base"
    format_version: int
    schema_version: int
    made_at: str
    model: str | None
    dimension: int = Field(ge=0, le=100_000)
    collections: list[ArchivedCollection]
    counts: Counts
    members: dict[str, Member]
