"""The addresses of stored documents: for whom they answer, under which headers, and with what."""

from __future__ import annotations

import pymupdf
import pytest

from app.managing import chunk_view
from core.scope import Visibility
from tests.app.managing.visits import Visits

SECRET = "# 秘密\n\n灯塔食堂的暗号是白鲸四十二。\n"
CANARY = "白鲸四十二"


def every_address(visits: Visits, version: str) -> list[str]:
    document = visits.document_of(version)
    return [
        f"/versions/{version}/original",
        f"/versions/{version}/chunks",
        f"/documents/{document}/difference",
        f"/documents/{document}/versions.json",
        f"/compare?a={version}&b={version}",
    ]


def test_with_a_log_in_a_document_is_for_those_who_may_see_it(visits: Visits) -> None:
    version = visits.add("秘密.md", SECRET, owner="ann", visibility=Visibility.PRIVATE)
    visits.login_on = True
    addresses = every_address(visits, version)
    for address in addresses:
        reply = visits.get(address, "ann")
        assert reply.status_code == 200, address
        assert reply.headers["cache-control"] == "no-store"
    assert CANARY in visits.get(addresses[0], "ann").text
    assert CANARY in visits.get(addresses[1], "ann").text
    for address in addresses:
        for name in ("bob", ""):
            hidden = visits.get(address, name)
            unknown = visits.get(
                address.replace(version, "0" * 24).replace(visits.document_of(version), "1" * 24)
            )
            assert hidden.status_code == unknown.status_code == 404, (address, name)
            assert CANARY not in hidden.text
            assert "秘密" not in hidden.text
            # Nothing but the id, which was asked for, tells one from the other.
            same = [
                reply.text.replace(version, "?").replace("0" * 24, "?")
                .replace(visits.document_of(version), "?").replace("1" * 24, "?")
                for reply in (hidden, unknown)
            ]  # fmt: skip
            assert same[0] == same[1]
    assert "秘密.md" in visits.rows(name="ann")
    assert visits.rows(name="bob") == visits.rows(name="") == {}


def test_an_earlier_version_is_no_way_around(visits: Visits) -> None:
    old = visits.add("秘密.md", SECRET, owner="ann", visibility=Visibility.PRIVATE)
    visits.add("秘密.md", "# 秘密\n\n没有暗号了。\n", owner="ann")
    public = visits.add("公开.md", "# 公开\n\n人人可读。\n", owner="bob", visibility=Visibility.ALL)
    visits.login_on = True
    assert CANARY in visits.get(f"/versions/{old}/original", "ann").text
    assert CANARY in visits.get(f"/versions/{old}/chunks", "ann").text
    for address in (f"/versions/{old}/original", f"/versions/{old}/chunks", f"/compare?a={public}&b={old}"):
        assert visits.get(address, "bob").status_code == 404


@pytest.mark.parametrize("login_on", [True, False])
def test_a_file_of_a_chat_is_for_whose_chat_it_is(visits: Visits, login_on: bool) -> None:
    visits.login_on = login_on
    mine = "ann" if login_on else "@local"
    visits.chats = {"t1": mine, "t2": "bob"}
    rights = {"owner": mine, "visibility": Visibility.PRIVATE} if login_on else {}
    version = visits.add("秘密.md", SECRET, "chat:t1", **rights)  # type: ignore[arg-type]
    for address in every_address(visits, version):
        assert visits.get(address, mine).status_code == 200, address
        assert visits.get(address, "bob").status_code == 404, address
        assert visits.get(address, "").status_code == 404, address
    assert "秘密.md" in visits.rows("?chat=t1", mine)
    assert visits.rows("?chat=t1", "bob") == visits.rows("?chat=t2", "bob") == visits.rows(name=mine) == {}


def test_a_chat_that_is_another_users_opens_no_file_of_ones_own(visits: Visits) -> None:
    """Both must hold: the chat is his, and the document is shown to him."""
    visits.login_on = True
    visits.chats = {"t1": "bob"}
    version = visits.add("秘密.md", SECRET, "chat:t1", owner="ann", visibility=Visibility.PRIVATE)
    for name in ("ann", "bob"):
        assert visits.get(f"/versions/{version}/original", name).status_code == 404


def paper(pages: int = 1) -> bytes:
    with pymupdf.open() as pdf:
        for number in range(1, pages + 1):
            page = pdf.new_page(width=300, height=200)
            page.insert_text((20, 40), f"Chapter {number}", fontsize=16)
            page.insert_text((20, 80), f"The probe {number} is calibrated every year.", fontsize=10)
        return bytes(pdf.tobytes())


