"""Sheets and delimited files."""
