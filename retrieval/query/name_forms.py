"""The forms in which a document's name may be said: without machine parts, legal endings, 中华人民共和国."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from ingest.indexes.analyzer import fold

_HAN: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNIT: Final = re.compile(rf"[{_HAN}]|(?:19|20)\d\d(?=[Qq][1-4])|[Ff][Yy](?=\d{{4}})|[^\W_{_HAN}]+")
_IS_HAN: Final = re.compile(rf"[{_HAN}]")
# Words without which a name is the same.
_SILENT: Final = frozenset({"的", "the", "and", "of"})
# en_finance_40_Acme: up to a number that is no year, machines wrote it.
_MACHINE: Final = re.compile(r"^(?:[A-Za-z]{1,10}[_-]){0,3}\d{1,9}[_-]+(?=\D|\d{4})")
_YEAR_FIRST: Final = re.compile(r"^(?:[A-Za-z]{1,10}[_-]){0,3}(?:19|20)\d\d[_-]")
_CODE: Final = re.compile(
    r"(?:[a-z]{1,6}[_-])?[0-9a-f]{6,}(?:[_-]\w+)?|[\d_\-. ]+|[A-Za-z]{1,8}[_-]?\d{3,}(?:[_-]v?\d+)*"
)
_BRACKET_TAIL: Final = re.compile(r"\s*[(（\[【][^()（）\[\]【】]{0,40}[)）\]】]\s*$")
_STATE: Final = re.compile(r"^中[华華]人民共和[国國]")
_COURT: Final = re.compile(r"^最高人民法院(?:、最高人民检察院)?关于(?:适用|审理|办理)?")
_CASES: Final = re.compile(
    r"^(?:涉及)?(.{2,24}?)(?:纠纷)?(?:民事|刑事|行政)?案件(?:具体)?(?:适用|应用)?法律.*(?:解释|规定)"
)
_FIRM: Final = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|集团公司|控股集团)$")
_LATIN_FIRM: Final = re.compile(
    r"[\s,_]+(?:Inc|Ltd|Co|Corp|LLC|Corporation|Company|Limited|PLC|GmbH|AG|Holdings?)\.?(?:[\s,_]+(?:Ltd|Inc|LLC)\.?)?$",
    re.IGNORECASE,
)
# BOEING_2022_10K: which year and form of a series it is; what is left names the series.
_IN_SERIES: Final = re.compile(
    r"(?:19|20)\d\d(?:[Qq][1-4])?|[Qq][1-4]|[Ff][Yy]\d{2,4}|\d{1,2}-?[KQ]|EARNINGS|dated-[\d-]+|[vV]\d+(?:\.\d+)*"
)
_PERSON: Final = re.compile(r"[\s,_]+[A-Z]\.?[\s_]+[A-Z][a-z]+$")
_BODY: Final = re.compile(
    r"(?:公司|院|大学|大學|集团|集團|銀行|银行|委员会|委員會|学校|學校|中心|研究所|事务所|政府)$"
)
_LAW_LIKE: Final = re.compile(r"(?:法|典|条例|條例)$")
# Names of many files and titles of many pages, which name none.
_COMMON: Final = frozenset(
    """
    总则 附则 目录 前言 正文 说明 简介 通知 合同 报告 手册 文档 文件 制度 规定 协议 附件 总结 readme index untitled document
    home overview introduction manual report contents notes draft final test data section chapter part new copy
    """.split()  # noqa: SIM905 - one word a line would hide the code
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A Han character, or a word of other letters and digits; ``text`` is folded."""

    text: str
    start: int
    end: int
    is_han: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to say a name. ``is_sure``: said in plain words it can hardly mean anything else.

    ``is_topic``: that sure by its length alone, so that it may be what a question is about.
    ``is_weak``: a common word; only 《》, an extension or "this document" make it a name.
    """

    units: tuple[str, ...]
    is_whole: bool
    is_sure: bool
    is_topic: bool
    is_weak: bool


def units_of(text: str) -> list[Unit]:
    """The units of ``text`` in order, without silent ones."""
    found = []
    for match in _UNIT.finditer(text):
        folded = fold(match.group())
        if folded not in _SILENT:
            is_han = _IS_HAN.match(match.group()) is not None
            found.append(Unit(text=folded, start=match.start(), end=match.end(), is_han=is_han))
    return found


def forms_of(name: str, title: str) -> list[Form]:
    """The forms of a file name and a title, each once; none for a name that machines made."""
    stem = _stem(name)
    found: dict[tuple[str, ...], Form] = {}
    for whole, is_title in ((_without_machine(stem), False), (title.strip("#*_ "), True)):
        if not whole or _CODE.fullmatch(whole) or (is_title and title == stem):
            continue
        for text in _equals(whole):
            _keep(found, text, is_whole=True, is_title=is_title)
        for text in _pieces(whole):
            _keep(found, text, is_whole=False, is_title=is_title)
    return list(found.values())


def said(name: str, title: str) -> str:
    """What people call a document or (without a file ``name``) a section; empty for what names nothing."""
    stem, heading = _stem(name), title.strip("#*_ ")
    whole = heading if heading and title != stem else _without_machine(stem)
    if not whole or _CODE.fullmatch(whole) or fold(whole) in _COMMON:
        return ""
    return re.sub(r"[_\s]+", " ", _BRACKET_TAIL.sub("", whole)).strip()


def _keep(found: dict[tuple[str, ...], Form], text: str, *, is_whole: bool, is_title: bool) -> None:
    units = units_of(text)
    key = tuple(unit.text for unit in units)
    if not key or key in found or len(key) > 80 or (len(key) == 1 and key[0].isdigit()):
        return
    han = sum(unit.is_han for unit in units)
    is_law = _LAW_LIKE.search(text.strip()) is not None
    is_body = _BODY.search(text.strip()) is not None
    is_common = "".join(key) in _COMMON
    is_weak = is_common or (han == len(key) and han < 3 and not (is_law and han > 1))
    # Three characters of a piece may be any word, five of a whole name hardly; a Latin title is often a topic.
    is_named = is_whole and (han > 4 or (han == 0 and len(key) > 1 and not is_title))
    is_proper = is_law or (is_body and han > 3)
    is_sure = is_proper or is_named or (han == 0 and len(key) > 2 and not is_title)
    found[key] = Form(
        units=key,
        is_whole=is_whole,
        is_sure=is_sure and not is_weak,
        is_topic=not is_proper,
        is_weak=is_weak,
    )


def _stem(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.stem if re.fullmatch(r"\.[A-Za-z][A-Za-z0-9]{0,4}", path.suffix) else path.name


def _without_machine(stem: str) -> str:
    return stem if _YEAR_FIRST.match(stem) else _MACHINE.sub("", stem)


def _equals(whole: str) -> list[str]:
    """The whole name, and what is left of it without endings that nobody says."""
    bare = _BRACKET_TAIL.sub("", _BRACKET_TAIL.sub("", whole))
    texts = [whole, bare, _STATE.sub("", bare), _LATIN_FIRM.sub("", bare)]
    court = _COURT.sub("", bare)
    if court != bare:
        cases = _CASES.match(court)
        texts += [court, f"{cases[1]}司法解释"] if cases else [court]
    return list(dict.fromkeys(text for text in texts if text))


def _pieces(whole: str) -> list[str]:
    """Parts that may name it, though perhaps not it alone: a firm without its legal form, one side of a "_"."""
    bare = _BRACKET_TAIL.sub("", whole)
    parts = [part.strip() for part in re.split(r"[_|·—–]|\s-\s", bare) if _IS_HAN.search(part)]
    if len(parts) < 2:
        parts = []
    firms = [_FIRM.sub("", part) for part in (*parts, bare) if _FIRM.search(part)]
    people = [_PERSON.sub("", bare)] if _PERSON.search(bare) else []
    return [*parts, *firms, *people, *_series(bare)]


def _series(bare: str) -> list[str]:
    words = re.split(r"[_\s]+", bare)
    kept = [word for word in words if not _IN_SERIES.fullmatch(word)]
    is_one = len(kept) < len(words) and all(word.isalpha() and word[0].isupper() for word in kept)
    return [" ".join(kept)] if kept and is_one else []
