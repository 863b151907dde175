"""Holds sentences against passages: where they stand there, what differs, and the verdict.

``verifier.Verifier.check`` is the entry for a sentence with citations, ``verifier.verify`` that for one
sentence and one passage of a text. Everything below them is pure.
"""
