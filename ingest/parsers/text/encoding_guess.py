"""Which encoding bytes without a mark are in: the one under which they cost the fewest bits as text."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ingest.parsers.text.letter_frequencies import CENTRAL, LANGUAGES, TURKISH, WESTERN, bits

# encoding, the languages written in it, bits against it: in short texts what is met more often wins.
_Row = tuple[str, tuple[str, ...], int]
_ENCODINGS: tuple[_Row, ...] = (
    ("gb18030", ("zh-Hans", "zh-Hant"), 0),
    ("cp950", ("zh-Hant",), 2),
    ("big5hkscs", ("zh-Hant",), 4),
    ("cp932", ("ja",), 3),
    ("euc_jp", ("ja",), 5),
    ("cp949", ("ko",), 3),
    ("cp1252", WESTERN, 1),
    ("cp1251", ("ru",), 3),
    ("koi8_r", ("ru",), 5),
    ("cp866", ("ru",), 8),
    ("cp1250", CENTRAL, 6),
    ("iso8859_2", CENTRAL, 8),
    ("cp1253", ("el",), 6),
    ("cp1254", TURKISH, 8),
    ("cp1255", ("he",), 6),
    ("cp1256", ("ar",), 6),
    ("cp874", ("th",), 6),
)
_WIDE: tuple[_Row, ...] = tuple((encoding, tuple(LANGUAGES), 12) for encoding in ("utf-16-le", "utf-16-be"))
_SAMPLE_BYTES = 32_768
_SHORT_BYTES = 1024
# A character of two bytes that the encoding does not know is one character all the same.
_PAIRED = frozenset(("gb18030", "cp950", "big5hkscs", "cp932", "euc_jp", "cp949"))
_NOT_ASCII = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")


# Ten bits are odds of a thousand to one.
_CLEAR_BITS = 10.0
# Noise costs eight bits a byte; text must cost less.
_NOISE_BITS = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """``rival`` names the likeliest encoding that reads otherwise and is nearly as likely, or nothing."""

    encoding: str
    rival: str = ""


def guesses(data: bytes) -> list[Guess]:
    """The encodings under which ``data`` looks like text, likeliest first; none when it is noise."""
    rows, sample = _chosen(data)
    read: list[tuple[float, str, str]] = []
    for encoding, languages, against in rows:
        text = read_as(sample, encoding)
        read.append((against + min(bits(text, language) for language in languages), encoding, text))
    read.sort(key=lambda entry: entry[0])
    likely = [entry for entry in read if entry[0] < _NOISE_BITS * len(sample)]
    return [Guess(encoding=name, rival=_rival(cost, text, read)) for cost, name, text in likely]


def read_as(data: bytes, encoding: str) -> str:
    """The text, with U+FFFD for each character that ``encoding`` does not know."""
    text = data.decode(encoding, "replace")
    if encoding not in _PAIRED or "\ufffd" not in text:
        return text
    # Python goes on at the second byte of an unknown pair, and would read nonsense from there.
    codecs.register_error("whole pair", _whole_pair)
    return data.decode(encoding, "whole pair")


def _whole_pair(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    return "\ufffd", error.start + (2 if len(pair) == 2 and min(pair) >= 0x81 else 1)


def _chosen(data: bytes) -> tuple[tuple[_Row, ...], bytes]:
    """Which encodings are worth trying, and the bytes to try them on.

    Only UTF-16 explains zero bytes, and all but a short text in UTF-16 holds some (line ends, digits).
    """
    if b"\x00" in data:
        return _WIDE, data[:_SAMPLE_BYTES]
    if len(data) <= _SHORT_BYTES:
        return (*_ENCODINGS, *(() if len(data) % 2 else _WIDE)), data
    return _ENCODINGS, _sample(data)


def _rival(cost: float, text: str, read: list[tuple[float, str, str]]) -> str:
    near = (name for other, name, reading in read if reading != text and other < cost + _CLEAR_BITS)
    return next(near, "")


def _sample(data: bytes) -> bytes:
    """The first lines that are not plain ASCII: only they tell encodings apart."""
    lines: list[bytes] = []
    size = 0
    for found in _NOT_ASCII.finditer(data):
        lines.append(found.group()[: _SAMPLE_BYTES - size])
        size += len(lines[-1])
        if size >= _SAMPLE_BYTES:
            break
    return b"".join(lines)
