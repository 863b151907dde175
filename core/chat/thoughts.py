"""Thoughts that a model writes into its reply: between <think> tags, before the first word of the answer."""

from __future__ import annotations

import re
from typing import Final

_OPENING: Final = re.compile(r"\s*<think(?:ing)?>")
_CLOSING: Final = re.compile(r"</think(?:ing)?>\s*")
_LONGEST: Final = len("</thinking>")


class Thoughts:
    """Takes them off a reply as it grows; ``any`` is true once there were some."""

    def __init__(self) -> None:
        self.any = False
        self._inside = False
        self._begun = False
        self._held = ""

    def feed(self, part: str) -> str:
        """The next piece of the reply proper."""
        if self._begun:
            return part
        self._held += part
        if not self._inside:
            opening = _OPENING.match(self._held)
            if opening is None:
                return "" if _may_open(self._held) else self._begin(self._held)
            self.any = self._inside = True
            self._held = self._held[opening.end() :]
        closing = _CLOSING.search(self._held)
        if closing is None:
            self._held = self._held[-_LONGEST:]
            return ""
        rest = self._held[closing.end() :]
        # White space behind the tag may still come.
        return self._begin(rest) if rest else ""

    def finish(self) -> str:
        """What was held back and is no thought."""
        rest = "" if self._inside else self._held
        self._held = ""
        return rest

    def _begin(self, text: str) -> str:
        self._begun, self._inside, self._held = True, False, ""
        return text


def spoken(reply: str) -> str:
    """A whole reply without its thoughts."""
    thoughts = Thoughts()
    return thoughts.feed(reply) + thoughts.finish()


def _may_open(text: str) -> bool:
    begun = text.lstrip()
    return "<think>".startswith(begun) or "<thinking>".startswith(begun)
