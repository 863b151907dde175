"""A page for people that shows how a document was read: places on its pages, structure, chunks."""
