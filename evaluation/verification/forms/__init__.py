"""Other ways to write a true sentence that leave it true."""
