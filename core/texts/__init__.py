"""What users read outside the chat's own interface, one file a subject, in Chinese and English."""
