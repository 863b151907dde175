-- The tables as the program's schema version 2 made them on PostgreSQL.

CREATE TABLE blocks (
    version_id VARCHAR COLLATE "C" NOT NULL,
    ordinal INTEGER NOT NULL,
    kind VARCHAR COLLATE "C" NOT NULL,
    level INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section_path JSON NOT NULL,
    PRIMARY KEY (version_id, ordinal)
);

CREATE TABLE chunks (
    id VARCHAR COLLATE "C" NOT NULL,
    version_id VARCHAR COLLATE "C" NOT NULL,
    parent_id VARCHAR COLLATE "C" NOT NULL,
    section_id VARCHAR COLLATE "C" NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section_path JSON NOT NULL,
    kinds JSON NOT NULL,
    reasons JSON NOT NULL,
    token_count INTEGER NOT NULL,
    embed_text VARCHAR COLLATE "C" NOT NULL,
    embed_hash VARCHAR COLLATE "C" NOT NULL,
    previous_id VARCHAR COLLATE "C",
    next_id VARCHAR COLLATE "C",
    language VARCHAR COLLATE "C" DEFAULT '' NOT NULL,
    dates JSON DEFAULT '[]' NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_chunks_embed_hash ON chunks (embed_hash);

CREATE INDEX ix_chunks_parent_id ON chunks (parent_id);

CREATE INDEX ix_chunks_version_id ON chunks (version_id);

CREATE TABLE collections (
    id VARCHAR COLLATE "C" NOT NULL,
    name VARCHAR COLLATE "C" NOT NULL,
    created_at VARCHAR COLLATE "C" NOT NULL,
    members JSON DEFAULT '[]' NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name)
);

CREATE TABLE meta (
    key VARCHAR COLLATE "C" NOT NULL,
    value VARCHAR COLLATE "C" NOT NULL,
    PRIMARY KEY (key)
);

CREATE TABLE page_lines (
    version_id VARCHAR COLLATE "C" NOT NULL,
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
    id VARCHAR COLLATE "C" NOT NULL,
    version_id VARCHAR COLLATE "C" NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    section_path JSON NOT NULL,
    token_count INTEGER NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_parents_version_id ON parents (version_id);

CREATE TABLE sentence_vectors (
    embed_hash VARCHAR COLLATE "C" NOT NULL,
    model VARCHAR COLLATE "C" NOT NULL,
    spans BYTEA NOT NULL,
    scales BYTEA NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (embed_hash, model)
);

CREATE TABLE vectors (
    embed_hash VARCHAR COLLATE "C" NOT NULL,
    model VARCHAR COLLATE "C" NOT NULL,
    data BYTEA NOT NULL,
    PRIMARY KEY (embed_hash, model)
);

CREATE TABLE versions (
    id VARCHAR COLLATE "C" NOT NULL,
    document_id VARCHAR COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    source_sha256 VARCHAR COLLATE "C" NOT NULL,
    source_bytes BIGINT NOT NULL,
    fingerprint VARCHAR COLLATE "C" NOT NULL,
    media_type VARCHAR COLLATE "C" NOT NULL,
    title VARCHAR COLLATE "C" NOT NULL,
    language VARCHAR COLLATE "C" NOT NULL,
    page_count INTEGER NOT NULL,
    notices JSON NOT NULL,
    text VARCHAR COLLATE "C" NOT NULL,
    text_sha256 VARCHAR COLLATE "C" DEFAULT '' NOT NULL,
    created_at VARCHAR COLLATE "C" NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX ix_versions_document_id ON versions (document_id);

CREATE INDEX ix_versions_source_sha256 ON versions (source_sha256);

CREATE TABLE documents (
    id VARCHAR COLLATE "C" NOT NULL,
    collection_id VARCHAR COLLATE "C" NOT NULL,
    name VARCHAR COLLATE "C" NOT NULL,
    version_id VARCHAR COLLATE "C" NOT NULL,
    version_number INTEGER NOT NULL,
    created_at VARCHAR COLLATE "C" NOT NULL,
    updated_at VARCHAR COLLATE "C" NOT NULL,
    owner VARCHAR COLLATE "C" DEFAULT '' NOT NULL,
    visibility VARCHAR COLLATE "C" DEFAULT 'collection' NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (collection_id, name),
    FOREIGN KEY(collection_id) REFERENCES collections (id)
);
