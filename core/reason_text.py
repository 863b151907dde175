"""A reason of a verdict in the reader's words."""

from __future__ import annotations

from core.messages import MESSAGES, render
from core.verdict import Reason


def reason_text(reason: Reason, language: str) -> str:
    """One sentence: what is said, what stands in the source, or that nothing of it does."""
    code = f"reason_{reason.aspect.value}"
    if reason.found and not reason.said and f"{code}_left_away" in MESSAGES:
        code += "_left_away"
    elif reason.said and not reason.found and f"{code}_missing" in MESSAGES:
        code += "_missing"
    return render(code, language, said=reason.said, found=reason.found)
