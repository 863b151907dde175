"""The tables. Positions are code points over ``versions.text``; JSON columns hold lists of strings."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

SCHEMA_VERSION: Final = 1

metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

collections = sa.Table(
    "collections",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created_at", sa.Text, nullable=False),
)

documents = sa.Table(
    "documents",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("collection_id", sa.Text, sa.ForeignKey("collections.id"), nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("version_id", sa.Text, nullable=False),
    sa.Column("version_number", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("updated_at", sa.Text, nullable=False),
    sa.UniqueConstraint("collection_id", "name"),
)

versions = sa.Table(
    "versions",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("document_id", sa.Text, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("source_sha256", sa.Text, nullable=False, index=True),
    sa.Column("source_bytes", sa.Integer, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("media_type", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("page_count", sa.Integer, nullable=False),
    sa.Column("notices", sa.JSON, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("version_id", sa.Text, primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("level", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("section_path", sa.JSON, nullable=False),
)

page_lines = sa.Table(
    "page_lines",
    metadata,
    sa.Column("version_id", sa.Text, primary_key=True),
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
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("version_id", sa.Text, nullable=False, index=True),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("section_path", sa.JSON, nullable=False),
    sa.Column("token_count", sa.Integer, nullable=False),
)

chunks = sa.Table(
    "chunks",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("version_id", sa.Text, nullable=False, index=True),
    sa.Column("parent_id", sa.Text, nullable=False, index=True),
    sa.Column("section_id", sa.Text, nullable=False),
    sa.Column("ordinal", sa.Integer, nullable=False),
    sa.Column("start", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("section_path", sa.JSON, nullable=False),
    sa.Column("kinds", sa.JSON, nullable=False),
    sa.Column("reasons", sa.JSON, nullable=False),
    sa.Column("token_count", sa.Integer, nullable=False),
    sa.Column("embed_text", sa.Text, nullable=False),
    sa.Column("embed_hash", sa.Text, nullable=False, index=True),
    sa.Column("previous_id", sa.Text),
    sa.Column("next_id", sa.Text),
)

# Content-addressed: one row for each distinct embedded text and model, whatever chunks use it.
vectors = sa.Table(
    "vectors",
    metadata,
    sa.Column("embed_hash", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
