"""The documents in the browser: listed, searched, inspected, compared, cut anew, deleted; scopes and knowledge bases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.settings import Settings
from ingest.sources import Source
from retrieval.knowledge_base import KnowledgeBase
from tests.chat_server import environment
from tests.e2e.conftest import Chat, Server, serving_chat
from tests.support import HANDBOOK, MANUAL, make_ingest

Open = Callable[..., Chat]
RULES = "# 差旅办法\n\n## 住宿\n\n一线城市每晚不超过四百元。\n\n## 交通\n\n乘坐二等座或者经济舱。\n"
NOTES = {
    f"note-{number:02}.md": f"# Note {number}\n\nNumber {number} of the notes.\n" for number in range(20)
}


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Two knowledge bases; a document with two versions in the one, many small ones in the other."""
    folder = tmp_path_factory.mktemp("managed")
    base = KnowledgeBase(Settings(home=folder / "home", embedding={"name": "hashing"}))
    files = {"员工手册.md": HANDBOOK, "pump.md": MANUAL, **NOTES}
    add(base, folder, "default", files)
    add(base, folder, "财务制度", {"差旅办法.md": RULES})
    add(base, folder, "财务制度", {"差旅办法.md": RULES.replace("四百", "五百")})
    base.workspace.close()
    env = environment(folder / "home", YOUJU_EMBEDDING__NAME="hashing")
    with serving_chat(folder / "home", env) as made:
        yield made


def add(base: KnowledgeBase, folder: Path, collection: str, files: dict[str, str]) -> None:
    sources = []
    for name, words in files.items():
        (folder / name).write_text(words, "utf-8")
        sources.append(Source(name=name, path=folder / name))
    report = make_ingest(base).add_sources(sources, collection)
    assert not any(result.error for result in report.files)


def say(chat: Chat, words: str, answer: str) -> None:
    """Type a command and wait for what it shows."""
    chat.page.fill("#chat-input", words)
    chat.page.click("#chat-submit")
    chat.page.locator(answer).last.wait_for(timeout=30_000)


def open_row(page: Page, name: str) -> None:
    page.locator(f"tr[data-document='{name}'] .yj-doc-name button").last.click()


def documents_of(page: Page) -> set[str]:
    """The documents that the cards below the answers name."""
    firsts = "nodes => nodes.map(node => node.firstChild ? node.firstChild.textContent.trim() : '')"
    return set(page.locator(".yj-sources .yj-doc").evaluate_all(firsts)) - {""}


def new_tab(chat: Chat, label: str) -> Page:
    with chat.page.context.expect_page() as opened:
        chat.page.locator(f".yj-docs a:text-is('{label}')").last.click()
    opened.value.wait_for_load_state()
    return opened.value


