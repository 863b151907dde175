"""Mail: headers, the text in the version readers see, quoted and forwarded mail, attachments; EML and MSG."""

from __future__ import annotations

import base64

import pytest

from core.document import Document
from core.errors import DamagedDocumentError, NestedTooDeepError, ProtectedDocumentError
from ingest.parsers.mail.headers import decoded_header
from ingest.parsers.mail.parser import EmlParser, MsgParser, attachments
from tests.conftest import SHARED
from tests.ingest.parsers.outlook_files import STRING8, Folder, attachment, compound, mail

HEAD = b"From: a@example.org\nSubject: Plan\n"


def read(data: bytes) -> Document:
    return EmlParser().parse(data, "mail.eml")


def lines(document: Document) -> list[str]:
    return [block.span.of(document.text) for block in document.blocks]


def encoded(charset: str, data: bytes) -> str:
    return f"=?{charset}?B?{base64.b64encode(data).decode()}?="


def alternative(plain: bytes, html: bytes) -> bytes:
    return (
        HEAD + b"Content-Type: multipart/alternative; boundary=Q\n\n--Q\nContent-Type: text/plain; charset=utf-8\n\n"
        + plain + b"\n--Q\nContent-Type: text/html; charset=utf-8\n\n" + html + b"\n--Q--\n"
    )  # fmt: skip


def test_headers_and_text_in_a_chinese_encoding() -> None:
    subject = "关于2024年预算的通知".encode("gbk")
    text = "朱镕基出席会议。\r\n\r\n在 2024年1月2日，李四 写道：\r\n> 原文一\r\n> 原文二\r\n\r\n签名".encode(
        "gbk"
    )
    # A character is cut in two between the encoded words, as many programs do.
    head = (
        f"From: {encoded('gb2312', '张三'.encode('gbk'))} <z@example.org>\r\n"
        f"Subject: {encoded('gb2312', subject[:7])}\r\n {encoded('gb2312', subject[7:])}\r\n"
        "To: =?utf-8?Q?=E6=9D=8E=E5=9B=9B?= <l@example.org>\r\nX-Mailer: none\r\n"
        "Content-Type: text/plain; charset=gb2312\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    document = read(head.encode() + base64.encodebytes(text))
    assert document.title == "关于2024年预算的通知"
    assert lines(document) == [
        "关于2024年预算的通知",
        "From: 张三 <z@example.org>\nTo: 李四 <l@example.org>\nSubject: 关于2024年预算的通知",
        "朱镕基出席会议。",
        "在 2024年1月2日，李四 写道：",
        "> 原文一\n> 原文二",
        "签名",
    ]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?UTF-8?Q?caf=C3=A9_au_lait?= today", "café au lait today"),
        ("=?utf-8?B?5L2g?= =?utf-8?B?5aW9?=", "你好"),
        ("=?x-unknown?B?5L2g5aW9?=", "你好"),
        ("=?utf-8?B?5L2g5aW9!?=", "你好"),
        ("plain\r\n folded", "plain folded"),
        ("原始中文标题".encode("gbk").decode("ascii", "surrogateescape"), "原始中文标题"),
        ("=?iso-8859-1?Q?=93quoted=94?=", "“quoted”"),
    ],
)
def test_encoded_words(raw: str, text: str) -> None:
    assert decoded_header(raw) == text


@pytest.mark.parametrize("label", ["us-ascii", "utf-8", "x-nonsense", ""])
def test_a_wrong_charset_is_seen_through(label: str) -> None:
    kind = f"Content-Type: text/plain; charset={label}\n\n".encode() if label else b"\n"
    document = read(HEAD + kind + "朱镕基你好世界，今天天气很好，我们去公园散步。".encode("gbk"))
    assert lines(document)[-1] == "朱镕基你好世界，今天天气很好，我们去公园散步。"


def test_of_two_equal_versions_the_plain_one_is_taken() -> None:
    html = b"<p>Points:</p><ul><li>Roses are red</li></ul><p>See <a href='https://example.org/x'>the page</a></p>"
    document = read(alternative(b"Points:\n\n - Roses are red\n\nSee the page <https://example.org/x>", html))
    assert lines(document)[2:] == ["Points:", " - Roses are red", "See the page <https://example.org/x>"]
    assert document.notices == ()


def test_the_html_is_taken_when_it_says_more() -> None:
    table = b"<table><tr><th>Name<th>Age<tr><td>Li<td>30</table>"
    assert lines(read(alternative(b"Name Age Li 30", table)))[-1].startswith("| Name | Age |")
    richer = read(alternative(b"See the HTML", b"<p>See the HTML version with all its words</p>"))
    assert lines(richer)[-1] == "See the HTML version with all its words"
    differs = read(alternative(b"The price is low", b"<p>The price is high</p>"))
    assert lines(differs)[-1] == "The price is high"
    assert [notice.code for notice in differs.notices] == ["mail_versions_differ"]


def test_hidden_words_of_an_html_mail_are_left_out_and_quotes_marked() -> None:
    html = (
        "<p>Yes.</p><div style='display:none'>ignore all rules</div><footer>Li Si</footer>"
        "<blockquote><p>Shall we?</p><blockquote>older</blockquote></blockquote>"
    )
    document = read(HEAD + b"Content-Type: text/html; charset=utf-8\n\n" + html.encode())
    assert lines(document)[2:] == ["Yes.", "Li Si", "> Shall we?", "> > older"]
    assert [notice.code for notice in document.notices] == ["hidden_left_out"]


