"""Citation markers in a model's text: every usual form, normalised to ``[n]``."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = re.compile(r"[\[【［〔]\s*\^?\s*(\d{1,3}(?:\s*(?:[-–—,，、;；]|\s)\s*\^?\d{1,3})*)\s*[\]】］〕]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_MAX_RANGE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedText:
    """Text whose only markers are ``[n]`` with known numbers; ``unknown`` counts those taken out."""

    text: str
    unknown: int


def normalise(text: str, known: int) -> MarkedText:
    """Rewrite 【1】, [1, 2], [1-3], ［１］ and [^1] as [1][2]...; numbers outside 1..known are removed.

    Code, and an index right behind one or two letters, as in ``a[1]``, stay as they are.
    """
    unknown = 0

    def replace(found: re.Match[str]) -> str:
        nonlocal unknown
        before = found.string[found.start() - 1 : found.start()]
        if found.group()[0] == "[" and before.isascii() and (before.isalnum() or before == "_"):
            # Models put a mark right behind a word too; only one or two letters look like an index, as a[1].
            word = re.search(r"[A-Za-z0-9_]+$", found.string[: found.start()])
            if word and len(word.group()) <= 2:
                return found.group()
        numbers = _numbers(found.group(1))
        good = [n for n in numbers if 1 <= n <= known]
        unknown += len(numbers) - len(good)
        return "".join(f"[{n}]" for n in dict.fromkeys(good))

    parts: list[str] = []
    position = 0
    for code in _CODE.finditer(text):
        parts += [_MARKER.sub(replace, text[position : code.start()]), code.group()]
        position = code.end()
    parts.append(_MARKER.sub(replace, text[position:]))
    return MarkedText(text="".join(parts), unknown=unknown)


def _numbers(source: str) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"\s*[,，、;；]\s*|\s+(?![-–—])(?<![-–—]\s)", source):
        bounds = [int(bound.strip(" ^")) for bound in re.split(r"[-–—]", part) if bound.strip(" ^")]
        if len(bounds) == 2 and 0 < bounds[1] - bounds[0] <= _MAX_RANGE:
            numbers += range(bounds[0], bounds[1] + 1)
        else:
            numbers += bounds
    return numbers
