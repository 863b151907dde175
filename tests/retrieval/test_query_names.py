"""Names of stored documents in questions: whole, short, quoted; common words name nothing."""

from __future__ import annotations

import time

import pytest

from retrieval.query.name_forms import said
from retrieval.query.names import DocumentName, NameBook
from retrieval.query.understand import understand

NAMES = [
    ("劳动合同法", "劳动合同法(2012-12-28).md", "中华人民共和国劳动合同法"),
    ("条例", "法规/中华人民共和国劳动合同法实施条例.txt", ""),
    ("教育法", "教育法.md", "中华人民共和国教育法"),
    ("公司法", "公司法.md", "中华人民共和国公司法"),
    ("合同编", "民法典_合同编.md", "中华人民共和国民法典"),
    ("总则编", "民法典_总则.md", "中华人民共和国民法典"),
    ("借贷", "最高人民法院关于审理民间借贷案件适用法律若干问题的规定(2020-12-29).md", ""),
    ("智慧", "zh_finance_27_智慧教育科技有限公司.txt", ""),
    ("医院苏", "zh_medical_1_丝路市人民医院_苏某某.txt", ""),
    ("医院云", "zh_medical_2_丝路市人民医院_云某某.txt", ""),
    ("手册", "员工手册.pdf", "星河公司员工手册"),
    ("安全", "安全.md", "安全"),
    ("关岛", "1160_关岛.txt", ""),
    ("court", "en_law_123_Sterling,_Quarryville,_Court.txt", "Criminal Judgment"),
    ("innova", "en_finance_55_InnovaTech_Solutions.txt", ""),
    ("acme", "Acme Holdings Inc.pdf", ""),
    ("smith", "en_medical_195_Farmington_City_Hospital_A._Smith.txt", ""),
    ("jones", "en_medical_196_Farmington_City_Hospital_B._Jones.txt", ""),
    ("amzn1", "2023 Q1 AMZN.pdf", ""),
    ("amzn2", "2023 Q2 AMZN.pdf", ""),
    ("manual", "Manual.docx", "Manual"),
    ("hash", "0027bff8d2a891ff.txt", ""),
    ("policy", "Travel Policy.docx", "Travel Policy"),
]
BOOK = NameBook(DocumentName(document_id=key, name=name, title=title) for key, name, title in NAMES)


def meant(question: str) -> set[str]:
    return {document for mention in understand(question, BOOK).mentions for document in mention.documents}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("劳动合同法第39条是什么", {"劳动合同法"}),
        ("《中华人民共和国劳动合同法》何时施行", {"劳动合同法"}),
        ("根据劳动合同法实施条例，如何计算", {"条例"}),
        ("《劳动合同法》和《公司法》有什么区别", {"劳动合同法", "公司法"}),
        ("《民法典》第563条", {"合同编", "总则编"}),
        ("民法典合同编对违约的规定", {"合同编"}),
        ("民间借贷司法解释第二条", {"借贷"}),
        ("最高人民法院关于审理民间借贷案件适用法律若干问题的规定第2条", {"借贷"}),
        ("智慧教育科技有限公司的净利润", {"智慧"}),
        ("智慧教育科技2021年的净利润", {"智慧"}),
        ("丝路市人民医院的病历里，苏某某的诊断", {"医院苏"}),
        ("丝路市人民医院有哪些病人", {"医院苏", "医院云"}),
        ("员工手册怎么规定年假", {"手册"}),
        ("星河公司员工手册怎么规定年假", {"手册"}),
        ("《安全》里写了什么", {"安全"}),
        ("安全.md里写了什么", {"安全"}),
        ("the judgment of Sterling, Quarryville, Court", {"court"}),
        ("net profit of InnovaTech Solutions in 2020", {"innova"}),
        ("What does Acme Holdings own?", {"acme"}),
        ("records of Farmington City Hospital: when was A. Smith admitted", {"smith"}),
        ("How many patients did Farmington City Hospital treat?", {"smith", "jones"}),
        ("What was AMZN's revenue in Q1 2023?", {"amzn1"}),
        ("What was AMZN's revenue?", {"amzn1", "amzn2"}),
        ("open manual.docx please", {"manual"}),
        ("according to the Travel Policy, who pays", {"policy"}),
        ("ＡＭＺＮ的收入", {"amzn1", "amzn2"}),
    ],
)
def test_documents_are_recognised_by_what_people_call_them(question: str, expected: set[str]) -> None:
    assert meant(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "安全措施有哪些", "安全生产的要求", "“安全”是什么意思", "违反安全规定怎么办", "义务教育法第二条",
        "高等教育法何时施行", "公司法务部在哪",
        "公司法人代表是谁", "劳动合同法定解除条件", "关岛在哪", "合同怎么签", "有什么总则", "is there a manual transmission",
        "Manual work is hard",
        "what is the travel policy", "criminal law basics", "smith and jones", "0027bff8d2a891ff", "how safe is it", "",
    ],
)  # fmt: skip
def test_common_words_and_other_names_name_nothing(question: str) -> None:
    assert meant(question) == set()


