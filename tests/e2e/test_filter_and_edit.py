"""What is searched can be narrowed, and the question that was searched can be edited."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator

from tests.e2e.conftest import Chat

Open = Callable[..., Chat]
QUESTION = "司龄4年的员工每年有多少天年休假？"


def field(chat: Chat, key: str) -> Locator:
    return chat.page.locator(f"#chat-settings div:has(> label[for='{key}']) input")


def test_a_filter_narrows_the_search_and_is_cleared(open_chat: Open) -> None:
    chat = open_chat("zh-CN")
    chat.page.click("#chat-settings-open-modal")
    field(chat, "kinds").click()
    chat.page.locator("[cmdk-item]").get_by_text("PDF", exact=True).click()
    field(chat, "since").fill("2000年")
    chat.picture("filter.png")
    chat.page.click("#confirm")
    chat.page.wait_for_selector("text=范围：PDF · 2000 起 · 1 份文档")
    chat.ask("校准在什么条件下可以延期，最多延多久？")
    asked = chat.page.locator(".yj-asked")
    assert "PDF · 2000 起 · 1 份文档" in asked.inner_text()
    answer = chat.page.locator(".message-content:has(.yj-sources) .prose").first.bounding_box()
    above, below = asked.bounding_box(), chat.page.locator(".yj-sources").bounding_box()
    assert above and answer and below
    assert above["y"] < answer["y"] < below["y"]
    names = chat.page.locator(".yj-doc").all_text_contents()
    assert names
    assert all(name.startswith("仪器设备管理办法.pdf") for name in names)
    chat.page.click(".yj-clear")
    chat.page.wait_for_selector("text=没有筛选")
    chat.ask(QUESTION)
    assert asked.count() == 1
    assert "员工手册.md" in "".join(chat.page.locator(".yj-doc").all_text_contents())


def test_the_question_searched_is_shown_and_asked_again_as_edited(open_chat: Open) -> None:
    chat = open_chat("zh-CN", width=390)
    chat.ask(QUESTION)
    assert chat.page.locator(".yj-asked").count() == 0
    chat.ask("那病假呢？")
    assert f"检索的问题：{QUESTION} 那病假呢？" in chat.page.inner_text(".yj-asked")
    chat.page.click(".yj-edit")
    edited = "员工请病假应当提交什么材料？"
    chat.page.fill(".yj-asked-form textarea", edited)
    before = chat.page.locator(".yj-sources").count()
    chat.page.keyboard.press("Enter")
    chat.page.wait_for_function(
        "n => document.querySelectorAll('.yj-sources').length > n", arg=before, timeout=60_000
    )
    chat.page.locator("[id='step-证据检索']").last.click()
    chat.page.wait_for_selector(f"text=检索的问题：{edited}")
    assert chat.page.locator(".yj-asked").count() == 1
    assert chat.foreign == []
