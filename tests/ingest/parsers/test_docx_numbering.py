"""Automatic numbering as Word prints it: formats, restarts, overrides and lists that go on."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ingest.parsers.docx.numbering import Numbering
from ingest.parsers.docx.styles import Styles
from ingest.parsers.numerals import numeral
from tests.ingest.parsers.word_file import NAMES, lvl, numbering


def counter(xml: str, styles: str = "") -> Numbering:
    root = ElementTree.fromstring(f"<w:numbering {NAMES}>{xml}</w:numbering>")
    return Numbering(root, Styles(ElementTree.fromstring(f"<w:styles {NAMES}>{styles}</w:styles>")))


def marks(made: Numbering, *asked: tuple[str, int | None]) -> list[str]:
    return [mark.text if (mark := made.mark(num, level)) else "" for num, level in asked]


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        (10, "chineseCounting", "十"),
        (21, "chineseCounting", "二十一"),
        (105, "chineseCountingThousand", "一百零五"),
        (110, "chineseCountingThousand", "一百一十"),
        (1010, "chineseCountingThousand", "一千零一十"),
        (12, "chineseLegalSimplified", "壹拾贰"),
        (12, "ideographTraditional", "12"),
        (3, "ideographTraditional", "丙"),
        (20, "ideographDigital", "二〇"),
        (3, "decimalEnclosedCircleChinese", "③"),
        (99, "decimalEnclosedCircle", "99"),
        (28, "lowerLetter", "bb"),
        (1944, "upperRoman", "MCMXLIV"),
        (7, "decimalZero", "07"),
        (22, "ordinal", "22nd"),
        (21, "ordinalText", "Twenty-first"),
        (40, "cardinalText", "Forty"),
        (5, "none", ""),
        (5, "somethingNew", "5"),
    ],
)
def test_numbers_in_the_formats_of_word(number: int, kind: str, text: str) -> None:
    assert numeral(number, kind) == text


def test_deeper_levels_restart_under_each_parent() -> None:
    made = counter(numbering(lvl("decimal", "%1."), lvl("decimal", "%1.%2"), lvl("lowerLetter", "%3)")))
    asked = [("1", 0), ("1", 1), ("1", 2), ("1", 2), ("1", 1), ("1", 2), ("1", 0), ("1", 1)]
    assert marks(made, *asked) == ["1. ", "1.1 ", "a) ", "b) ", "1.2 ", "a) ", "2. ", "2.1 "]


def test_a_level_that_never_restarts_and_one_that_restarts_only_under_the_first() -> None:
    never = lvl("decimal", "(%2)", more='<w:lvlRestart w:val="0"/>')
    made = counter(numbering(lvl("decimal", "%1."), never))
    assert marks(made, ("1", 0), ("1", 1), ("1", 0), ("1", 1)) == ["1. ", "(1) ", "2. ", "(2) "]
    first = lvl("decimal", "[%3]", more='<w:lvlRestart w:val="1"/>')
    made = counter(numbering(lvl("decimal", "%1."), lvl("decimal", "%2"), first))
    asked = [("1", 0), ("1", 1), ("1", 2), ("1", 1), ("1", 2), ("1", 0), ("1", 2)]
    assert marks(made, *asked) == ["1. ", "1 ", "[1] ", "2 ", "[2] ", "2. ", "[1] "]


def test_a_level_passed_over_counts_as_begun() -> None:
    made = counter(numbering(lvl("decimal", "%1."), lvl("decimal", "%1.%2."), lvl("decimal", "%1.%2.%3.")))
    assert marks(made, ("1", 0), ("1", 2), ("1", 1)) == ["1. ", "1.1.1. ", "1.2. "]


def test_lists_of_one_definition_go_on_and_an_override_starts_anew_once() -> None:
    nums = '<w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num>'
    nums += '<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    made = counter(numbering(lvl("decimal", "%1."), nums=nums))
    assert marks(made, ("1", 0), ("2", 0), ("3", 0), ("3", 0)) == ["1. ", "2. ", "5. ", "6. "]


def test_an_override_may_bring_a_level_of_its_own() -> None:
    own = f'<w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0">{lvl("upperRoman", "Part %1", 4)}</w:lvl></w:lvlOverride>'
    made = counter(
        numbering(lvl("decimal", "%1."), nums=f'<w:num w:numId="2"><w:abstractNumId w:val="7"/>{own}</w:num>')
    )
    assert marks(made, ("2", 0)) == ["Part IV "]


def test_legal_numbering_writes_all_levels_in_digits() -> None:
    made = counter(numbering(lvl("chineseCounting", "第%1章"), lvl("decimal", "%1.%2", more="<w:isLgl/>")))
    assert marks(made, ("1", 0), ("1", 1)) == ["第一章 ", "1.1 "]


def test_no_gap_no_number_and_an_unknown_list() -> None:
    made = counter(
        numbering(lvl("chineseCounting", "%1、", more='<w:suff w:val="nothing"/>'), lvl("none", ""))
    )
    assert marks(made, ("1", 0), ("1", 1), ("0", 0), ("9", 0)) == ["一、", "", "", ""]


def test_a_style_names_its_level_and_a_list_style_its_list() -> None:
    linked = lvl("decimal", "%1.%2", more='<w:pStyle w:val="two"/>')
    named = '<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="S"/></w:abstractNum>'
    nums = '<w:num w:numId="4"><w:abstractNumId w:val="8"/></w:num>'
    style = '<w:style w:type="numbering" w:styleId="S"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    made = counter(numbering(lvl("decimal", "%1."), linked, extra=named, nums=nums), style)
    assert marks(made, ("4", 0)) == ["1. "]
    mark = made.mark("1", None, "two")
    assert mark is not None and (mark.text, mark.level) == ("1.1 ", 1)
