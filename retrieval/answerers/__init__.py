"""From evidence to a cited draft: written by a chat model, or extracted verbatim."""
