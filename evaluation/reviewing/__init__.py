"""The review of drafted cases by a person: accept, edit, reject; what is decided is kept at once."""
