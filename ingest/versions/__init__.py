"""What changed from one version of a document to another, in words, as text and as a page."""
