"""Replies of a chat model that are to be JSON alone."""

from __future__ import annotations

import re
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

_Reply = TypeVar("_Reply", bound=BaseModel)
# What is added to an instruction when the first reply had no form.
AGAIN: Final = "\nYour last reply was not valid. Reply with that JSON object and nothing before or after it."
_FENCED: Final = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)


def read_reply(reply: str, form: type[_Reply]) -> _Reply | None:
    """The reply as ``form``, also from within a code fence; ``None`` when it is not of that form."""
    fenced = _FENCED.fullmatch(reply)
    try:
        return form.model_validate_json(fenced[1] if fenced else reply)
    except ValidationError:
        return None
