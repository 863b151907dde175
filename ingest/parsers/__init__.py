"""One file a format: bytes in, a document with structure out."""
