-- The tables as the program's schema version 2 made them.

CREATE TABLE blocks (
    version_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    level INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section_path JSON NOT NULL,
    PRIMARY KEY (version_id, ordinal)
);

CREATE TABLE chunks (
    id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    parent_id TEXT NOT NULL,
    section_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section_path JSON NOT NULL,
    kinds JSON NOT NULL,
    reasons JSON NOT NULL,
    token_count INTEGER NOT NULL,
    embed_text TEXT NOT NULL,
    embed_hash TEXT NOT NULL,
    previous_id TEXT,
    next_id TEXT,
    language TEXT DEFAULT '' NOT NULL,
    dates JSON DEFAULT '[]' NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_chunks_embed_hash ON chunks (embed_hash);

CREATE INDEX ix_chunks_parent_id ON chunks (parent_id);

CREATE INDEX ix_chunks_version_id ON chunks (version_id);

CREATE TABLE collections (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    members JSON DEFAULT '[]' NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name)
);

CREATE TABLE meta (
    "key" TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY ("key")
);

CREATE TABLE page_lines (
    version_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    page INTEGER NOT NULL,
    x0 FLOAT NOT NULL,
    y0 FLOAT NOT NULL,
    x1 FLOAT NOT NULL,
    y1 FLOAT NOT NULL,
    PRIMARY KEY (version_id, ordinal)
);

CREATE TABLE parents (
    id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section_path JSON NOT NULL,
    token_count INTEGER NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_parents_version_id ON parents (version_id);

CREATE TABLE sentence_vectors (
    embed_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    spans BLOB NOT NULL,
    scales BLOB NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (embed_hash, model)
);

CREATE TABLE vectors (
    embed_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (embed_hash, model)
);

CREATE TABLE versions (
    id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    source_sha256 TEXT NOT NULL,
    source_bytes BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    media_type TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    page_count INTEGER NOT NULL,
    notices JSON NOT NULL,
    text TEXT NOT NULL,
    text_sha256 TEXT DEFAULT '' NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_versions_document_id ON versions (document_id);

CREATE INDEX ix_versions_source_sha256 ON versions (source_sha256);

CREATE TABLE documents (
    id TEXT NOT NULL,
    collection_id TEXT NOT NULL,
    name TEXT NOT NULL,
    version_id TEXT NOT NULL,
    version_number INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    owner TEXT DEFAULT '' NOT NULL,
    visibility TEXT DEFAULT 'collection' NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (collection_id, name),
    FOREIGN KEY(collection_id) REFERENCES collections (id)
);
