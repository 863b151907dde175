"""Gold questions and metrics: know, not believe."""
