"""Numbers as Word's automatic numbering writes them (ECMA-376 part 1, 17.18.59 ST_NumberFormat)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ONES: Final = (
    "", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
    "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen",
)  # fmt: skip
_TENS: Final = ("", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety")
_FIRSTS: Final = {
    "One": "First", "Two": "Second", "Three": "Third", "Five": "Fifth", "Eight": "Eighth", "Nine": "Ninth",
    "Twelve": "Twelfth",
}  # fmt: skip
_HAN: Final = "〇一二三四五六七八九"
_SIMPLIFIED: Final = "零壹贰叁肆伍陆柒捌玖"
_TRADITIONAL: Final = "零壹貳參肆伍陸柒捌玖"
_STEMS: Final = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES: Final = "子丑寅卯辰巳午未申酉戌亥"
_SYMBOLS: Final = "*†‡§"


def numeral(number: int, kind: str) -> str:
    """``number`` in Word's format ``kind``; plain digits where the format has no sign for it."""
    write = _FORMATS.get(kind)
    return (write(number) if write is not None else "") or ("" if kind == "none" else str(number))


def _roman(number: int) -> str:
    if not 0 < number < 4000:
        return ""
    text = ""
    for size, sign in _ROMAN:
        text += sign * (number // size)
        number %= size
    return text


def _letters(alphabet: str, number: int) -> str:
    """a .. z, aa, bb .. zz, aaa: the letter is repeated once for each full round."""
    if number < 1:
        return ""
    rounds, place = divmod(number - 1, len(alphabet))
    return alphabet[place] * (rounds + 1)


def _one_of(signs: str, number: int) -> str:
    return signs[number - 1] if 0 < number <= len(signs) else ""


def _from(first: str, most: int, number: int) -> str:
    """Signs that follow each other in Unicode, such as the circled numbers."""
    return chr(ord(first) + number - 1) if 0 < number <= most else ""


def _digits(signs: str, number: int) -> str:
    return "".join(signs[int(digit)] for digit in str(number)) if number >= 0 else ""


def _counted(signs: str, units: str, number: int, *, bare_ten: bool = True) -> str:
    """Chinese counting with ten, hundred and thousand: 一百零五."""
    if not 0 < number < 10_000:
        return signs[0] if number == 0 else ""
    text, gap = "", False
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if not digit:
            gap = bool(text)
            continue
        text += (signs[0] if gap else "") + signs[digit] + ("", *units)[place]
        gap = False
    return text[1:] if bare_ten and 10 <= number < 20 else text


def _han(number: int) -> str:
    return _counted("零" + _HAN[1:], "十百千", number)


def _han_below_hundred(number: int) -> str:
    """Word's plain Chinese counting goes over to single digits at a hundred."""
    return _han(number) if number < 100 else _digits("○" + _HAN[1:], number)


def _circled(number: int) -> str:
    return _from("①", 20, number) or _from("㉑", 15, number - 20) or _from("㊱", 15, number - 35)


def _words(number: int) -> str:
    if not 0 < number < 100:
        return ""
    if number < len(_ONES):
        return _ONES[number]
    return _TENS[number // 10] + (f"-{_ONES[number % 10].lower()}" if number % 10 else "")


def _ordinal_words(number: int) -> str:
    head, dash, last = _words(number).rpartition("-")
    word = _FIRSTS.get(last.capitalize(), "")
    if not last:
        return ""
    if not word:
        word = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return head + dash + (word.lower() if dash else word)


def _ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _sixty(number: int) -> str:
    place = (number - 1) % 60
    return _STEMS[place % 10] + _BRANCHES[place % 12] if number > 0 else ""


_FORMATS: Final[dict[str, Callable[[int], str]]] = {
    "none": lambda number: "",
    "decimalZero": lambda number: f"{number:02d}",
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": partial(_letters, "abcdefghijklmnopqrstuvwxyz"),
    "upperLetter": partial(_letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "russianLower": partial(_letters, "абвгдежзиклмнопрстуфхцчшщыэюя"),
    "russianUpper": partial(_letters, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ"),
    "ordinal": _ordinal,
    "cardinalText": _words,
    "ordinalText": _ordinal_words,
    "hex": lambda number: f"{number:X}",
    "chicago": partial(_letters, _SYMBOLS),
    "numberInDash": lambda number: f"- {number} -",
    "decimalFullWidth": partial(_digits, "０１２３４５６７８９"),
    "decimalFullWidth2": partial(_digits, "０１２３４５６７８９"),
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalEnclosedParen": partial(_from, "⑴", 20),
    "decimalEnclosedFullstop": partial(_from, "⒈", 20),
    "ideographEnclosedCircle": partial(_from, "㊀", 10),
    "chineseCounting": _han_below_hundred,
    "taiwaneseCounting": _han_below_hundred,
    "chineseCountingThousand": _han,
    "taiwaneseCountingThousand": _han,
    "japaneseCounting": _han,
    "ideographDigital": partial(_digits, _HAN),
    "taiwaneseDigital": partial(_digits, "○" + _HAN[1:]),
    "japaneseDigitalTenThousand": partial(_digits, _HAN),
    "chineseLegalSimplified": partial(_counted, _SIMPLIFIED, "拾佰仟", bare_ten=False),
    "ideographLegalTraditional": partial(_counted, _TRADITIONAL, "拾佰仟", bare_ten=False),
    "japaneseLegal": partial(_counted, _TRADITIONAL, "拾佰仟", bare_ten=False),
    "ideographTraditional": partial(_one_of, _STEMS),
    "ideographZodiac": partial(_one_of, _BRANCHES),
    "ideographZodiacTraditional": _sixty,
    "ganada": partial(_one_of, "가나다라마바사아자차카타파하"),
    "chosung": partial(_one_of, "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
    "aiueoFullWidth": partial(
        _one_of,
        "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    ),
    "irohaFullWidth": partial(
        _one_of,
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
    ),
}
