"""Files that are added in the chat."""
