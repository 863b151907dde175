"""From a question to a cited answer: condense, search, fuse, rerank, expand, answer, verify."""
