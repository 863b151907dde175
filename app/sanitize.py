"""Nothing that a document or a model says may load from elsewhere or run in the browser."""

from __future__ import annotations

import re

_IMAGE = re.compile(r"!\[([^\]]*)\]\s*(?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\]\n]+)\]\(\s*<?([^)\s>]*)>?[^)]*\)")
_REFERENCE = re.compile(r"^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*\S+.*$", re.MULTILINE)
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto|data|javascript):[^>\s]*)>", re.IGNORECASE)
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
# A code span stays as it is; an address outside one becomes one, which no renderer turns into a link.
_CODE_OR_URL = re.compile(r"(`[^`\n]*`)|\b((?:https?://|ftp://|www\.)[^\s`<>]+)", re.IGNORECASE)


def inert(markdown: str) -> str:
    """The Markdown without images, links and HTML; their words stay. ``[n]`` markers are untouched."""
    text = _REFERENCE.sub("", markdown)
    text = _IMAGE.sub(lambda found: found.group(1), text)
    text = _LINK.sub(lambda found: f"{found.group(1)} ({found.group(2)})", text)
    text = _AUTOLINK.sub(lambda found: found.group(1), text)
    text = _TAG.sub("&lt;", text)
    return _CODE_OR_URL.sub(lambda found: found.group(1) or f"`{found.group(2)}`", text)


class InertStream:
    """Makes a growing text inert: what could still become an image, a link or HTML is held back."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, part: str) -> str:
        """The next piece that is safe to show; it ends behind a blank or a mark with nothing left open."""
        self._held += part
        cut = max(self._held.rfind(mark) for mark in " \n。，；") + 1
        opened = _first_open(self._held[:cut])
        safe, self._held = self._held[:opened], self._held[opened:]
        return inert(safe) if safe else ""

    def finish(self) -> str:
        """What was still held back."""
        rest, self._held = inert(self._held), ""
        return rest


_OPENERS = re.compile(r"!?\[|<|`|$")
_CLOSED = re.compile(
    r"!?\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\]|:[^\n]*\n|(?![(\[:]).)|<[^>\n]*>|<(?=\s)|`[^`\n]*`", re.DOTALL
)


def _first_open(text: str) -> int:
    """Where the first construct begins whose end has not come yet; the length when all are closed."""
    position = 0
    while (found := _OPENERS.search(text, position)) and found.group():
        closed = _CLOSED.match(text, found.start())
        # A line end closes whatever was meant: none of these goes on in the next line.
        line_end = text.find("\n", found.start())
        if closed is None and line_end < 0:
            return found.start()
        position = max(closed.end() if closed else 0, line_end if closed is None else 0)
    return len(text)
