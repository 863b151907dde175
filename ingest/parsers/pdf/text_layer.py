"""Whether the text that a PDF page carries is what a reader sees on it: judged by the text and a few numbers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

# Fewer characters than this on a page that is all picture are a stamp or a page number.
_FEW: Final = 40
_ALL_PICTURE: Final = 0.6
_SOME_PICTURE: Final = 0.1
# Letters drawn as shapes make at least this many paths a page; with a line of text beside them, many more.
_OUTLINES: Final = 40
_MANY_OUTLINES: Final = 1500
# Below this share of the text reading as text it is not what the page shows.
_BROKEN: Final = 0.8
# Faults in a thousand characters from which somebody's OCR is read anew.
_OCR_FAULTS: Final = 2.0
# Our own OCR replaces nothing below this mean confidence, nor when it has so much less text; it does when the
# layer has so much less.
_TRUSTED: Final = 0.7
_WHOLE: Final = 0.6
_HALF: Final = 0.5
# Statistics of letters need this many of them.
_SAMPLE: Final = 200

_CID: Final = re.compile(r"\(cid:\d+\)|(?:/[gG]\d{1,5}){3,}")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z]{2,}")
# Chinese bytes, or UTF-8, read as Latin-1: runs of what is rare between letters.
_MOJIBAKE: Final = re.compile(r"[\u00a1-\u00ff]{3,}|[ÃÂâåæçèé][\u0080-\u00bf€™œž]|ï¿½|锟斤拷|烫烫烫")
# What OCR takes for digits, inside a number; and narrow marks in the middle of Chinese.
_FALSE_DIGITS: Final = re.compile(
    r"\d[OIlZoq|]+\d|(?<![A-Za-z\d])[OIlZ|]+\d|\d[Il|](?![A-Za-z])|\d[\u4e00-\u9fff]\d{3}(?!\d)"
)
_FALSE_MARKS: Final = re.compile(
    r"[·•.,。]{2}[A-Za-z\d]?[·•.,。]|(?<=[\u4e00-\u9fff])[·.](?=\d)|[。，]{2}|\d\s?\.\s?·\d"
)
_COMMON_HAN: Final = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后"
    "多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合"
    "还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只"
    "没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边"
    "流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百"
    "规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务"
    "具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越"
    "織國會時個來們這為對說過發經現後學動關開問長東書電話實業資料應當體點機無與從總統計萬義種產變員場網際國际股份司投"
)
# Shares of the letters a..z in running English (Norvig, "English Letter Frequency Counts", 2012), in thousandths.
_LETTERS: Final = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        (80, 15, 33, 38, 125, 24, 19, 51, 76, 2, 5, 41, 25, 72, 76, 21, 1, 63, 65, 93, 27, 11, 17, 2, 17, 1),
        strict=True,
    )
)


class LayerState(StrEnum):
    """``BLANK``: no text and nothing drawn. ``MISSING``: the words are in a picture or in drawn outlines."""

    USABLE = "usable"
    BROKEN = "broken"
    MISSING = "missing"
    BLANK = "blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerVerdict:
    """``reason`` is a short word for logs; ``score`` is 0..1, how much of the text reads as text."""

    state: LayerState
    reason: str = ""
    score: float = 1.0

    @property
    def wants_ocr(self) -> bool:
        """Whether the page should be read from its picture."""
        return self.state in (LayerState.BROKEN, LayerState.MISSING)


def layer_quality(
    text: str, *, image_coverage: float = 0.0, drawn_paths: int = 0, invisible: bool = False
) -> LayerVerdict:
    """The verdict on one page.

    ``image_coverage`` is the share of the page (0..1) under pictures, ``drawn_paths`` how many vector paths
    are drawn (text turned into outlines has many), ``invisible`` whether the text is unseen on a scanned
    page, so that it is somebody's OCR. All come from ``hidden_text.page_paint``.
    """
    count = _count(text)
    if not count:
        drawn = image_coverage >= _SOME_PICTURE or drawn_paths >= _OUTLINES
        return LayerVerdict(
            state=LayerState.MISSING if drawn else LayerState.BLANK, reason="no_text", score=0.0
        )
    if count < _FEW and (image_coverage >= _ALL_PICTURE or drawn_paths >= _MANY_OUTLINES):
        return LayerVerdict(state=LayerState.MISSING, reason="little_text", score=count / _FEW)
    scores = {
        "garbage": 1 - min(4 * _garbage(text) / count, 1.0),
        "repeated": 1 - min(4 * _repeated(text), 1.0),
        "letters": _letter_likeness(text),
    }
    reason = min(scores, key=lambda name: scores[name])
    if scores[reason] < _BROKEN:
        return LayerVerdict(state=LayerState.BROKEN, reason=reason, score=scores[reason])
    if invisible and faults(text) > _OCR_FAULTS:
        return LayerVerdict(state=LayerState.BROKEN, reason="ocr_faults", score=scores[reason])
    return LayerVerdict(state=LayerState.USABLE, score=scores[reason])


def readability(text: str) -> float:
    """0..1: how much of ``text`` looks like words of a language."""
    return layer_quality(text).score


def prefers_ocr(layer: str, read: str, confidence: float) -> bool:
    """Whether ``read`` (our OCR, mean confidence 0..1) is the better text of a page than its ``layer``."""
    # Glyphs that a broken font no longer draws are in the layer alone.
    shows_less = _count(read) < _WHOLE * _count(_CID.sub("?", layer))
    if confidence < _TRUSTED or shows_less or layer_quality(read).wants_ocr:
        return False
    doubtful = layer_quality(layer).wants_ocr or _count(layer) < _HALF * _count(read)
    return doubtful or faults(read) < faults(layer)


def faults(text: str) -> float:
    """What only OCR gets wrong, in a thousand characters: letters in numbers, marks that no one sets."""
    found = len(_FALSE_DIGITS.findall(text)) + len(_FALSE_MARKS.findall(text)) + _garbage(text)
    return 1000 * found / max(_count(text), 1)


def _count(text: str) -> int:
    return sum(not char.isspace() for char in text)


def _garbage(text: str) -> int:
    """Characters that no page shows: replacement marks, private use, control codes, names of glyphs, mojibake."""
    named = sum(len(found.group()) for found in _CID.finditer(text))
    torn = sum(len(found.group()) for found in _MOJIBAKE.finditer(text))
    return named + torn + sum(_is_garbage(char) for char in text)


def _is_garbage(char: str) -> bool:
    if char < "\x7f":
        return char < " " and not char.isspace()
    return char == "\ufffd" or unicodedata.category(char) in ("Cc", "Co", "Cn", "Cs")


def _repeated(text: str) -> float:
    """The share of Chinese characters in runs of three and more of the same: one glyph for many."""
    han = _HAN.findall(text)
    runs = [len(list(group)) for _, group in groupby(han)]
    return sum(run for run in runs if run >= 3) / len(han) if len(han) >= 20 else 0.0


def _letter_likeness(text: str) -> float:
    """0..1: how far the letters occur as often as in real text; 1 when there are too few to tell."""
    likeness = 1.0
    han = _HAN.findall(text)
    if len(han) >= _SAMPLE:
        # Running Chinese has more than half of its characters among these; names and tables a quarter.
        common = sum(char in _COMMON_HAN for char in han) / len(han)
        likeness = min(common / 0.2, 1.0)
    letters = "".join(_LATIN_WORD.findall(text)).lower()
    if len(letters) >= _SAMPLE and len(letters) > len(han):
        likeness = min(likeness, _cosine(Counter(letters)) / 0.8, 1.0)
    return likeness


def _cosine(counts: Counter[str]) -> float:
    """The cosine between the counts and English; other European languages have about 0.9."""
    dot = sum(counts[letter] * share for letter, share in _LETTERS.items())
    norms = sum(count**2 for count in counts.values()) * sum(share**2 for share in _LETTERS.values())
    return float(dot / norms**0.5) if norms else 0.0
