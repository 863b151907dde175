"""The settings form: what is searched and how it is answered."""
