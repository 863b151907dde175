"""Pictures and text recognition."""
