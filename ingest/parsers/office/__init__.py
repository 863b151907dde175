"""Old office formats, and what all office formats share."""
