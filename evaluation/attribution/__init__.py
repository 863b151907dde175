"""Which stage lost what a question needed: from the document's text to the cited words of the answer."""
