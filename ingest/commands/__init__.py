"""The commands of ``python -m ingest``, one file a noun; each file's ``add_to`` declares its commands."""
