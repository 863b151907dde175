"""Each change of a true sentence makes it false, and is left out where it would not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.span import Span
from evaluation.verification import other_words
from evaluation.verification.changes import condition, date, name, negation, number, unit
from evaluation.verification.changes.citation import neighbour
from evaluation.verification.claims import around
from evaluation.verification.kinds import Make
from evaluation.verification.names import Names
from ingest.sentences import sentences
from tests.evaluation.true_claims import claim


def test_one_digit_of_a_number_is_another() -> None:
    (changed,) = number.other_digit(claim("公司全年营业收入为4520万元。"))
    assert changed != "公司全年营业收入为4520万元。" and changed.startswith("公司全年营业收入为")
    assert changed.endswith("0万元。") and len(changed) == len("公司全年营业收入为4520万元。")
    (english,) = number.other_digit(claim("The plant has 3,400 workers."))
    assert english.endswith("00 workers.") and "3,400" not in english and "," in english


def test_a_number_that_the_passage_has_is_not_put_in_as_a_wrong_one() -> None:
    rest = "".join(f"另有{n}人。" for n in range(10, 100) if n != 37)
    assert not list(number.other_digit(claim("会上有37人发言。", rest=rest)))


@pytest.mark.parametrize(
    "sentence",
    [
        "The hall seats more than 500 people.",  # "more than 300" would follow from it
        "The match ended 3:2 after an hour.",
        "See version 1.2.x of the guide.",
        "他出生于1987年。",
        "这是一种常见的植物。",
        "会议于5月12日召开。",
    ],
)
def test_bounds_scores_versions_years_articles_and_days_are_no_numbers_to_change(sentence: str) -> None:
    assert not list(number.other_digit(claim(sentence)))


def test_ten_times_as_much_and_numbers_in_words() -> None:
    assert list(number.magnitude(claim("合同期限为三个月。"))) == ["合同期限为三十个月。"]
    assert list(number.magnitude(claim("Some $7 million was paid back."))) == []
    assert list(number.magnitude(claim("It paid back $7 million."))) == ["It paid back $70 million."]
    assert list(number.other_digit(claim("They have four main offices."))) == ["They have five main offices."]


def test_another_number_of_the_passage_with_the_same_unit() -> None:
    made = claim("甲厂年产钢30万吨。", rest="乙厂年产钢80万吨，有工人600人。")
    assert list(number.of_the_passage(made)) == ["甲厂年产钢80万吨。"]


def test_two_numbers_in_each_others_place() -> None:
    made = claim("Sales were $20 million in the north and $35 million in the south.")
    assert list(number.exchanged(made)) == [
        "Sales were $35 million in the north and $20 million in the south."
    ]
    assert not list(number.exchanged(claim("处三年以上七年以下有期徒刑。")))
    assert not list(number.exchanged(claim("It rose from 20 million a year ago and now is 35 million.")))


def test_another_article_of_the_law() -> None:
    (changed,) = number.article(claim("依照本法第二十条的规定处罚。"))
    assert changed != "依照本法第二十条的规定处罚。" and changed.startswith("依照本法第二十")


def test_another_unit_in_the_script_of_the_sentence() -> None:
    assert list(unit.other_unit(claim("罚款五千元。"))) == ["罚款五千万元。"]
    assert set(unit.other_unit(claim("應當在十日內繳納費用。"))) == {"應當在十個月內繳納費用。"}
    assert set(unit.other_unit(claim("应当在十日内缴纳费用。"))) == {"应当在十个月内缴纳费用。"}
    assert set(unit.other_unit(claim("The trip takes 3 days."))) == {
        "The trip takes 3 months.",
        "The trip takes 3 weeks.",
    }
    # A date, an ordinal and a year are no durations.
    for sentence in ("他于五月十九日到任。", "自第二日起计算。", "公元前408年建成。"):
        assert not list(unit.other_unit(claim(sentence)))


def test_another_year_month_or_day() -> None:
    made = claim("公司于2019年3月8日成立。", rest="2018年尚在筹备。")
    (year,) = date.other_year(made)
    assert year.startswith("公司于201") and year[6] not in "89" and year.endswith("年3月8日成立。")
    (month,) = date.other_month(made)
    assert month.startswith("公司于2019年") and "年3月" not in month
    (day,) = date.other_day(claim("It opened on May 1st, 2003."))
    assert day.startswith("It opened on May ") and "th, 2003" in day
    (english,) = date.other_month(claim("It opened in March 2003."))
    assert english.endswith(" 2003.") and "March" not in english
    assert not list(date.other_year(claim("The tower is 2019 feet high.")))


NAMES = Names(
    {"set": ["zh_finance_1_甲乙有限公司.txt", "zh_finance_2_丙丁有限公司.txt", "README.md"]},
    [("set", "《红河谷》与《白杨树》。"), ("set", "Mr. Blake and Mr. Stone met.")],
)


def test_a_name_of_another_document() -> None:
    made = claim("甲乙有限公司发布了年报。")
    assert list(name.of_another_document(made, NAMES)) == ["丙丁有限公司发布了年报。"]
    held = claim("甲乙有限公司发布了年报。", rest="丙丁有限公司没有。")
    assert not list(name.of_another_document(held, NAMES))
    assert list(name.of_the_passage(held, NAMES)) == ["丙丁有限公司发布了年报。"]


def test_titles_places_and_persons_are_names() -> None:
    assert list(name.of_another_document(claim("他写了《红河谷》。"), NAMES)) == ["他写了《白杨树》。"]
    assert list(name.of_another_document(claim("Mr. Blake signed."), NAMES)) == ["Mr. Stone signed."]
    places = list(name.of_another_document(claim("工厂设在广东。"), NAMES))
    assert places and all("广东" not in one and one.startswith("工厂设在") for one in places)
    assert not list(name.of_another_document(claim("印度洋海域辽阔。"), NAMES))


def test_the_other_party_of_a_rule() -> None:
    assert list(name.other_role(claim("出租人应当交付房屋。"))) == ["承租人应当交付房屋。"]
    assert "劳动者可以解雇用人单位。" in list(name.other_role(claim("用人单位可以解雇劳动者。")))
    assert not list(name.other_role(claim("出租人和承租人应当签字。")))
    assert list(name.other_role(claim("The seller must deliver."))) == ["The buyer must deliver."]
    assert not list(name.other_role(claim("A multi-tenant service.")))


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("当事人可以提出异议。", "当事人不可以提出异议。"),
        ("該公司應當賠償。", "該公司不應當賠償。"),
        ("该厂增加了两条生产线。", "该厂没有增加两条生产线。"),
        ("The court can hear the case.", "The court can not hear the case."),
        ("The board announced a dividend.", "The board did not announce a dividend."),
    ],
)
def test_a_not_more(sentence: str, changed: str) -> None:
    assert changed in list(negation.added(claim(sentence)))


@pytest.mark.parametrize(
    "sentence", ["当事人不可以撤回。", "是否可以撤回，由法院决定。", "He asked whether it is open."]
)
def test_no_not_where_one_is_or_where_it_is_left_open(sentence: str) -> None:
    assert not list(negation.added(claim(sentence)))


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("当事人不得撤回。", "当事人可以撤回。"),
        ("该条并不适用于外国人。", "该条适用于外国人。"),
        ("他们没有签订合同。", "他们有签订合同。"),
        ("You cannot appeal.", "You can appeal."),
        ("It is not required.", "It is required."),
        ("It did not open.", "It did open."),
        ("Members are no longer insured.", "Members are still insured."),
    ],
)
def test_a_not_less(sentence: str, changed: str) -> None:
    assert changed in list(negation.removed(claim(sentence)))


@pytest.mark.parametrize(
    "sentence", ["It not only sings.", "我们不得不撤回。", "It fails even if it is not used."]
)
def test_a_not_that_denies_nothing_stays(sentence: str) -> None:
    assert not list(negation.removed(claim(sentence)))


def test_words_for_their_opposites() -> None:
    assert list(negation.opposite(claim("利润同比增长。"))) == ["利润同比下降。"]
    assert list(negation.opposite(claim("Costs were higher."))) == ["Costs were lower."]
    assert not list(negation.opposite(claim("他不同意。")))


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("年满十八周岁的人可以报名。", "年未满十八周岁的人可以报名。"),
        ("罚款不得超过二万元。", "罚款不低于二万元。"),
        ("處三年以下有期徒刑。", "處三年以上有期徒刑。"),
        ("应当在十五日内提出。", "应当在十五日之后提出。"),
        ("You need at least two forms.", "You need at most two forms."),
        ("File it before the hearing.", "File it after the hearing."),
    ],
)
def test_a_bound_turned_round(sentence: str, changed: str) -> None:
    assert changed in list(condition.turned_round(claim(sentence)))


def test_no_bound_is_turned_round_inside_a_range_or_a_phrase() -> None:
    assert not list(condition.turned_round(claim("处三年以上七年以下有期徒刑。")))
    assert not list(condition.turned_round(claim("It was named after the king.")))


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("承揽人应当保密，但是当事人另有约定的除外。", "承揽人应当保密。"),
        ("除当事人另有约定外，费用由买方承担。", "费用由买方承担。"),
        ("如果逾期不交，应当支付滞纳金。", "应当支付滞纳金。"),
        ("The yearly fee is due in June, unless the court waives it.", "The yearly fee is due in June."),
        ("If the goods are late, you can cancel the order.", "You can cancel the order."),
        ("The dogs may only be walked on a lead.", "The dogs may be walked on a lead."),
    ],
)
def test_a_condition_left_out(sentence: str, changed: str) -> None:
    assert changed in list(condition.dropped(claim(sentence)))


def test_what_only_adds_or_asks_is_no_condition() -> None:
    assert not list(condition.dropped(claim("除书籍外，还出售文具和各种玩具。")))
    assert not list(condition.dropped(claim("You can call the office to see if they have a desk.")))


def test_and_for_or() -> None:
    assert list(condition.and_for_or(claim("故意或者重大过失造成损害的，应当赔偿。"))) == [
        "故意并且重大过失造成损害的，应当赔偿。"
    ]
    # Under a "not", and where one may choose, both come to the same.
    assert not list(condition.and_for_or(claim("没有约定或者约定不明的，应当协商。")))
    assert not list(condition.and_for_or(claim("签名或者盖章的，可以受理。")))


def test_a_neighbour_that_lacks_the_words() -> None:
    barn = "The red barn was built of oak in the spring. "
    same = "The red barn was built of oak, they say. " * 5
    wolves = "Wolves hunt at night in small groups. " * 40
    made = replace(claim(barn.strip()), passage=Span(0, len(barn.strip())))
    found = neighbour(made, barn + same + wolves)
    # The nearest passages say the same; the first that does not is taken, far enough from the right one.
    assert found is not None and "oak in the spring" not in found.of(barn + same + wolves)
    assert "Wolves" in found.of(barn + same + wolves)
    assert neighbour(made, barn + same) is None
    assert neighbour(made, barn) is None


def test_a_passage_grows_on_both_sides_and_stays_within_its_limit() -> None:
    text = " ".join(f"Sentence number {n} says something of medium length." for n in range(60))
    units = sentences(text)
    for seed in range(0, 4000, 37):
        span = around(units, (30, 30), f"{seed:x}")
        assert span.contains(units[30]) and 200 <= len(span) <= 900
    assert around([Span(0, 5)], (0, 0), "0") == Span(0, 5)


@pytest.mark.parametrize(
    ("make", "sentence", "changed"),
    [
        (other_words.opposite, "工厂设在城市。", "工厂设在乡村。"),
        (other_words.opposite, "該島位於南部。", "該島位於北部。"),
        (other_words.opposite, "They import wool.", "They export wool."),
        (other_words.denied, "这里存在风险。", "这里并不存在风险。"),
        (other_words.denied, "The rule was adopted.", "The rule was never adopted."),
        (other_words.denied, "It always rains.", "It never rains."),
    ],
)
def test_the_same_changes_with_words_of_their_own(make: Make, sentence: str, changed: str) -> None:
    assert list(make(claim(sentence))) == [changed]
