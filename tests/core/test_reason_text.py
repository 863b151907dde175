"""Reasons read well whatever of them is known."""

from __future__ import annotations

import pytest

from core.messages import LANGUAGES
from core.reason_text import reason_text
from core.verdict import Aspect, Reason


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("aspect", Aspect)
@pytest.mark.parametrize(("said", "found"), [("甲", "乙"), ("甲", ""), ("", "乙"), ("", "")])
def test_no_text_has_empty_quotes_where_something_is_known(
    language: str, aspect: Aspect, said: str, found: str
) -> None:
    told = reason_text(Reason(aspect=aspect, said=said, found=found), language)
    assert told
    assert "?" not in told
    if said and aspect not in (Aspect.WORDS, Aspect.MEANING, Aspect.UNCITED):
        assert "“”" not in told
        assert said in told


def test_a_condition_left_out_is_quoted() -> None:
    reason = Reason(aspect=Aspect.CONDITION, found="unless the key is in")
    assert "left out: “unless the key is in”" in reason_text(reason, "en")
