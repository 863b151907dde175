"""One strategy, one file. All of them return spans over the document's text."""