def test_the_original_comes_to_the_byte_and_runs_nothing(visits: Visits) -> None:
    page = b"<!doctype html><title>x</title><p>hello</p><script>fetch('/documents.json')</script>"
    kinds = {
        "a.html": (page, "attachment", "application/octet-stream"),
        "b.md": (b"# b\n\nwords", "attachment", "application/octet-stream"),
        "c.pdf": (paper(), "inline", "application/pdf"),
    }
    for name, (data, way, kind) in kinds.items():
        reply = visits.get(f"/versions/{visits.add(name, data)}/original")
        assert reply.content == data
        assert reply.headers["content-type"] == kind
        assert reply.headers["content-disposition"].startswith(way)
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in reply.headers["content-security-policy"]
        assert "allow-scripts" not in reply.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("年度报告 “终”.md", "%E5%B9%B4%E5%BA%A6%E6%8A%A5%E5%91%8A%20%E2%80%9C%E7%BB%88%E2%80%9D.md"),
        ('a".md; filename="x.html', "a%22.md%3B%20filename%3D%22x.html"),
        ("folder.zip/in/里面.md", "%E9%87%8C%E9%9D%A2.md"),
        ("../../etc/passwd.md", "passwd.md"),
    ],
)
def test_hostile_names_stay_names(visits: Visits, name: str, said: str) -> None:
    version = visits.add(name, "# 标题\n\n内容在此。\n")
    header = visits.get(f"/versions/{version}/original").headers["content-disposition"]
    assert header in (f"attachment; filename*=utf-8''{said}", f'attachment; filename="{said}"')
    assert "\n" not in header


def test_a_file_that_was_changed_on_the_disk_is_not_given_out(visits: Visits) -> None:
    version = visits.add("a.md", "# a\n\nthe words\n")
    with visits.base.workspace.store.read() as reader:
        digest = reader.version(version).source_sha256
    path = visits.base.workspace.store.blobs.path(digest)
    path.write_bytes(b"others")
    assert visits.get(f"/versions/{version}/original").status_code == 503
    path.unlink()
    assert visits.get(f"/versions/{version}/original").status_code == 503
    # How it was cut can still be seen.
    assert "the words" in visits.get(f"/versions/{version}/chunks").text


def test_nothing_is_found_under_made_up_ids(visits: Visits) -> None:
    version = visits.add("a.md", "# a\n\nthe words\n")
    document = visits.document_of(version)
    for address in (
        "/versions/%00/original",
        "/versions/..%2f..%2fetc/chunks",
        "/versions/' OR 1=1 --/original",
        "/documents/a.md/difference",
        f"/documents/{version}/versions.json",
        f"/documents/{document}/difference?a=1&b=7",
        f"/compare?a={version}",
        "/compare",
    ):
        reply = visits.get(address)
        assert reply.status_code == 404, address
        assert "the words" not in reply.text


def test_a_document_called_like_anothers_id_hides_nothing(visits: Visits) -> None:
    version = visits.add("z.md", "# z\n\nthe words\n")
    document = visits.document_of(version)
    visits.add(document, "# a trap\n\nother words\n", "a collection before")
    visits.add(version, "# a trap\n\nother words too\n", "a collection before")
    for address in every_address(visits, version):
        assert visits.get(address).status_code == 200, address
    assert "the words" in visits.get(f"/versions/{version}/chunks").text


def test_a_long_document_is_shown_in_parts(visits: Visits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_view, "PAGES_SHOWN", 3)
    version = visits.add("long.pdf", paper(8))
    first = visits.get(f"/versions/{version}/chunks", accept_language="en").text
    assert "The probe 3 is" in first
    assert 'id="p4"' not in first
    assert "chunks?page=4&amp;lang=en" in first
    middle = visits.get(f"/versions/{version}/chunks?page=4&lang=zh").text
    assert 'id="p6"' in middle
    assert "chunks?page=1&amp;lang=zh" in middle
    assert "第 7–8 页 →" in middle
    for page in ("-3", "0", "99999"):
        assert visits.get(f"/versions/{version}/chunks?page={page}").status_code == 200
    assert visits.get(f"/versions/{version}/chunks?page=x").status_code == 422


def test_two_versions_and_two_documents_side_by_side(visits: Visits) -> None:
    old = visits.add("办法.md", "# 办法\n\n校准每年一次。\n")
    new = visits.add("办法.md", "# 办法\n\n校准每两年一次。\n")
    other = visits.add("细则.md", "# 细则\n\n校准每两年一次。\n")
    said = visits.get(f"/documents/{visits.document_of(new)}/difference?lang=zh").text
    assert "两个版本的对比" in said
    assert "<ins>" in said
    assert visits.get(f"/compare?a={old}&b={new}&lang=zh").text == said
    both = visits.get(f"/compare?a={new}&b={other}&lang=zh").text
    assert "两份文档的对比" in both
    assert "办法.md · 第 2 版" in both
    assert "细则.md · 第 1 版" in both


def test_the_list_says_what_each_may_do(visits: Visits) -> None:
    visits.add("ann.md", "# ann\n\nwords\n", owner="ann", visibility=Visibility.ALL)
    visits.add("all.md", "# all\n\nwords too\n")
    visits.login_on = True
    for name, own in (("ann", {"ann.md"}), ("bob", set()), ("root", {"ann.md", "all.md"})):
        rows = visits.rows(name=name)
        assert set(rows) == {"ann.md", "all.md"}
        assert {key for key, row in rows.items() if row["manage"]} == own
    assert rows["ann.md"]["kind"] == "MD"


def test_the_list_can_be_of_one_collection(visits: Visits) -> None:
    visits.add("a.md", "# a\n\nwords\n", "one")
    visits.add("b.md", "# b\n\nwords b\n", "two")
    assert set(visits.rows()) == {"a.md", "b.md"}
    assert set(visits.rows("?collection=two")) == {"b.md"}
    assert visits.rows("?collection=three") == {}
