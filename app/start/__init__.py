"""The first screen, and the knowledge bases to choose from."""
