"""Which language a text is in, as far as this program treats languages differently."""

from __future__ import annotations

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def language_of(text: str) -> str:
    """ "zh", "en" or "other". A Chinese character counts as one word, as does a run of Latin letters."""
    sample = text[:20_000]
    han = len(_HAN.findall(sample))
    kana_hangul = len(_KANA_HANGUL.findall(sample))
    latin = len(_LATIN.findall(sample))
    if kana_hangul > 0.2 * (han + kana_hangul) and kana_hangul > 0.2 * latin:
        return "other"
    if han and han >= 0.3 * latin:
        return "zh"
    return "en" if latin else "other"
