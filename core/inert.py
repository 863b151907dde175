"""Nothing that a document or a model says may load from elsewhere or run in the browser.

The one sanitiser of Markdown, for whole texts and for texts that grow. What it gives is read alike by it and by
a renderer of CommonMark with tables, autolinks and directives: backticks are left where they make code here and
nowhere else, and outside code no link, image, definition, tag, address or directive can begin.
"""

from __future__ import annotations

import html
import re
from typing import Final

# Signs that show nothing but turn the order of what is shown, or hide words in it; Chainlit draws U+200B.
_UNSEEN: Final = dict.fromkeys(
    [0x200B, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)]
) | {ord("\r"): " "}
_PLAIN: Final = r"A-Za-z0-9._+\-@:/?=%#~,;'$"
_TOKEN: Final = re.compile(
    r"(?P<code>`[^`\n|]+`(?!`))"
    r"|(?P<ticks>`+)"
    r"|(?P<image>!\[(?P<alt>[^\[\]\n]{0,300})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,300}\]))"
    r"|(?P<link>\[(?P<words>[^\[\]\n]{1,300})\]\([ \t]*<?(?P<to>[^()\s<>]{0,2000})[^()\n]{0,2000}\))"
    rf"|(?P<run>(?:[{_PLAIN}&]|\\[:/.@_-])+)"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    rf"|(?P<other>[^`\\<\[\]()!\n{_PLAIN}&]+|.)",
    re.DOTALL,
)
# What may still become code, an image or a link when more comes.
_OPEN: Final = re.compile(
    r"`[^`\n|]*`?\Z|!\Z|[\\<]\Z|!?\[[^\[\]\n]{0,300}(?:\](?:\([^()\n]{0,4000})?)?\Z|!\[[^\[\]\n]{0,300}\]\[[^\[\]\n]{0,300}\Z"
)
_FENCE: Final = re.compile(r"(`{3,})[^`\n]*(?:\n|\Z)")
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ADDRESS: Final = re.compile(
    r"((?:https?://|ftp://|www\.).*?(?=[.,;:?']*\Z)|[A-Za-z0-9._+-]+@[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)",
    re.IGNORECASE,
)
# What Markdown may read as marks inside a line.
_SIGNS: Final = re.compile(r"[\\`*~\[\]<>&!]")


def inert(markdown: str) -> str:
    """The Markdown without images, links, HTML and directives; their words stay, and so do ``[n]`` markers.

    It must come to stand at the beginning of a line.
    """
    stream = InertStream()
    return stream.feed(markdown) + stream.finish()


def literal(words: str) -> str:
    """Inert Markdown, for within a line, that shows words to the letter, "__init__.py" too."""
    shown = inert(_SIGNS.sub(lambda sign: f"&#{ord(sign[0])};", words))
    # An address has become code, where nothing is a mark.
    return shown if "`" in shown else shown.replace("_", "&#95;")


