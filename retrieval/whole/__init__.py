"""Lists, counts and summaries over a whole document or section: read part by part, then put together."""
