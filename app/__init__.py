"""The chat: Chainlit handlers, the citation panel, uploads, and the ``youju`` command."""
