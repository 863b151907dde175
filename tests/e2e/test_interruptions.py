"""The network is cut, the page is loaded again, the server is killed: in mid-answer and in mid-upload."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Chat
from tests.e2e.killable import Killable
from tests.scripted_openai import EmbeddingScript, Script

Open = Callable[..., Chat]
RULES = "\n\n".join(
    f"## 第{number}条\n\n编号{number}的仪器每{number}个月检定一次，并由{number}号库房保管记录。"
    for number in range(1, 31)
)
QUESTION = "编号7的仪器多久检定一次？"
PARTS = ["编号7的仪器", "每7个月", "检定一次", "[1]。"]
WHOLE = "编号7的仪器每7个月检定一次"


@pytest.fixture
def chat(killable: Killable, open_chat: Open, tmp_path: Path) -> Chat:
    """With the rules in it, in a window that has reached its own address."""
    killable.model.embeddings = []
    made = open_chat("zh-CN", at=killable.reached)
    _drop(made, tmp_path, "规程.md")
    made.page.wait_for_selector(".yj-upload[data-phase=ended]", timeout=60_000)
    return made


def _drop(chat: Chat, folder: Path, name: str) -> None:
    (folder / name).write_text(f"# {name}\n\n{RULES}\n", "utf-8")
    chat.page.set_input_files("#upload-button-input", str(folder / name))
    chat.page.wait_for_selector(f"#attachments >> text={name}")
    chat.page.wait_for_timeout(500)
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector(".yj-upload", timeout=30_000)


def _begin(chat: Chat, killable: Killable, pause_s: float) -> None:
    """Ask, and wait until the answer has begun but is not whole."""

    def reply(request: dict[str, Any]) -> Script:
        return Script(PARTS, pause_s=pause_s)

    killable.model.reply = reply
    chat.page.fill("#chat-input", QUESTION)
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector(f"text={PARTS[0]}每7个月", timeout=60_000)
    assert WHOLE not in chat.page.inner_text("body")


def _answered(chat: Chat) -> None:
    chat.page.wait_for_selector(".yj-sources", timeout=60_000)
    chat.page.wait_for_selector("#stop-button", state="detached", timeout=30_000)
    assert chat.page.inner_text("body").count(WHOLE) >= 1
    answers = chat.page.locator(".ai-message").filter(has_text=WHOLE)
    assert answers.count() == 1


def test_the_network_is_cut_in_mid_answer(killable: Killable, chat: Chat) -> None:
    _begin(chat, killable, pause_s=1.0)
    killable.cable.cut()
    # The answer ends while nobody can hear it.
    chat.page.wait_for_timeout(4000)
    killable.cable.mend()
    _answered(chat)
    killable.model.reply = lambda request: "编号8的仪器每8个月检定一次[1]。"
    chat.ask("编号8的仪器多久检定一次？")
    assert "每8个月检定一次" in chat.page.inner_text("body")


def test_the_page_is_loaded_again_in_mid_answer(killable: Killable, chat: Chat) -> None:
    _begin(chat, killable, pause_s=2.0)
    chat.page.reload()
    chat.page.wait_for_selector("#stop-button", timeout=30_000)
    _answered(chat)
    chat.page.reload()
    _answered(chat)


def test_the_server_is_killed_in_mid_answer(killable: Killable, chat: Chat) -> None:
    _begin(chat, killable, pause_s=3.0)
    chat.page.wait_for_timeout(2500)
    killable.kill()
    killable.start_again()
    chat.page.wait_for_selector(".yj-interrupted", timeout=60_000)
    body = chat.page.inner_text("body")
    assert f"{PARTS[0]}{PARTS[1]}" in body, "what was written before is lost"
    assert "没有完成" in body
    chat.picture("interrupted.png")
    killable.model.reply = lambda request: Script(PARTS)
    chat.page.click(".yj-interrupted button")
    _answered(chat)
    # Told once, and still there when the chat is opened again.
    chat.page.reload()
    _answered(chat)
    assert chat.page.locator(".yj-interrupted").count() == 1


def test_an_answer_given_another_way_is_stopped_and_outlives_the_server(
    killable: Killable, chat: Chat
) -> None:
    killable.model.reply = lambda request: Script(PARTS)
    chat.ask(QUESTION)
    held = threading.Event()
    killable.model.reply = lambda request: "{}" if held.wait(60) else ""
    way = chat.page.locator("button:has-text('逐段核对作答')")
    way.click()
    assert chat.page.get_attribute("#stop-button", "aria-label") == "停止"
    chat.page.click("#stop-button")
    chat.page.wait_for_selector("text=（已停止）", timeout=15_000)
    chat.page.wait_for_selector("#stop-button", state="detached", timeout=15_000)
    way.click()
    chat.page.wait_for_selector("#stop-button", timeout=15_000)
    chat.page.reload()
    chat.page.wait_for_selector("#stop-button", timeout=30_000)
    killable.kill()
    held.set()
    killable.start_again()
    step = {"bears": True, "decides": "yes", "step": WHOLE + "。"}
    killable.model.reply = lambda request: json.dumps(step, ensure_ascii=False)
    chat.page.click(".yj-interrupted button", timeout=60_000)
    chat.page.wait_for_selector("text=结论", timeout=60_000)
    assert f"✓ {WHOLE}" in chat.page.inner_text("body")
    assert chat.page.locator(".yj-interrupted").count() == 1


def test_the_server_is_killed_and_the_network_is_cut_in_mid_upload(
    killable: Killable, open_chat: Open, tmp_path: Path
) -> None:
    chat = open_chat("zh-CN", at=killable.reached)
    killable.model.embeddings = [EmbeddingScript(pause_s=0.4) for _ in range(400)]
    _drop(chat, tmp_path, "大规程.md")
    chat.page.wait_for_selector(".yj-upload >> text=生成向量", timeout=30_000)
    killable.cable.cut()
    chat.page.wait_for_timeout(1500)
    killable.cable.mend()
    chat.page.wait_for_selector(".yj-upload[data-phase=running]", timeout=30_000)
    killable.kill()
    killable.start_again()
    chat.page.wait_for_selector(".yj-upload[data-phase=running]", timeout=60_000)
    killable.model.embeddings = []
    chat.page.wait_for_selector(".yj-upload[data-phase=ended]", timeout=60_000)
    assert "已添加" in chat.page.inner_text(".yj-upload")
    killable.model.reply = lambda request: Script(PARTS)
    chat.ask(QUESTION)
    _answered(chat)
    assert chat.foreign == []
