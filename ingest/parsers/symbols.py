"""Signs of symbol fonts as Unicode: Word keeps them as private characters that mean nothing elsewhere."""

from __future__ import annotations

import re
from typing import Final

# Adobe's Symbol encoding, the letters (https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt).
_SYMBOL: Final = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ",
        strict=True,
    )
) | {
    "\xb7": "•", "\xb1": "±", "\xb3": "≥", "\xa3": "≤", "\xb4": "×", "\xb8": "÷", "\xb9": "≠", "\xbb": "≈",
    "\xa5": "∞", "\xae": "→", "\xac": "←", "\xad": "↑", "\xaf": "↓", "\xab": "↔", "\xde": "⇒", "\xdb": "⇔",
    "\xb0": "°", "\xb6": "∂", "\xd1": "∇", "\xd5": "∏", "\xe5": "∑", "\xf2": "∫", "\xd6": "√", "\xce": "∈",
    "\xcf": "∉", "\xc7": "∩", "\xc8": "∪", "\xcc": "⊂", "\xcd": "⊆", "\xc6": "∅", "\xa2": "′", "\xb2": "″",
    "\x22": "∀", "\x24": "∃", "\xa7": "♣", "\xa8": "♦", "\xa9": "♥", "\xaa": "♠", "\xb5": "∝", "\xba": "≡",
}  # fmt: skip
_WINGDINGS: Final = {
    "\xfe": "☑", "\xfd": "☒", "\xa8": "☐", "\x6f": "☐", "\x71": "☐", "\x72": "☐", "\xfc": "✓", "\xfb": "✗",
    "\xd8": "➢", "\xa7": "▪", "\x6e": "■", "\x6c": "●", "\xa1": "○", "\x75": "◆", "\x76": "❖", "\x77": "◆",
    "\xe0": "→", "\xdf": "←", "\xe1": "↑", "\xe2": "↓", "\xe8": "➔", "\xf0": "⇨", "\x4a": "☺", "\x4c": "☹",
    "\xab": "★", "\xb5": "★", "\x28": "☎", "\x2a": "✉", "\x46": "☞", "\x9f": "•", "\x9e": "·", "\xb2": "✧",
    "\x80": "⓪", "\x8b": "⓿",
} | {chr(0x81 + at): chr(ord("①") + at) for at in range(10)} | {
    chr(0x8C + at): chr(ord("❶") + at) for at in range(10)
}  # fmt: skip
_WINGDINGS_2: Final = {
    "\x52": "☑",
    "\x53": "☒",
    "\x54": "☒",
    "\x50": "✓",
    "\x4f": "✗",
    "\xa3": "☐",
    "\x97": "●",
}
_FONTS: Final = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}
_PRIVATE: Final = range(0xF000, 0xF100)
_PRIVATE_SIGN: Final = re.compile("[\uf000-\uf0ff]")
UNKNOWN: Final = "□"


def readable(text: str, font: str) -> str:
    """``text`` as its font shows it: signs of symbol fonts as Unicode, ``UNKNOWN`` for those without one."""
    named = font.lower() in _FONTS
    if not named and not _PRIVATE_SIGN.search(text):
        return text
    return "".join(
        symbol(ord(char), font) if ord(char) in _PRIVATE or (named and "!" <= char <= "\xff") else char
        for char in text
    )


def symbol(code: int, font: str) -> str:
    """The character of ``font`` with this code (0x00..0xFF, or the same in the private area)."""
    table = _FONTS.get(font.lower())
    char = chr(code - 0xF000 if code in _PRIVATE else code)
    if table is None:
        return UNKNOWN if code in _PRIVATE else char
    # The Symbol font has figures and signs of arithmetic where ASCII has them.
    return table.get(char, char if table is _SYMBOL and char < "\x7f" else UNKNOWN)
