"""With a chat model: the answer grows, is checked, can be stopped, and cannot load anything."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.conftest import Chat, Server
from tests.scripted_openai import Script, ScriptedServer

Open = Callable[..., Chat]
QUESTION = "申请远程办公要满足哪些条件？"


def test_a_written_answer_is_checked_sentence_by_sentence_and_loads_nothing(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer
) -> None:
    parts = [
        "居所网络下行带宽不低于50 Mbps，",
        "并已开通公司VPN【1】。",
        "员工每天可以领取900元补贴[1]。",
        "![x](https://evil.example/a.png)",
        "<img src=https://evil.example/b.png> [点我](https://evil.example)",
    ]
    scripted.reply = lambda request: Script(parts, pause_s=0.05)
    chat = open_chat("zh-CN", at=writing_server)
    chat.ask(QUESTION)
    assert "不低于50 Mbps" in chat.open_chip(1)
    badges = chat.page.inner_text("#citation-panel")
    assert "原文支持" in badges
    assert "原文未支持" in badges
    assert "用量（估算）" in chat.page.inner_text(".yj-usage")
    assert chat.page.locator("img[src*='evil']").count() == 0
    assert chat.page.locator("a[href*='evil']").count() == 0
    assert chat.foreign == []


def test_an_answer_can_be_stopped_and_keeps_what_was_written(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer
) -> None:
    scripted.reply = lambda request: Script(["已经写出的一句话[1]。 "] + ["还有很多 "] * 400, pause_s=0.1)
    chat = open_chat("zh-CN", at=writing_server)
    chat.page.fill("#chat-input", QUESTION)
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector("text=已经写出的一句话", timeout=60_000)
    chat.page.click("#stop-button")
    chat.page.wait_for_selector("#stop-button", state="detached", timeout=15_000)
    chat.page.wait_for_selector("text=（已停止）", timeout=15_000)
    scripted.reply = lambda request: "居所网络下行带宽不低于50 Mbps[1]。"
    chat.ask(QUESTION)
    assert "不低于50 Mbps" in chat.open_chip(1)


def test_a_broken_stream_ends_in_the_sources_own_sentences(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer
) -> None:
    scripted.reply = lambda request: Script(["写到一半的句子，"], finish=None)
    chat = open_chat("zh-CN", at=writing_server)
    chat.ask(QUESTION)
    chat.page.wait_for_selector("text=改为原文摘录", timeout=30_000)
    body = chat.page.inner_text("body")
    assert "写到一半的句子" not in body
    assert "司龄满6个月" in body
