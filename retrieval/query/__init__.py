"""What a question asks for: names, references, quotes, its shape; what follows for the search."""
