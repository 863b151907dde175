"""Chats that stay: their tables, their files, and what Chainlit reads and writes there."""
