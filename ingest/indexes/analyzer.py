"""Text to search tokens, the same for passages and questions."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+")
# Words, numbers with their points (2.13.0), and identifiers whole (GB/T, T-200, v2.13.0).
_LATIN_TOKEN = re.compile(r"[^\W_\u3400-\u9fff]+(?:[./\-_'][^\W_\u3400-\u9fff]+)*")
_INNER_MARK = re.compile(r"[./\-_']")


def analyze(text: str) -> list[str]:
    """Lower-case tokens in NFKC: rjieba words of search mode plus all bigrams of each Chinese run;

    other words whole, and identifiers also in their parts. Punctuation yields nothing.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    tokens: list[str] = []
    for run in _HAN_RUN.findall(folded):
        words = [word for word in _segmenter().cut_for_search(run) if len(word) != 2]
        bigrams = [run[i : i + 2] for i in range(len(run) - 1)]
        tokens += words + bigrams
    for word in _LATIN_TOKEN.findall(_HAN_RUN.sub(" ", folded)):
        tokens.append(word)
        parts = _INNER_MARK.split(word)
        if len(parts) > 1:
            tokens += parts
    return tokens


@cache
def _segmenter() -> Any:
    import rjieba

    return rjieba.Jieba()
