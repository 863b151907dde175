"""Search, ask and verify for other programs, beside the chat."""
