"""What the panel beside the chat shows of one place in a source: pure functions of what is stored."""
