"""True sentences for tests, each with a passage that holds it."""

from __future__ import annotations

from core.language import language_of
from core.span import Span
from evaluation.verification.case import Claim


def claim(sentence: str, *, rest: str = "", doc: str = "a.txt") -> Claim:
    """``sentence`` with a passage of it and ``rest``."""
    text = sentence + rest
    return Claim(
        part="set",
        doc=doc,
        lang=language_of(sentence),
        sentence=sentence,
        passage=Span(0, len(text)),
        passage_text=text,
        key="5a",
        half="dev",
    )
