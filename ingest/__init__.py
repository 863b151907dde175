"""From a file to a stored document: parse, section, split, embed, store, index."""
