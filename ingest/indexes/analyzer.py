"""Text to search tokens, the same for passages and questions."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from operator import add
from typing import Any

from ingest.indexes.spellings import one_spelling

# Goes up whenever the same text may yield other tokens: stored tokens are then made anew.
ANALYZER_VERSION = 3

_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+")
# Words, numbers with their points (2.13.0), and identifiers whole (GB/T, T-200, v2.13.0).
_LATIN_TOKEN = re.compile(r"[^\W_\u3400-\u9fff]+(?:[./\-_'][^\W_\u3400-\u9fff]+)*")
_INNER_MARK = re.compile(r"[./\-_']")
_LETTERS_BEFORE_DIGIT = re.compile(r"^[a-z]+(?=\d)")
# Words that say nothing about a subject. Negations and modal verbs stay: they carry rules.
_STOP_WORDS = frozenset(
    """
    a an and are as at be been but by did do does for from had has have he her his how i if in into
    is it its me my of on or our s she so t than that the their them then there these they this
    those to under was we were what when where which who whom whose why will with would you your
    """.split()  # noqa: SIM905 - one word a line would hide the code
)


def analyze(text: str) -> list[str]:
    """Lower-case tokens in NFKC and simplified characters. Punctuation and English stop words yield nothing.

    Chinese: rjieba words of search mode plus all bigrams. Other words: stemmed when they are plain Latin
    letters; identifiers and numbers whole, and also in their parts. Dates, numbered articles and codes of
    standards have one more token, the same however they are written.
    """
    folded = fold(text)
    tokens: list[str] = []
    cut = _segmenter().cut_for_search
    for run in _HAN_RUN.findall(folded):
        tokens += [word for word in cut(run) if len(word) != 2]
        tokens += map(add, run, run[1:])
    for word in _LATIN_TOKEN.findall(_HAN_RUN.sub(" ", folded)):
        if word.isalpha():
            if word not in _STOP_WORDS:
                tokens.append(stemmed(word))
        else:
            tokens += _identifier(word)
    return tokens + one_spelling(text, folded)


def _identifier(word: str) -> list[str]:
    """A word with marks or digits inside: whole, without the letter of a version, and in its parts."""
    parts = _INNER_MARK.split(word)
    tokens = [word] if len(parts) > 1 else []
    if len(parts) > 1 and (number := _LETTERS_BEFORE_DIGIT.sub("", word)) != word:
        tokens.append(number)
    for part in parts:
        if part not in _STOP_WORDS:
            tokens.append(stemmed(part))
    return tokens


def fold(text: str) -> str:
    """NFKC, lower case, simplified: full width, ligatures, capitals and traditional signs make no difference."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_simplified())


@cache
def _simplified() -> dict[int, int]:
    """Code points of simplified characters by those of traditional ones."""
    lines = (files("ingest.indexes") / "han_folding.txt").read_text("utf-8").splitlines()
    return dict(zip(map(ord, lines[1]), map(ord, lines[2]), strict=True))


def chinese_words(text: str) -> list[str]:
    """The Chinese words of ``text`` in order, as rjieba cuts them."""
    return [word for run in _HAN_RUN.findall(fold(text)) for word in _segmenter().cut(run)]


def other_words(text: str) -> list[str]:
    """All other words, identifiers and numbers in order, without English stop words."""
    found = _LATIN_TOKEN.findall(_HAN_RUN.sub(" ", fold(text)))
    return [word for word in found if word not in _STOP_WORDS]


@lru_cache(maxsize=100_000)
def stemmed(word: str) -> str:
    """The stem of a plain Latin word; any other word as it is."""
    if not (word.isascii() and word.isalpha()) or len(word) < 3:
        return word
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@cache
def _segmenter() -> Any:
    import rjieba

    return rjieba.Jieba()
