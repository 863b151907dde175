"""How many bits a character costs in the text of each language: what real text looks like.

A character at rank r of a language's own order costs log2((r + flatness) / weight) bits, a Zipf-Mandelbrot
law fitted by eye to encyclopaedia articles; anything else costs by how strange it is there. Fewer bits for
the same bytes mean the likelier encoding.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache

_HANS = (
    "的人年一在为有公中是用和于以大了法国过这得开司文系入行道月程电第件不成上定统其都者知时后地请生点会发"
    "说出及好给可选序当很事让作部问本网那题与打我日学条看输把击做盘民想找理买键着络什个择脑名么谢分你十吧"
    "对呢怎吗您或被方之合下物他市同业体期并到由院三任长经主应高能进利而务重加提等动产内所来区关位二保权家"
    "东自现线规前无员路面通斯至要多子资明化力工因新处南外场政机管性实小亚某西立此制代度将最正站证建使设种"
    "也北品海百金间车社水相治标全四原目约山尔交特责据数平次美受量台天书形称决收起持龙常情元展记但教商向里"
    "色如列查意五式环结表单风共案号科巴影史克指认取改世未告达议从组鳍士军续广包村计球王节鱼两信接诉造港阿"
)
_HANT = (
    "的國年在人為一於大中和是有以地後之電其了都南這民開也路得用會港統球網道主過選不時發成文上多而入及擊方"
    "東區著者建很式系程斯政來日北香西到點特給與心打部問月題案最把前件讓說請輸分知個好立行那做乎由公盤想看"
    "腦我學動要市什謝乃擇對麼找法鍵黨你您嗎呢吧怎買檔世內他長出並但生拉關通島位度自家名金明被外代美此期馬"
    "經因新居族同正全將面平業定至稱員城等亞軍現爾重作共則口數高福所理比達線水府戰力使聯量產史河間州江教海"
    "省里加機第場流能運兩約制交物本設當展龍次安各手下接性界烈祖總治合十四利進德容可少山石工忽體廣三事亦克"
    "子如必昆然從向王布起台朝元林華或富賽印黑羅實議相帶受英種計灣資持女任籍卡始杜二阿基舉尼些派權更們即管"
)
_JA = (
    "のいしたてにるとはをなでがすっかんられこまもりあさきくどけょせよえおうそつじちみンースルイトラリアク"
    "レドシタロフジプマテコグメサ日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部"
    "東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理"
    "調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公持野協取都和統以機平総加山思家話世受"
    "区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面"
    "委告軍文反元重近千考判認画海"
)
_KO = (
    "이다는의에을가고하지은를한도로기사어나인자서리대시스그아라일해정으있수니과들보부여전장게상원주제비구"
    "관동성만국와등면오조모무미마연공문신유소것생경진발안당방내실우재민통학업거금분선본중계적입교위된저후"
    "때바년력물터용반각행회세양트식개화더심운질작결요건강노김살할권단월표되였했습않없며까러드르말길음님"
)
# Marks that text in any language may hold.
_MARKS = frozenset("，。、：；！？（）《》「」『』【】“”‘’„«»…—–·•\u3000\u00a0€£©®°§№№×")
_ASCII = {" ": 4.0, "\n": 5.5, "\r": 5.5, "\t": 6.5} | dict.fromkeys("0123456789", 6.5)
_ASCII |= {letter: 5.5 + rank / 8 for rank, letter in enumerate("etaoinsrhldcumfpgwybvkxjqz")}
_HAN = r"\u4e00-\u9fff"
_UPPER_BITS, _MARK_BITS, _FOREIGN_BITS, _RARE_BITS, _IMPOSSIBLE_BITS = 3.5, 9.0, 17.0, 20.0, 30.0
_STRANGE_BITS = 7.0
# A capital inside a word; letters of two alphabets in one word; a lone foreign letter among Latin words;
# a lone East Asian character hard by a Latin letter; one letter three times.
_CAPITAL_INSIDE = re.compile(r"[a-zß-ÿа-яёα-ωšžœ][À-ÞА-ЯЁΑ-ΩŠŽŒ]|[ß-ÿа-яёα-ω][A-Z]")
_MIXED_WORD = re.compile(r"[A-Za-z](?=[\u0370-\u0e7f])|[\u0370-\u0e7f](?=[A-Za-z])")
_LONE_LETTER = re.compile(
    r"(?<=[A-Za-z%] )[\u0370-\u0e7f](?= [A-Za-z%])|[A-Za-z][\u2e80-\uffef](?![\u2e80-\uffef])"
    r"|(?<![\u2e80-\uffef])[\u2e80-\uffef](?=[a-z])"
)
_TRIPLED = re.compile(r"([^\W\d_])\1\1")
_STRANGE = (_CAPITAL_INSIDE, _MIXED_WORD, _LONE_LETTER, _TRIPLED)

# German, French, Spanish, Portuguese, Italian, Nordic; Polish, Czech and Slovak, Hungarian, Romanian; Turkish.
_ACCENTED = (
    "üäößéà",
    "éèàêçâùôîûœëïÿ",
    "óáíéñúü¿¡ªº",
    "ãçáéíóêõâúàº",
    "èàùòìé",
    "åäöøæéþð",
    "ąęłóśżćńź",
    "áíéěřščžýůúťďňôľĺŕä",
    "éáöőóüíúű",
    "ăîșțâşţ",
    "ıüşğöçİâîû",
)
WESTERN, CENTRAL, TURKISH = (
    tuple(f"latin-{number}" for number in numbers) for numbers in (range(6), range(6, 10), (10,))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """``frequent`` is in descending order. ``everyday`` is a codec and the highest lead byte of its common
    characters; ``script`` is what an unlisted character of the language looks like."""

    frequent: str
    weight: float
    flatness: float
    script: str
    everyday: tuple[str, int] | None = None
    letter_bits: float = 13.5


LANGUAGES: dict[str, Language] = {
    "zh-Hans": Language(frequent=_HANS, weight=0.2, flatness=20, script=_HAN, everyday=("gb2312", 0xD7)),
    "zh-Hant": Language(frequent=_HANT, weight=0.2, flatness=20, script=_HAN, everyday=("big5", 0xC6)),
    "ja": Language(
        frequent=_JA, weight=0.25, flatness=10, script=_HAN + r"\u3041-\u30ff", everyday=("shift_jis", 0x97)
    ),
    "ko": Language(
        frequent=_KO, weight=0.25, flatness=10, script=_HAN + r"\uac00-\ud7a3", everyday=("euc_kr", 0xC8)
    ),
    **{
        f"latin-{number}": Language(frequent=letters, weight=0.03, flatness=1, script=r"\u00c0-\u024f")
        for number, letters in enumerate(_ACCENTED)
    },
    "ru": Language(
        frequent="оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфёъіїєґў", weight=0.3, flatness=3, script=r"\u0400-\u045f"
    ),
    "el": Language(
        frequent="αοιετσνηυρπκμλςωδγάίόέχθφήβύξώζψϊϋΐΰ", weight=0.3, flatness=3, script=r"\u0370-\u03ff"
    ),
    "he": Language(frequent="יוהלאמרתבשנכםדחעפקגטזצסןךףץ", weight=0.3, flatness=3, script=r"\u05d0-\u05ea"),
    "ar": Language(
        frequent="اليمنوتربةعدسفهكقحجأشصىخطذئءضزغإثظآؤپچگیک،؛؟", weight=0.3, flatness=3, script=r"\u0600-\u06ff"
    ),
    "th": Language(
        frequent="านรกอเงมยลวดทสตะปบคหแจพชขใไผโถซฉธณศษภ่้ัิีืุู์็ำึๆ", weight=0.3, flatness=3, script=r"\u0e01-\u0e5b"
    ),
}  # fmt: skip


def bits(text: str, language: str) -> float:
    """What ``text`` costs as text of ``language``; a replacement character costs as much as a wrong one."""
    costs = _costs(language)
    total = sum(costs[char] * count for char, count in Counter(text).items())
    return total + _STRANGE_BITS * sum(len(pattern.findall(text)) for pattern in _STRANGE)


@cache
def _costs(language: str) -> _Costs:
    return _Costs(LANGUAGES[language])


class _Costs(dict[str, float]):
    """Bits of each character in one language, worked out when first met."""

    def __init__(self, language: Language) -> None:
        super().__init__(_ASCII)
        self._language = language
        self._script = re.compile(f"[{language.script}]")
        for rank, char in enumerate(language.frequent):
            self[char] = math.log2((rank + language.flatness) / language.weight)

    def __missing__(self, char: str) -> float:
        self[char] = found = self._unlisted(char)
        return found

    def _unlisted(self, char: str) -> float:
        if char < "\x80":
            if char.isupper():
                return self[char.lower()] + _UPPER_BITS
            return _MARK_BITS if char.isprintable() else _IMPOSSIBLE_BITS
        if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cn", "Co", "Cs"):
            return _IMPOSSIBLE_BITS
        if char in _MARKS:
            return _MARK_BITS
        lower = char.lower()
        if lower != char and lower in self._language.frequent:
            return self[lower] + _UPPER_BITS
        if not self._script.match(char):
            return _RARE_BITS if _is_han(char) else _FOREIGN_BITS
        return self._of_script(char)

    def _of_script(self, char: str) -> float:
        if self._language.everyday is None:
            return self._language.letter_bits
        codec, highest_lead = self._language.everyday
        try:
            common = char.encode(codec)[0] <= highest_lead
        except UnicodeEncodeError:
            return _RARE_BITS
        return self._language.letter_bits if common else _FOREIGN_BITS


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or char >= "\U00020000"
