"""Answers and windows that were cut off."""
