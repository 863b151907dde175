"""Units of measure in Chinese and English: what they measure, and how much of it one is."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

# What is counted by any measure word is one dimension: 3名, 3位 and 3 people are alike.
COUNT: Final = "count"
# By dimension: how much one is, and how it is written (folded). A dimension's first factor is its base.
_TABLE: Final[dict[str, dict[str, str]]] = {
    "cny": {"1": "元 块钱 人民币 yuan rmb cny ¥", "1/10": "角"},
    "usd": {"1": "美元 usd dollar dollars us$ $", "1/100": "美分 cent cents"},
    "hkd": {"1": "港元 港币 hkd hk$"},
    "eur": {"1": "欧元 eur euro euros €"},
    "jpy": {"1": "日元 日圆 jpy yen"},
    "gbp": {"1": "英镑 gbp £"},
    "twd": {"1": "新台币 台币 ntd nt$"},
    "month": {"1": "个月 月 month months", "12": "年 周年 年度 year years yr yrs", "3": "个季度"},
    "day": {
        "1": "日 天 自然日 日历日 昼夜 day days calendar-day calendar-days",
        "7": "周 星期 礼拜 week weeks",
    },
    "workday": {"1": "工作日 working-day working-days business-day business-days workday workdays"},
    "minute": {
        "1": "分钟 minute minutes min mins",
        "60": "小时 钟头 hour hours hr hrs",
        "1/60": "秒 秒钟 second seconds sec secs",
    },
    "age": {"1": "岁 周岁 years-old years-of-age year-old"},
    "percent": {"1": "% percent per-cent pct", "1/10": "‰"},
    "point": {"1": "百分点 percentage-point percentage-points"},
    "metre": {
        "1": "米 公尺 metre metres meter meters",
        "1000": "公里 千米 km kms kilometre kilometres kilometer kilometers",
        "1/100": "厘米 公分 cm centimetre centimetres centimeter centimeters",
        "1/1000": "毫米 mm millimetre millimetres millimeter millimeters",
    },
    "mile": {"1": "英里 mile miles"},
    "foot": {"1": "英尺 foot feet ft", "1/12": "英寸 inch inches"},
    "sqm": {
        "1": "平方米 m2 square-metre square-metres square-meter square-meters",
        "1000000": "平方公里 平方千米 km2 square-kilometre square-kilometres square-kilometer square-kilometers",
        "10000": "公顷 hectare hectares ha",
    },
    "mu": {"1": "亩"},
    "acre": {"1": "英亩 acre acres"},
    "gram": {
        "1": "克 g gram grams",
        "1000": "千克 公斤 kg kgs kilogram kilograms kilo kilos",
        "1000000": "吨 tonne tonnes ton tons",
        "1/1000": "毫克 mg milligram milligrams",
        "500": "斤",
    },
    "litre": {
        "1": "升 l litre litres liter liters",
        "1/1000": "毫升 ml millilitre millilitres milliliter milliliters",
        "1000": "立方米 m3 cubic-metre cubic-metres cubic-meter cubic-meters",
    },
    "celsius": {"1": "℃ °c 摄氏度"},
    "degree": {"1": "度 ° degree degrees"},
    "fold": {"1": "倍 fold"},
    "occasion": {"1": "次 回 趟 times"},
    "level": {"1": "级 等级"},
    "score": {"1": "分"},
    "floor": {"1": "层 楼 storey storeys floors"},
    "century": {"1": "世纪 century centuries"},
    "person": {"1": "人 名 位 人次 people persons person employees members"},
    "household": {"1": "户 households"},
    "firm": {"1": "家 companies firms"},
    "byte": {"1": "gb", "1/1000": "mb", "1000": "tb", "1/1000000": "kb"},
    "watt": {
        "1": "瓦 w watt watts",
        "1000": "千瓦 kw kilowatt kilowatts",
        "1000000": "兆瓦 mw megawatt megawatts",
    },
    "volt": {"1": "伏 伏特 v volt volts"},
    "hertz": {"1": "赫兹 hz", "1000": "khz", "1000000": "mhz", "1000000000": "ghz"},
    COUNT: {
        "1": "个 件 项 只 座 种 台 辆 艘 架 门 枚 颗 匹 头 棵 株 "
        "首 部 集 篇 张 幅 幢 栋 间 床 班 组 队 场 轮 票 页 卷 册 届 期 条 款 章 节 "
        "所 支 份 套 把 根 片 块 群 双 对 类 口 起 处 步 句 units items copies"
    },
}
UNITS: Final = {
    name.replace("-", " "): (dimension, Fraction(factor))
    for dimension, factors in _TABLE.items()
    for factor, names in factors.items()
    for name in names.split()
}
# Pairs that one language does not tell apart.
_ALIKE: Final = frozenset(
    {
        frozenset(pair)
        for pair in (
            ("fold", "occasion"),
            ("age", "month"),
            (COUNT, "occasion"),
            (COUNT, "floor"),
            (COUNT, "level"),
            (COUNT, "person"),
        )
    }
    | {frozenset((COUNT, "household")), frozenset((COUNT, "firm"))}
    | {frozenset(("celsius", "degree")), frozenset(("age", COUNT))}
)


def _pattern(names: list[str]) -> str:
    """Longest first; Latin names end where a word ends."""
    ordered = sorted(names, key=len, reverse=True)
    parts = (
        re.escape(name).replace(r"\ ", r"[\s-]")
        + (r"(?![a-z])" if name[-1].isascii() and name[-1].isalpha() else "")
        for name in ordered
    )
    return "|".join(parts)


UNIT_PATTERN: Final = _pattern(list(UNITS))
HAN_UNIT_PATTERN: Final = _pattern([name for name in UNITS if name[0] >= "\u3400"])
SIGN_PATTERN: Final = r"us\$|hk\$|nt\$|rmb|cny|usd|人民币|[$€£¥]"


def alike(left: str, right: str) -> bool:
    """Whether two dimensions may be meant to be one; a missing unit (empty) goes with any."""
    return not left or not right or left == right or frozenset((left, right)) in _ALIKE