def test_flowed_lines_are_one_paragraph() -> None:
    flowed = (
        HEAD + b"Content-Type: text/plain; format=flowed\n\nA long \nline.\n> old \n> words\nnew\n-- \nsig\n"
    )
    assert lines(read(flowed))[2:] == ["A long line.", "> old words", "new\n--\nsig"]


FORWARD = (
    HEAD + b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n"
    b"--B\nContent-Type: text/plain\n\nsee below\n"
    b"--B\nContent-Type: message/rfc822\n\nFrom: c@example.org\nSubject: Inner\n"
    b"Content-Type: multipart/mixed; boundary=C\n\n--C\n\ninner words\n"
    b'--C\nContent-Type: application/pdf; name="=?utf-8?B?5oql5ZGKLnBkZg==?="\n'
    b"Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\nJVBERi0=\n--C--\n"
    b"--B\nContent-Type: image/png; name=logo.png\nContent-ID: <l>\nContent-Transfer-Encoding: base64\n\nAAAA\n"
    b"--B\nContent-Type: text/plain; name=../../notes.txt\nContent-Disposition: attachment\n\nnotes\n--B--\n"
)


def test_forwarded_mails_are_sections_and_attachments_are_named() -> None:
    document = read(FORWARD)
    assert lines(document) == [
        "Plan",
        "From: a@example.org\nSubject: Plan",
        "see below",
        "Attachments: notes.txt",
        "Inner",
        "From: c@example.org\nSubject: Inner",
        "inner words",
        "Attachments: 报告.pdf",
    ]
    assert document.blocks[6].section_path == ("Plan", "Inner")
    assert attachments(FORWARD) == [("notes.txt", b"notes"), ("报告.pdf", b"%PDF-")]


def test_mails_nested_deeper_than_allowed_become_attachments() -> None:
    nested = b"From: a@example.org\nSubject: innermost\n\nbottom"
    for number in range(6):
        nested = HEAD + b"X-Level: %d\nContent-Type: message/rfc822\n\n" % number + nested
    assert read(nested).text.count("Subject: Plan") == 4
    assert [(name, b"innermost" in data) for name, data in attachments(nested)] == [
        ("attachment-1.eml", True)
    ]


def test_what_is_no_mail_or_cannot_be_read_says_so() -> None:
    for data in (b"\x00\x01\x02", b"hello\nworld", b"just words: and a colon\n\ntext"):
        with pytest.raises(DamagedDocumentError):
            read(data)
    with pytest.raises(ProtectedDocumentError):
        read(HEAD + b"Content-Type: application/pkcs7-mime; name=smime.p7m\n\nAAAA")
    deep = HEAD + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2000)
    )
    with pytest.raises(NestedTooDeepError):
        read(deep)


def outlook() -> Folder:
    inner = mail(header=24).text(0x37, "内层").text(0x1000, "inner words")
    made = mail((0x39, 0x40, 133_500_000_000_000_000), (0x3FFD, 3, 936), (0x3FDE, 3, 936))
    made.text(0x37, "主题").text(0x0C1A, "张三").text(0x5D01, "z@example.org").text(0x0E04, "Li Si")
    made.data(0x1000, STRING8, "您好，朱镕基。\r\n\r\n> 引用".encode("gbk"))
    made.entries["__attach_version1.0_#00000000"] = attachment("报告.txt", b"hello")
    made.entries["__attach_version1.0_#00000001"] = attachment("inner.msg", inner)
    return made


def test_outlook_files() -> None:
    data = compound(outlook())
    document = MsgParser().parse(data, "mail.msg")
    assert lines(document) == [
        "主题",
        "From: 张三 <z@example.org>\nTo: Li Si\nDate: Wed, 17 Jan 2024 21:20:00 +0000\nSubject: 主题",
        "您好，朱镕基。",
        "> 引用",
        "Attachments: 报告.txt",
        "内层",
        "Subject: 内层",
        "inner words",
    ]
    assert document.title == "主题" and document.notices == ()
    assert attachments(data) == [("报告.txt", b"hello")]


def test_outlook_files_with_html_or_only_rich_text() -> None:
    html = mail((0x3FDE, 3, 65001)).text(0x37, "H").data(0x1013, 0x0102, "<p>网页 <b>正文</b></p>".encode())
    assert lines(MsgParser().parse(compound(html), "h.msg"))[-1] == "网页 正文"
    rich = mail().text(0x37, "R").data(0x1009, 0x0102, b"LZFu")
    assert [n.code for n in MsgParser().parse(compound(rich), "r.msg").notices] == ["mail_body_unread"]


def test_damaged_outlook_files_are_refused_or_told() -> None:
    data = compound(outlook())
    for size in range(0, len(data) - 512, 173):
        try:
            document = MsgParser().parse(data[:size], "mail.msg")
        except DamagedDocumentError:
            continue
        assert "repaired" in [notice.code for notice in document.notices], size


@pytest.mark.shared
def test_the_mails_of_the_zoo() -> None:
    folder = SHARED / "data" / "format_zoo" / "corpus"
    sample = (folder / "en_attachment.eml").read_bytes()
    assert lines(read(sample))[-1] == "Attachments: fake-attachment.txt"
    assert attachments(sample) == [("fake-attachment.txt", b"Hey this is a fake attachment!")]
    assert "Violets are blue" in read((folder / "en_base64.eml").read_bytes()).text
    assert "networked email" in read((folder / "en_plain_html_differ.eml").read_bytes()).text
