"""Simplified and traditional characters, as far as one sign has one counterpart."""

from __future__ import annotations

from functools import cache

from ingest.indexes.analyzer import fold

_HAN = range(0x4E00, 0xA000)
# Big5's common characters.
_COMMON = range(0xA4, 0xC7)
# The usual one of several; the others are rare in running text.
_USUAL = "個當別證團獲發盡簽贊蘇術毀煙須鑒鐘"


def simplified(text: str) -> str:
    """``text`` with each Chinese character in its simplified form, all else as it is."""
    return text.translate(_plain())


def traditional(text: str) -> str:
    """``text`` in traditional characters; a sign that could be several of them stays."""
    known = _counterparts()
    return "".join(known[sign][0] if len(known.get(sign, "")) == 1 else sign for sign in text)


def is_traditional(text: str) -> bool:
    """Whether more than a stray sign in twenty is a traditional one."""
    changed = sum(before != after for before, after in zip(text, simplified(text), strict=True))
    return changed * 20 > len(text)


def is_clear(text: str) -> bool:
    """Whether no sign could be several traditional ones."""
    known = _counterparts()
    return all(len(known.get(sign, "")) < 2 for sign in text)


@cache
def _plain() -> dict[int, str]:
    return {code: fold(chr(code)) for code in _HAN}


@cache
def _counterparts() -> dict[str, str]:
    """The common traditional signs of each simplified one that is not itself in use among them."""
    found: dict[str, str] = {}
    for code in _HAN:
        sign, plain = chr(code), _plain()[code]
        if plain != sign and _is_common(sign) and not _is_common(plain):
            found[plain] = found.get(plain, "") + sign
    return found | {fold(sign): sign for sign in _USUAL}


def _is_common(sign: str) -> bool:
    try:
        return sign.encode("big5")[0] in _COMMON
    except UnicodeEncodeError:
        return False
