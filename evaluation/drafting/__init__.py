"""Drafts of gold questions: by rules over a document's structure, or by the chat model; a person decides."""
