"""What people see of the checks: the sum, the reasons, other ways to answer, and a pasted text held to account."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.e2e.conftest import Chat, Server
from tests.scripted_openai import Script, ScriptedServer

Open = Callable[..., Chat]
QUESTION = "申请远程办公要满足哪些条件？"


def test_a_changed_number_is_told_with_what_the_source_says(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer
) -> None:
    scripted.reply = lambda request: Script(
        ["居所网络下行带宽不低于50 Mbps，并已开通公司VPN[1]。", "过去6个月内没有信息安全违规记录[1]。"]
    )
    chat = open_chat("zh-CN", at=writing_server)
    chat.ask(QUESTION)
    checks = chat.page.inner_text(".yj-checks")
    assert "2 句话中有 1 句有原文支持" in checks
    assert "过去6个月内" in checks
    assert "12个月" in checks
    chat.picture("checks.png")
    chat.page.click("button.yj-doubt")
    chat.page.wait_for_selector("#citation-panel .yj-reason", timeout=30_000)
    assert "12个月" in chat.page.inner_text("#citation-panel .yj-reason")
    chat.picture("checks-panel.png")
    assert chat.foreign == []


def test_the_same_question_is_answered_another_way(
    open_chat: Open, writing_server: Server, scripted: ScriptedServer
) -> None:
    step = json.dumps(
        {"bears": True, "decides": "yes", "step": "居所网络下行带宽不低于50 Mbps，并已开通公司VPN。"},
        ensure_ascii=False,
    )
    other = json.dumps({"bears": False, "decides": "unknown", "step": ""})

    def reply(request: dict[str, Any]) -> str | Script:
        if "check one passage" in request["messages"][0]["content"]:
            return step if "50 Mbps" in request["messages"][-1]["content"] else other
        return "居所网络下行带宽不低于50 Mbps，并已开通公司VPN[1]。"

    scripted.reply = reply
    chat = open_chat("zh-CN", at=writing_server)
    chat.ask(QUESTION)
    before = chat.page.locator(".yj-sources").count()
    chat.page.click("text=逐段核对作答")
    chat.page.wait_for_function(
        "n => document.querySelectorAll('.yj-sources').length > n", arg=before, timeout=60_000
    )
    body = chat.page.inner_text("body")
    assert "✓ 居所网络" in body
    assert "结论" in body
    chat.picture("steps.png")


def test_a_pasted_text_is_checked(open_chat: Open, server: Server) -> None:
    chat = open_chat("zh-CN")
    chat.page.click("button:has-text('核对文字')")
    chat.ask("除非经总经理书面批准，不得在境外远程办公。居所网络下行带宽不低于500 Mbps。[3]")
    checks = chat.page.inner_text(".yj-checks")
    assert "2 句话中有 1 句有原文支持" in checks
    assert "句中为“500”，原文为“50”" in checks
    assert "不得在境外远程办公" in chat.open_chip(1)
    step, answer = (
        chat.page.locator(which).bounding_box() for which in ("text=已使用 逐句核对", ".yj-checks")
    )
    assert step is not None
    assert answer is not None
    # What was done stands above what came of it.
    assert step["y"] < answer["y"]
    chat.picture("verify.png")
    assert chat.foreign == []


def test_a_pasted_text_without_any_source_is_told_so(open_chat: Open) -> None:
    chat = open_chat("zh-CN")
    chat.page.fill("#chat-input", "/核对文字")
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector("text=后面贴上要核对的文字")
    chat.ask("/核对文字 月亮是奶酪做的。")
    assert "1 句话中有 0 句有原文支持" in chat.page.inner_text(".yj-checks")
    chat.page.wait_for_selector(".yj-mark-unsupported")


def test_a_pasted_text_is_checked_in_english_on_a_phone_in_the_dark(open_chat: Open, server: Server) -> None:
    chat = open_chat("en-US", width=390, scheme="dark")
    chat.page.click("[id='command-Check a text']")
    chat.ask("除非经总经理书面批准，不得在境外远程办公。")
    assert "Sentences carried by their source: all 1" in chat.page.inner_text(".yj-checks")
    chat.picture("verify-phone-dark.png")
