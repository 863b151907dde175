"""Answers as stored records: kept without the words of documents, opened again with what became of them."""