def test_a_search_is_held_to_what_is_certainly_meant() -> None:
    assert understand("智慧教育科技有限公司的净利润", BOOK).documents == ("智慧",)
    # Three characters and less may be a subject rather than a document.
    assert understand("What was AMZN's revenue?", BOOK).documents == ()
    # One certain name carries the others beside it.
    assert understand("Acme Holdings Inc and AMZN in Q2 2023", BOOK).documents == ("acme", "amzn2")
    # The other firm may be stored under a name that is not known.
    assert understand("比较智慧教育科技有限公司和伟业公司的利润", BOOK).documents == ()
    # A subject, not a file: other documents may tell of it as well.
    topic = NameBook([DocumentName(document_id="t", name="如何重置密码.md")])
    assert understand("如何重置密码？", topic).documents == ()


def test_spans_are_those_of_the_names() -> None:
    question = "请比较《劳动合同法》与智慧教育科技有限公司"
    spans = [question[m.span.start : m.span.end] for m in understand(question, BOOK).mentions]
    assert spans == ["劳动合同法", "智慧教育科技有限公司"]


def test_documents_that_the_viewer_cannot_see_are_not_there() -> None:
    assert understand("劳动合同法第3条", BOOK, visible={"公司法"}).mentions == ()
    found = understand("丝路市人民医院的病历", BOOK, visible={"医院云", "公司法"})
    assert found.documents == ("医院云",)


def test_a_name_that_very_many_share_names_none() -> None:
    book = NameBook(DocumentName(document_id=str(n), name=f"年度报告总览_{n}号文件.md") for n in range(100))
    assert understand("年度报告总览怎么说", book).mentions == ()
    assert understand("年度报告总览_7号文件怎么说", book).documents == ("7",)


def test_ten_thousand_names_are_known_at_once() -> None:
    firms = [
        f"{a}{b}{c}{d}科技有限公司"
        for a in "东西南北中"
        for b in "海山江河湖"
        for c in "星云风雷电雨雪光"
        for d in "达通盛和信"
    ]
    names = [
        DocumentName(document_id=str(n), name=f"zh_{n}_{firms[n % 1000]}{n // 1000}部.txt")
        for n in range(10_000)
    ]
    started = time.perf_counter()
    book = NameBook(names)
    built = time.perf_counter()
    for _ in range(50):
        book.mentions(
            "根据东海星达科技有限公司7部和南山云通科技有限公司3部的报告，比较两家公司2023年的净利润和员工人数"
        )
    asked = (time.perf_counter() - built) / 50
    assert book.mentions("东海星达科技有限公司7部的利润")[0].documents == ("7000",)
    # Far above what it takes: about 0.3 s and 0.2 ms.
    assert built - started < 5
    assert asked < 0.01


@pytest.mark.parametrize(
    ("name", "title", "expected"),
    [
        ("DEV_1784_李翰_(设计师).txt", "李翰 (设计师)", "李翰"),
        ("en_finance_40_Acme_Solutions.txt", "en_finance_40_Acme_Solutions", "Acme Solutions"),
        ("0027bff8d2a891ff.txt", "0027bff8d2a891ff", ""),
        ("", "总则", ""),
        ("", "Overview", ""),
        ("", "病假", "病假"),
    ],
)
def test_what_a_document_or_a_section_is_called(name: str, title: str, expected: str) -> None:
    assert said(name, title) == expected
