"""The tables. Positions are code points over ``versions.text``; JSON columns hold lists of strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator, TypeEngine

SCHEMA_VERSION: Final = 3
# That of the rows of documents alone, which archives carry: it changes only when one of these does.
DOCUMENTS_VERSION: Final = 2

# Stands for the character NUL, which PostgreSQL takes in no text: one code point for one, so that positions
# stay. Unicode reserves it for uses inside programs; no text holds it.
_NUL_STAND_IN: Final = "\ufdd0"


class Text(TypeDecorator[str]):
    """Text that is the same everywhere: ordered by code points, and free to hold any character."""

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> TypeEngine[str]:
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(sa.Text(collation=collation))

    def bind_processor(self, dialect: sa.Dialect) -> Callable[[Any], Any] | None:
        return _without_nul if dialect.name == "postgresql" else None

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any] | None:
        return _with_nul if dialect.name == "postgresql" else None


def _without_nul(text: str | None) -> str | None:
    return None if text is None else text.replace("\0", _NUL_STAND_IN)


def _with_nul(text: str | None) -> str | None:
    return None if text is None else text.replace(_NUL_STAND_IN, "\0")


metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", Text, primary_key=True),
    sa.Column("value", Text, nullable=False),
)

collections = sa.Table(
    "collections",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("name", Text, nullable=False, unique=True),
    sa.Column("created_at", Text, nullable=False),
    # Who may open the collection, as a list of users; empty: everyone.
    sa.Column("members", sa.JSON, nullable=False, server_default="[]"),
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("collection_id", Text, sa.ForeignKey("collections.id"), nullable=False),
    sa.Column("name", Text, nullable=False),
    sa.Column("version_id", Text, nullable=False),
    sa.Column("version_number", sa.Integer, nullable=False),
    sa.Column("created_at", Text, nullable=False),
    sa.Column("updated_at", Text, nullable=False),
    # Empty: nobody's own. ``visibility`` is "private" (the owner), "collection" (its members) or "all".
    sa.Column("owner", Text, nullable=False, server_default=""),
    sa.Column("visibility", Text, nullable=False, server_default="collection"),
    sa.UniqueConstraint("collection_id", "name"),
)

versions = sa.Table(
    "versions",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("document_id", Text, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("source_sha256", Text, nullable=False, index=True),
    sa.Column("source_bytes", sa.BigInteger, nullable=False),
    sa.Column("fingerprint", Text, nullable=False),
    sa.Column("media_type", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("language", Text, nullable=False),
    sa.Column("page_count", sa.Integer, nullable=False),
    sa.Column("notices", sa.JSON, nullable=False),
    sa.Column("text", Text, nullable=False),
    sa.Column("text_sha256", Text, nullable=False, server_default=""),
    sa.Column("created_at", Text, nullable=False),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("version_id", Text, primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("kind", Text, nullable=False),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("section_path", sa.JSON, nullable=False),
)

page_lines = sa.Table(
    "page_lines",
    metadata,
    sa.Column("version_id", Text, primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("page", sa.Integer, nullable=False),
    sa.Column("x0", sa.Float, nullable=False),
    sa.Column("y0", sa.Float, nullable=False),
    sa.Column("x1", sa.Float, nullable=False),
    sa.Column("y1", sa.Float, nullable=False),
)

parents = sa.Table(
    "parents",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("version_id", Text, nullable=False, index=True),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("section_path", sa.JSON, nullable=False),
    sa.Column("token_count", sa.Integer, nullable=False),
)

chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("version_id", Text, nullable=False, index=True),
    sa.Column("parent_id", Text, nullable=False, index=True),
    sa.Column("section_id", Text, nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("section_path", sa.JSON, nullable=False),
    sa.Column("kinds", sa.JSON, nullable=False),
    sa.Column("reasons", sa.JSON, nullable=False),
    sa.Column("token_count", sa.Integer, nullable=False),
    sa.Column("embed_text", Text, nullable=False),
    sa.Column("embed_hash", Text, nullable=False, index=True),
    sa.Column("previous_id", Text),
    sa.Column("next_id", Text),
    sa.Column("language", Text, nullable=False, server_default=""),
    # Dates that the chunk's text names, ISO 8601, as exact as the text: 2024, 2024-05 or 2024-05-01.
    sa.Column("dates", sa.JSON, nullable=False, server_default="[]"),
)

# Content-addressed: one row for each distinct embedded text and model, whatever chunks use it.
vectors = sa.Table(
    "vectors",
    metadata,
    sa.Column("embed_hash", Text, primary_key=True),
    sa.Column("model", Text, primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)

# The vectors of the sentences of a chunk, by the hash of its embedded text: ``spans`` holds int32 pairs
# (start, end) from the start of the chunk, ``data`` one int8 row a sentence, ``scales`` one float32 each.
sentence_vectors = sa.Table(
    "sentence_vectors",
    metadata,
    sa.Column("embed_hash", Text, primary_key=True),
    sa.Column("model", Text, primary_key=True),
    sa.Column("spans", sa.LargeBinary, nullable=False),
    sa.Column("scales", sa.LargeBinary, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)

# Answers that were given, each its viewer's own (empty: nobody had to log in). ``body`` is JSON that holds no
# words of documents, only where they stand (retrieval/records).
answers = sa.Table(
    "answers",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("created_at", Text, nullable=False, index=True),
    sa.Column("owner", Text, nullable=False),
    sa.Column("question", Text, nullable=False),
    sa.Column("answered", sa.Boolean, nullable=False),
    sa.Column("complete", sa.Boolean, nullable=False),
    sa.Column("method", Text, nullable=False),
    sa.Column("model", Text, nullable=False),
    sa.Column("language", Text, nullable=False),
    sa.Column("latency_ms", sa.Float, nullable=False),
    sa.Column("body", Text, nullable=False),
)
