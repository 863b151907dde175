"""The invariants of what is stored, each as a question with an answer."""
