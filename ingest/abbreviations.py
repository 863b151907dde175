"""Words whose full stop ends no sentence: titles, initials, units, list numbers."""

from __future__ import annotations

import re
from typing import Final


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# What they belong to follows always: a name, an example, a number.
_NEVER_LAST: Final = _words(
    """mr mrs ms dr prof st mt ft gen maj brig col lt capt sgt cmdr adm rev hon gov sen rep pres messrs mme mlle
    e.g i.e cf viz vs v resp incl excl approx ca c tel ext sra dña z.b d.h bzw vgl
    г ул им пр см рис стр тыс млн млрд т.е डॉ"""
)
# Only before a number, a single letter or a bracket: "No. 5" and "Fig. A", but "I said no."
_BEFORE_NUMBER: Final = _words(
    """no nos nr fig figs eq eqs sec secs art arts p pp vol vols ch chap para tab app ref refs ver bd abs
    jan feb mar apr jun jul aug sep sept oct nov dec"""
)
# They end a sentence where the next word is one that sentences start with.
_MAYBE_LAST: Final = _words(
    """etc al inc ltd co corp llc bros dept univ assn est jr sr esq ed eds trans min max avg sq ave blvd rd
    usw т.д т.п др руб"""
)
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_NUMBER = re.compile(r"[\"'“‘§#]?(?:\d|[IVXLC]+\b|[A-Z]\b)|[(\[]")
_STARTER = re.compile(
    r"[\"'“‘(\[«]?(?:The|An?|It|Its|I|He|She|His|Her|They|Their|We|Our|You|Your|This|That|These|Those|There|In"
    r"|On|At|As|By|For|From|To|With|And|But|Or|So|Yet|If|When|While|After|Before|Since|Because|However|Moreover"
    r"|Then|Thus|What|Who|Why|How|Where|Some|All|Many|Most|No|Not|Now|One|See)\b"
)
_LABEL = re.compile(
    r"(?P<led>.*(?:[：；，、。]|[^\d][:;,]))?[(（]?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[A-Za-z]|[IVX]{1,5})"
)
_OPENERS = "([{\"'“‘«—–-/:"
_EAST_ASIAN = re.compile(r"[\u2e80-\U0010ffff]+")
_LONGEST = 16


def abbreviates(text: str, begin: int, at: int, after: int) -> bool:
    """Whether the full stop at ``at``, in a sentence from ``begin``, ends an abbreviation, an initial or a
    list number and no sentence. ``after`` is where the next word starts.
    """
    from_begin = begin >= at - _LONGEST
    words = text[begin if from_begin else at - _LONGEST : at].split()
    if not words:
        return False
    word = words[-1]
    if (label := _LABEL.fullmatch(word)) is not None:
        leads = from_begin and len(words) == 1
        if leads or label["led"] or (len(words) > 1 and words[-2][-1] in ":：;；"):
            return True
    word = _EAST_ASIAN.split(word)[-1].lstrip(_OPENERS)
    if len(word) == 1 and word.isalpha() and not word.islower():
        if len(words) > 1 and words[-2][-1].isdigit():
            # A unit: "3.5 C."
            return False
        return _STARTER.match(text, after) is None
    name = word.lower()
    if name in _NEVER_LAST:
        return True
    if name in _BEFORE_NUMBER:
        return _NUMBER.match(text, after) is not None
    if name in _MAYBE_LAST or _DOTTED.fullmatch(word):
        return _STARTER.match(text, after) is None
    return False
