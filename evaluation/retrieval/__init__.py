"""Retrieval measured on gold questions: ours with any settings, other programs', side by side."""
