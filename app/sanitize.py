"""Nothing that a document or a model says may load from elsewhere or run in the browser."""

from __future__ import annotations

import re

_IMAGE = re.compile(r"!\[([^\]]*)\]\s*(?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\]\n]+)\]\(\s*<?([^)\s>]*)>?[^)]*\)")
_REFERENCE = re.compile(r"^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*\S+.*$", re.MULTILINE)
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto|data|javascript):[^>\s]*)>", re.IGNORECASE)
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")
_BARE_URL = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)


def inert(markdown: str) -> str:
    """The Markdown without images, links and HTML; their words stay. ``[n]`` markers are untouched."""
    text = _REFERENCE.sub("", markdown)
    text = _IMAGE.sub(lambda found: found.group(1), text)
    text = _LINK.sub(lambda found: f"{found.group(1)} ({_defused(found.group(2))})", text)
    text = _AUTOLINK.sub(lambda found: _defused(found.group(1)), text)
    text = _BARE_URL.sub(lambda found: _defused(found.group()), text)
    return _TAG.sub("&lt;", text)


def _defused(url: str) -> str:
    """The address as code, which no renderer turns into a link."""
    return "`" + url.replace("`", "") + "`" if url else ""


class InertStream:
    """Makes a growing text inert: what could still become an image, a link or HTML is held back."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, part: str) -> str:
        """The next piece that is safe to show; it ends at white space with nothing left open."""
        self._held += part
        cut = max(
            self._held.rfind(" "), self._held.rfind("\n"), self._held.rfind("。"), self._held.rfind("，")
        )
        safe, rest = self._held[: cut + 1], self._held[cut + 1 :]
        for opener in ("![", "[", "<", "`"):
            position = safe.rfind(opener)
            if position >= 0 and not _closed(safe[position:], opener):
                rest = safe[position:] + rest
                safe = safe[:position]
        self._held = rest
        return inert(safe) if safe else ""

    def finish(self) -> str:
        """What was still held back."""
        rest, self._held = inert(self._held), ""
        return rest


def _closed(text: str, opener: str) -> bool:
    closers = {"![": ")", "[": "]", "<": ">", "`": "`"}
    return closers[opener] in text[len(opener) :] or "\n\n" in text