@pytest.mark.parametrize(
    ("locale", "command", "inspect", "versions", "changes", "compared", "read"),
    [
        (
            "zh-CN", "/文档", "查看分块", "历史版本", "与上一版对比", "两个版本的对比", "文档是怎样读取的",
        ),
        (
            "en-US", "/docs", "See its chunks", "Versions", "Compare with the one before",
            "two versions compared", "how a document was read",
        ),
    ],
)  # fmt: skip
def test_documents_are_listed_searched_and_inspected(
    open_chat: Open, managed: Server, locale: str, command: str, inspect: str, versions: str, changes: str,
    compared: str, read: str,
) -> None:  # fmt: skip
    chat = open_chat(locale, at=managed)
    page = chat.page
    say(chat, command, ".yj-docs table")
    chat.picture(f"documents-{locale}.png")
    assert page.locator(".yj-docs tbody tr").count() == 20
    page.locator(".yj-pager button").last.click()
    assert page.locator(".yj-docs tbody tr").count() == 3
    page.fill(".yj-docs input[type=search]", "差旅")
    assert page.locator(".yj-docs tbody tr").count() == 1
    open_row(page, "差旅办法.md")
    tab = new_tab(chat, inspect)
    Chat(page=tab, foreign=[]).picture(f"chunks-{locale}.png")
    assert read in tab.inner_text("body")
    assert "五百" in tab.inner_text("main")
    assert tab.locator("[data-c]").count() > 1
    page.locator(f".yj-docs button:text-is('{versions}')").click()
    page.wait_for_selector(".yj-versions li")
    assert page.locator(".yj-versions li").count() == 2
    tab = new_tab(chat, changes)
    assert compared in tab.inner_text("body")
    assert "四" in tab.locator("del").first.inner_text()
    page.fill(".yj-docs input[type=search]", "")
    page.locator(".yj-docs th button").nth(4).click()
    page.locator(".yj-docs th button").nth(4).click()
    assert page.locator(".yj-docs th").nth(4).get_attribute("aria-sort") == "descending"
    counts = [int(text) for text in page.locator(".yj-docs td:nth-child(5)").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    assert chat.foreign == []


def test_only_what_is_named_is_asked_and_the_composer_says_so(open_chat: Open, managed: Server) -> None:
    chat = open_chat("zh-CN", at=managed)
    page = chat.page
    say(chat, "/范围 手册", "#yj-scope-line")
    assert page.inner_text("#yj-scope-line span") == "范围：员工手册.md · 1 份文档"
    chat.ask("病假须满足哪些条件？")
    assert documents_of(page) == {"员工手册.md"}
    page.reload()
    page.wait_for_selector("#yj-scope-line", timeout=30_000)
    # A message of another window lacks this one's key.
    page.evaluate("window.postMessage({ type: 'youju_clear_scope', key: 'x' }, '*')")
    page.wait_for_timeout(500)
    assert page.locator("#yj-scope-line").count() == 1
    page.click("#yj-scope-line button")
    page.wait_for_selector("#yj-scope-line", state="detached")
    say(chat, "/scope", "text=现在检索全部文档")
    say(chat, "/docs pump", ".yj-docs table")
    open_row(page, "pump.md")
    page.locator(".yj-docs button:text-is('只问这份')").click()
    page.wait_for_selector("#yj-scope-line:has-text('pump.md')")
    assert chat.foreign == []


def test_documents_are_compared_and_a_name_of_many_is_asked_for(open_chat: Open, managed: Server) -> None:
    chat = open_chat("en-US", at=managed)
    page = chat.page
    say(chat, "/compare 差旅", ".yj-compare")
    chat.picture("compare.png")
    assert "1 changed places" in page.inner_text(".yj-compare")
    assert page.locator(".yj-compare del").inner_text() == "四百元"
    assert page.locator(".yj-compare ins").inner_text() == "五百元"
    say(chat, "/compare note-0 pump", "text=Which document is")
    page.get_by_role("button", name="note-03.md").click()
    page.wait_for_selector(".yj-compare:has-text('note-03.md')")
    say(chat, "/compare nobody", "text=No document is called")
    say(chat, "/help", "text=/documents")
    assert chat.foreign == []


def test_a_chat_is_about_the_knowledge_base_that_is_chosen(open_chat: Open, managed: Server) -> None:
    chat = open_chat("zh-CN", at=managed)
    page = chat.page
    page.click("#chat-profiles")
    page.get_by_role("option", name="财务制度").hover()
    page.wait_for_selector("text=只检索“财务制度”：1 份文档")
    page.get_by_role("option", name="财务制度").click()
    page.wait_for_selector(".yj-start >> text=知识库“财务制度”里有 1 份文档")
    say(chat, "/docs", ".yj-docs table")
    assert page.locator(".yj-docs tbody tr").count() == 1
    chat.ask("一线城市住宿每晚多少钱？")
    assert documents_of(page) == {"差旅办法.md"}
    page.reload()
    page.wait_for_selector(".yj-docs table", timeout=30_000)
    page.wait_for_timeout(800)
    assert page.locator(".yj-docs tbody tr").count() == 1
    assert "财务制度" in page.inner_text("#chat-profiles")
    say(chat, "/scope 手册", "text=没有名称含")


def test_a_document_is_cut_anew_and_deleted_after_one_question(open_chat: Open, managed: Server) -> None:
    chat = open_chat("en-US", at=managed)
    page = chat.page
    say(chat, "/docs note-1", ".yj-docs table")
    open_row(page, "note-18.md")
    page.locator(".yj-docs button:text-is('Chunk again')").click()
    page.select_option(".yj-asking select", "fixed")
    page.locator(".yj-asking button:text-is('Start')").click()
    page.wait_for_selector("tr[data-document='note-18.md']:has-text('version 2')", timeout=60_000)
    open_row(page, "note-19.md")
    page.locator(".yj-docs button:text-is('Delete')").click()
    page.locator(".yj-asking button:text-is('Cancel')").click()
    assert page.locator("tr[data-document='note-19.md']").count() == 1
    page.locator(".yj-docs button:text-is('Delete')").click()
    page.locator(".yj-asking button:text-is('Delete this document')").click()
    page.wait_for_selector("tr[data-document='note-19.md']", state="detached", timeout=30_000)
    page.wait_for_selector("text=Deleted: note-19.md")
    # The list of another chat is never out of date.
    other = open_chat("zh-CN", at=managed)
    say(other, "/docs note-1", ".yj-docs table")
    assert other.page.locator("tr[data-document='note-19.md']").count() == 0
    assert chat.foreign == other.foreign == []
