"""Changes that make a true sentence false, one file for each kind of mistake."""
