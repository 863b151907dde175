"""A chat is there again after a reload, goes on, is found, renamed and deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from tests.e2e.conftest import Chat, Server

Open = Callable[..., Chat]
QUESTION = "怀孕满28周的员工申请远程办公，还要满足哪些条件？"
WORDS = {
    "zh-CN": ("检索的问题：", "对话已重命名", "确认"),
    "en-US": ("Searched for:", "Thread renamed", "Confirm"),
}


def open_list(chat: Chat) -> None:
    """The button in the header; the one in the list itself is drawn beside the window while that is closed."""
    chat.page.locator("#sidebar-trigger-button").last.click()
    chat.page.wait_for_timeout(500)


def menu_of(chat: Chat, thread_id: str, item: str) -> None:
    row = chat.page.locator(f"#thread-{thread_id}")
    row.hover()
    row.locator("#thread-options").click()
    chat.page.click(item)


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_a_chat_comes_back_goes_on_and_goes(open_chat: Open, server: Server, locale: str) -> None:
    searched, renamed, confirm = WORDS[locale]
    chat = open_chat(locale)
    chat.ask(QUESTION)
    chat.page.wait_for_url("**/thread/*")
    thread_id = chat.page.url.rpartition("/")[2]
    chat.page.reload()
    chat.page.wait_for_selector(".yj-sources", timeout=30_000)
    assert "怀孕满28周的" in chat.open_chip(1)
    chat.ask("那病假呢？" if locale == "zh-CN" else "那产假呢？")
    assert f"{searched} {QUESTION}".replace("： ", "：") in chat.page.inner_text(".yj-asked")
    open_list(chat)
    menu_of(chat, thread_id, "#rename-thread")
    chat.page.fill("[role=dialog] #name", f"远程 {locale}")
    chat.page.get_by_role("button", name=confirm).click()
    chat.page.wait_for_selector(f"text={renamed}")
    chat.page.click("#search-chats-button")
    chat.page.fill("[cmdk-input]", "因伤病行动不便")
    chat.page.wait_for_selector(f"[role=dialog] >> text=远程 {locale}")
    chat.page.keyboard.press("Escape")
    chat.picture(f"history-{locale}.png")
    menu_of(chat, thread_id, "#delete-thread")
    chat.page.get_by_role("button", name=confirm).click()
    chat.page.wait_for_selector(f"#thread-{thread_id}", state="detached")
    chat.page.goto(server.url)
    chat.page.wait_for_selector("#starters button")
    with sqlite3.connect(server.home / "chat.db") as tables:
        assert not tables.execute("SELECT * FROM steps WHERE threadId = ?", (thread_id,)).fetchall()
    tables.close()
    assert chat.foreign == []


def test_a_new_chat_on_a_phone_has_its_address_at_once(open_chat: Open) -> None:
    chat = open_chat("zh-CN", width=390)
    chat.ask(QUESTION)
    chat.open_chip(1)
    chat.page.keyboard.press("Escape")
    chat.page.wait_for_selector("#citation-panel", state="detached")
    # The first tap opens the list, and nothing else opens by itself.
    chat.page.click("#sidebar-trigger-button")
    chat.page.wait_for_selector("#thread-history", timeout=10_000)
    chat.page.wait_for_timeout(500)
    assert chat.page.locator("#thread-history").is_visible()
    assert chat.page.locator("#citation-panel").count() == 0
    chat.page.reload()
    chat.page.wait_for_selector(".yj-sources", timeout=30_000)
    chat.page.click("#new-chat-button")
    chat.page.get_by_role("button", name="确认").click()
    chat.page.wait_for_selector(".yj-sources", state="detached")
    chat.ask("那病假呢？")
    assert chat.page.locator(".yj-sources").count() == 1
