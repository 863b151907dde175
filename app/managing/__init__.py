"""The stored documents in the chat: listed, opened, compared, cut anew, deleted, and chosen to be asked alone."""
