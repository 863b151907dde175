"""The shared words of Youju: spans, documents, chunks, answers, errors, settings and the store."""
