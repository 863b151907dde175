"""Questions and their answers in the chat."""
