"""Which language a text is in, as far as its script tells."""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
# Scripts of words, and the language that most of what is written in each is in.
_WORDS = {
    "ru": re.compile(r"[\u0400-\u052f]+"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]+"),
    "he": re.compile(r"[\u0590-\u05ff]+"),
    "ar": re.compile(r"[\u0600-\u06ff\u0750-\u077f]+"),
    "hi": re.compile(r"[\u0900-\u097f]+"),
    "th": re.compile(r"[\u0e01-\u0e5b]+"),
}


def language_of(text: str) -> str:
    """ "zh", "en", "ja", "ko", "ru", "el", "he", "ar", "hi" or "th", by script; "other" without known letters.

    A Chinese character counts as one word, as does a run of letters. Latin letters count as English.
    """
    sample = text[:20_000]
    han, latin = len(_HAN.findall(sample)), len(_LATIN.findall(sample))
    kana, hangul = len(_KANA.findall(sample)), len(_HANGUL.findall(sample))
    if kana + hangul > 0.2 * (han + kana + hangul) and kana + hangul > 0.2 * latin:
        return "ja" if kana > hangul else "ko"
    words = {language: len(pattern.findall(sample)) for language, pattern in _WORDS.items()}
    most = max(words, key=lambda language: words[language])
    if words[most] > max(han, latin):
        return most
    if han and han >= 0.3 * latin:
        return "zh"
    return "en" if latin else "other"