class InertStream:
    """Makes a growing text inert: its pieces together are ``inert`` of the whole, however it was cut."""

    def __init__(self) -> None:
        self._held = ""
        # The last character given out; what it begins with stands at the beginning of a line.
        self._last = "\n"
        # The backticks that opened a block of code; empty outside one.
        self._fence = ""

    def feed(self, part: str) -> str:
        """The next piece that is safe to show; what may still turn into something else is held back."""
        self._held += part.translate(_UNSEEN)
        return self._given_out(final=False)

    def finish(self) -> str:
        """What was still held back; a block of code that was left open is closed."""
        rest = self._given_out(final=True)
        if self._fence:
            rest += ("" if self._last == "\n" else "\n") + self._fence
            self._fence = ""
        return rest

    def _given_out(self, *, final: bool) -> str:
        pieces: list[str] = []
        text, at = self._held, 0
        while at < len(text):
            if self._fence or (self._last == "\n" and text[at] == "`"):
                end = self._line_of_code(text, at, final)
                if end < 0:
                    break
                if end > at:
                    pieces.append(self._noted(text[at:end]))
                    at = end
                    continue
            token = _TOKEN.match(text, at)
            assert token is not None
            if not final and _may_go_on(text, at, token):
                break
            if token.lastgroup in ("image", "link"):
                # Their words are read again, for they may hold anything.
                text, at = self._words_of(token) + text[token.end() :], 0
                continue
            at = token.end()
            pieces.append(self._noted(self._safe(token, text[at : at + 1])))
        self._held = text[at:]
        return "".join(pieces)

    def _line_of_code(self, text: str, at: int, final: bool) -> int:
        """Where the line of a fenced block ends; ``at`` when it is none, -1 while that cannot be told."""
        line_end = text.find("\n", at)
        if line_end < 0 and not final:
            told = not self._fence and re.match(r"`{1,2}[^`]", text[at:])
            return at if told else -1
        end = line_end + 1 if line_end >= 0 else len(text)
        if self._fence:
            if re.fullmatch(rf" {{0,3}}{self._fence}`*[ \t]*\n?", text[at:end]):
                self._fence = ""
            return end
        fence = _FENCE.fullmatch(text, at, end)
        if fence is None:
            return at
        self._fence = fence[1]
        return end

    def _words_of(self, token: re.Match[str]) -> str:
        """An image's or link's words; a blank keeps them from joining what stands before."""
        gap = " " if self._last.isascii() and self._last.isalnum() else ""
        if token.lastgroup == "image":
            return gap + token["alt"]
        if token["words"].isdigit():
            # A mark of a citation, made to lead elsewhere.
            return f"{gap}[{token['words']}] ({token['to']})"
        return f"{gap}{token['words']} ({token['to']})"

    def _safe(self, token: re.Match[str], following: str) -> str:
        source = token[0]
        if token.lastgroup == "code":
            return source
        if token.lastgroup == "ticks":
            return "&#96;" * len(source)
        if token.lastgroup == "escape":
            return f"&#{ord(source[1])};"
        if token.lastgroup == "run":
            return _safe_run(source, following, after_bracket=self._last == "]")
        if source == "(" and self._last == "]":
            return "&#40;"
        if source == "<" and not re.match(r"[\s0-9=]", following):
            return "&lt;"
        return "&#92;" if source == "\\" and following != "\n" else source

    def _noted(self, piece: str) -> str:
        self._last = piece[-1:] or self._last
        return piece


def _may_go_on(text: str, at: int, token: re.Match[str]) -> bool:
    """Whether more text could make another token of what begins at ``at``."""
    if token.lastgroup == "run" and text[token.end() :] in ("", "\\"):
        return True
    if token.lastgroup in ("code", "ticks") and token.end() == len(text):
        return True
    return token.lastgroup in ("ticks", "other") and bool(_OPEN.match(text, at))


def _safe_run(run: str, following: str, *, after_bracket: bool) -> str:
    """A run of plain characters: addresses become code, colons that could begin a directive entities."""
    plain = _ENTITY.sub(lambda found: _if_plain(found[0]), run)
    plain = re.sub(r"\\(.)", r"\1", plain)
    parts = _ADDRESS.split(plain)
    parts[::2] = [re.sub(r":(?=[A-Za-z:])", "&#58;", part) for part in parts[::2]]
    parts[::2] = [re.sub(r"~~~+", lambda found: "&#126;" * len(found[0]), part) for part in parts[::2]]
    parts[1::2] = [f"`{part}`" for part in parts[1::2]]
    safe = "".join(parts)
    if after_bracket and safe.startswith(":"):
        safe = f"&#58;{safe[1:]}"
    if safe.endswith(":") and following in ("[", "!"):
        safe = f"{safe[:-1]}&#58;"
    return safe


def _if_plain(entity: str) -> str:
    """The character that ``entity`` stands for when it may be part of an address, else ``entity`` as it is."""
    char = html.unescape(entity)
    return char if re.fullmatch(f"[{_PLAIN}]", char) else entity
