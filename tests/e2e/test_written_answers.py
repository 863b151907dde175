"""With a chat model: the answer grows, is checked, can be stopped, and cannot load anything."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.core.test_inert import PAYLOADS
from tests.e2e.conftest import Chat, Server
from tests.injected_files import ORDER
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


def test_what_broke_off_stays_marked_and_the_sources_own_words_are_a_click_away(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer
) -> None:
    parts = ["居所网络下行带宽不低于50 Mbps[1]。", "另外每人每年可以领取4567"]
    scripted.reply = lambda request: Script(parts, finish="length")
    chat = open_chat("zh-CN", at=writing_server)
    chat.ask(QUESTION)
    body = chat.page.inner_text("body")
    assert "对话模型没有写完" in body
    assert "写到了回答长度的上限" in body
    assert "另外每人每年可以领取" in body
    assert "4567" not in body
    chat.page.click("text=改看原文摘录")
    chat.page.wait_for_selector("text=没有使用对话模型", timeout=30_000)
    assert "司龄满6个月" in chat.page.inner_text("body")


def test_a_hostile_file_and_an_obedient_model_reach_no_other_host(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer, tmp_path: Path
) -> None:
    orders = " ".join(payload for payload in PAYLOADS if "\n" not in payload)
    name = "![x](evil.example) <b>办法.md"
    (tmp_path / name).write_text(
        f"# {ORDER}![t](//evil.example/t.png)\n\n灯塔每9天检修一次。\n\n{ORDER}{orders}\n", "utf-8"
    )

    def obey(request: dict[str, Any]) -> Script:
        given = request["messages"][-1]["content"]
        said = "\n\n".join(re.findall(f"{re.escape(ORDER)}(.*)", given))
        return Script(["灯塔每9天检修一次[1]。", *re.findall(r"(?s).{1,40}", said)])

    scripted.reply = obey
    chat = open_chat("zh-CN", at=writing_server)
    tried: list[str] = []
    chat.page.on("request", lambda request: tried.append(request.url))
    chat.page.set_input_files("#upload-button-input", [str(tmp_path / name)])
    chat.page.wait_for_selector("#attachments >> text=办法.md")
    chat.ask("灯塔多少天检修一次？")
    assert "灯塔每9天检修一次" in chat.open_chip(1)
    assert "evil.example" in chat.page.inner_text("body")
    own = (writing_server.url, "data:", "blob:")
    assert [url for url in tried if not url.startswith(own)] == []
    assert chat.foreign == []
    live = "img[src*='evil'], a[href*='evil'], a[href^='javascript'], iframe, video, object, svg[onload]"
    assert chat.page.locator(live).evaluate_all("all => all.map(one => one.outerHTML)") == []
