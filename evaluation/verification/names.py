"""Names that sentences can hold: those of the documents of a set, and a few closed lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

# "en_finance_46_JetWing_Aviation.txt": what the kind is, a number, the name.
_NAMED = re.compile(r"^((?:[A-Za-z]+_)*)\d+_(.+)$")
_TITLE = re.compile(r"《([^《》]{2,20})》")
_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金"
    "陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐岑"
)
_SOMEONE = re.compile(rf"[{_SURNAMES}]某{{1,2}}(?!某)")
_PERSON = re.compile(
    r"\b(?:Mr|Ms|Mrs|Dr)\. [A-Z][a-z]+(?: [A-Z][a-z]+)?|\b[A-Z]\. (?!All|Yard|The|You|This|Yes|For|There)[A-Z][a-z]{2,}"
)
_MAKER = re.compile(r"(?<=\bby )[A-Z][a-zà-ÿ]+ [A-Z][a-zà-ÿ]+(?![\w-]| [A-Z&])")
_PLACES: Final = (
    "美国 英国 法国 德国 日本 俄罗斯 意大利 西班牙 加拿大 澳大利亚 印度 巴西 韩国 荷兰 波兰 瑞典 葡萄牙 奥地利 土耳其 埃及",
    "美國 英國 法國 德國 日本 俄羅斯 義大利 西班牙 加拿大 澳大利亞 印度 巴西 韓國 荷蘭 波蘭 瑞典 葡萄牙 奧地利 土耳其 埃及",
    "北京 上海 广州 深圳 天津 重庆 成都 武汉 南京 杭州 西安 沈阳 青岛",
    "台北 香港 東京 倫敦 巴黎 紐約 柏林 羅馬 莫斯科 新加坡",
    "广东 浙江 江苏 四川 湖南 湖北 河南 河北 山东 山西 陕西 云南 福建 安徽 江西 辽宁 黑龙江",
    "France Germany Japan Russia Italy Spain Canada Australia India Brazil China Mexico Poland Sweden Portugal Austria Egypt",
    "California Texas Florida Ohio Michigan Illinois Virginia Georgia Pennsylvania Oregon Arizona Colorado Missouri",
    "London Paris Berlin Chicago Boston Houston Seattle Miami Denver Atlanta Dallas Toronto Sydney Tokyo",
)  # fmt: skip
# Parties and offices that stand for each other in a rule, one for the other.
ROLES: Final = {
    "zh": (
        ("出租人", "承租人"), ("债权人", "债务人"), ("用人单位", "劳动者"), ("原告", "被告"), ("买受人", "出卖人"),
        ("人民法院", "人民检察院"), ("人民检察院", "公安机关"), ("发包人", "承包人"), ("抵押权人", "抵押人"), ("保证人", "债权人"),
        ("委托人", "受托人"), ("赠与人", "受赠人"), ("监护人", "被监护人"), ("投保人", "保险人"), ("股东会", "董事会"),
        ("董事会", "监事会"), ("定作人", "承揽人"), ("承运人", "旅客"), ("经营者", "消费者"), ("上诉人", "被上诉人"), ("父母", "子女"),
        ("祖父母", "父母"), ("侵权人", "被侵权人"), ("申请人", "被申请人"), ("国务院", "省级人民政府"), ("审计委员会", "董事会"),
        ("甲方", "乙方"), ("辩护人", "公诉人"), ("母親", "父親"), ("总统", "总理"), ("總統", "總理"),
    ),
    "en": (
        ("plaintiff", "defendant"), ("prosecutor", "defense counsel"), ("seller", "buyer"), ("landlord", "tenant"),
        ("employer", "employee"), ("lender", "borrower"), ("Senate", "House of Representatives"), ("mother", "father"),
        ("shareholders", "employees"),
        ("board of directors", "audit committee"), ("Board of Directors", "Audit Committee"), ("customers", "suppliers"),
        ("patient", "doctor"), ("Defendant", "Plaintiff"), ("Republicans", "Democrats"), ("northern", "southern"),
        ("eastern", "western"), ("north", "south"), ("east", "west"),
    ),
}  # fmt: skip


class Names:
    """Names of the same kind by each name of a set, and how to find names in a text."""

    def __init__(self, files: Mapping[str, Iterable[str]], passages: Iterable[tuple[str, str]]) -> None:
        """``files`` are file names by set, ``passages`` texts with the set of each."""
        self._kinds: dict[str, str] = {}
        self._of_kind: dict[str, list[str]] = {}
        for part, names in files.items():
            for name in names:
                self._add_file(part, name)
        for number, row in enumerate(_PLACES):
            for name in row.split():
                self._add(f"place {number}", name)
        for part, text in passages:
            for kind, name in _written(text):
                self._add(f"{part} {kind}", name)
        self._known = re.compile(
            "|".join(re.escape(name) for name in sorted(self._kinds, key=len, reverse=True)) or "(?!)"
        )

    def found(self, text: str) -> list[str]:
        """The names in ``text``, each once; of overlapping ones the longest that starts first."""
        return list(dict.fromkeys(m[0] for m in self._known.finditer(text) if _is_whole(text, m)))

    def like(self, name: str) -> list[str]:
        """Other names of its kind."""
        return [other for other in self._of_kind[self._kinds[name]] if other != name]

    def are_alike(self, first: str, second: str) -> bool:
        return self._kinds[first] == self._kinds[second]

    def _add_file(self, part: str, file: str) -> None:
        named = _NAMED.match(file.rpartition(".")[0])
        if named is None:
            return
        name = re.sub(r"_?\(.*\)$", "", named[2])
        pieces = [name.replace("_", " ")] if name.isascii() else name.split("_")
        for place, piece in enumerate(pieces):
            if len(piece) > 1 and not any(map(str.isdigit, piece)):
                # Titles of an encyclopedia are of many kinds: alike are those that end alike.
                kind = f"{named[1]}{place}" if any(map(str.islower, named[1])) else f"…{piece[-1]}"
                self._add(f"{part} {kind}", piece)

    def _add(self, kind: str, name: str) -> None:
        if name not in self._kinds:
            self._kinds[name] = kind
            self._of_kind.setdefault(kind, []).append(name)


def _written(text: str) -> Iterable[tuple[str, str]]:
    """Titles, anonymous and short names of persons, and who something was made by."""
    yield from (("title", f"《{m[1]}》") for m in _TITLE.finditer(text))
    yield from ((f"someone {len(m[0])}", m[0]) for m in _SOMEONE.finditer(text))
    yield from ((f"person {m[0].split()[0][1:]}", m[0]) for m in _PERSON.finditer(text))
    yield from (("maker", m[0]) for m in _MAKER.finditer(text))


def _is_whole(text: str, found: re.Match[str]) -> bool:
    """Not a piece of a longer Latin word, nor of a longer anonymous name."""
    after = text[found.end() : found.end() + 1]
    if found[0][0].isascii():
        return (
            not (after.isascii() and after.isalpha())
            and not text[found.start() - 1 : found.start()].isalpha()
        )
    return after not in set("某队隊人语語河尼洋时時西文")
