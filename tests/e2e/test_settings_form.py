"""What a user sets for himself holds from the next question on, and what he says of an answer is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from core.settings import Settings
from evaluation.reviewing.decisions import read_drafts
from retrieval.knowledge_base import KnowledgeBase
from tests.chat_server import Server, environment
from tests.chat_server import serving as serving_chat
from tests.e2e.conftest import Chat
from tests.scripted_openai import serving
from tests.support import HANDBOOK, MANUAL, make_ingest

Open = Callable[..., Chat]
SICK, FILTER = "员工请病假须满足什么条件？", "How often must the filter be replaced?"


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Of its own: what is set in one chat, the user's next chat begins with."""
    folder = tmp_path_factory.mktemp("settings")
    base = KnowledgeBase(Settings(home=folder / "home", embedding={"name": "hashing"}))  # type: ignore[arg-type]
    (folder / "handbook.md").write_text(HANDBOOK, "utf-8")
    (folder / "manual.md").write_text(MANUAL, "utf-8")
    make_ingest(base).add([folder / "handbook.md", folder / "manual.md"], "default")
    base.workspace.close()
    with serving(lambda request: "请病假须持有二级以上医院出具的诊断证明[1]。") as model:
        written = {
            "OPENAI_BASE_URL": model.url,
            "YOUJU_CHAT__MODEL": "scripted",
            "YOUJU_CHAT__MAX_RETRIES": "0",
        }
        env = environment(folder / "home", YOUJU_EMBEDDING__NAME="hashing", **written)
        with serving_chat(folder / "home", env) as made:
            yield made


def open_tab(chat: Chat, name: str) -> None:
    if not chat.page.locator("#chat-settings").is_visible():
        chat.page.click("#chat-settings-open-modal")
    chat.page.locator("#chat-settings [role=tab]").get_by_text(name, exact=True).click()


def choose(chat: Chat, key: str, value: str) -> None:
    chat.page.locator(f"#chat-settings div:has(> label[for='{key}']) [role=combobox]").click()
    chat.page.locator("[role=option]").get_by_text(value, exact=True).click()


def confirmed(chat: Chat) -> str:
    """What the chat says to it."""
    chat.page.click("#confirm")
    toast = chat.page.locator("[data-sonner-toast]").first
    toast.wait_for(timeout=15_000)
    # Closing takes a moment, in which it can still be seen.
    chat.page.locator("#chat-settings").wait_for(state="detached")
    return toast.inner_text()


def test_how_to_answer_is_ones_own_and_stays_so(open_chat: Open, own_server: Server) -> None:
    chat = open_chat("zh-CN", at=own_server)
    chat.ask(SICK)
    assert chat.page.locator(".yj-card").count() > 1
    open_tab(chat, "回答")
    chat.picture("settings.png")
    choose(chat, "method", "原文摘录")
    slider = chat.page.locator("#chat-settings [role=slider]")
    slider.focus()
    slider.press("Home")
    open_tab(chat, "显示")
    choose(chat, "depth", "一行")
    said = confirmed(chat)
    assert "回答方式：原文摘录；原文段数：1；检索过程：一行" in said
    chat.ask(SICK)
    assert "没有使用对话模型" in chat.page.locator(".message-content:has(.yj-sources)").last.inner_text()
    assert chat.page.locator(".yj-sources").last.locator(".yj-card").count() == 1
    # The next chat begins with it.
    again = open_chat("zh-CN", at=own_server)
    open_tab(again, "回答")
    method = again.page.locator("#chat-settings div:has(> label[for='method']) [role=combobox]")
    assert method.inner_text() == "原文摘录"
    choose(again, "method", "对话模型作答")
    slider = again.page.locator("#chat-settings [role=slider]")
    slider.focus()
    for _ in range(15):
        slider.press("ArrowRight")
    assert "原文段数：16" in confirmed(again)
    again.ask(SICK)
    assert "没有使用对话模型" not in again.page.inner_text(".message-content:has(.yj-sources)")
    assert chat.foreign == again.foreign == []


def test_the_language_can_be_another_than_the_browsers_and_a_thumb_is_kept(
    open_chat: Open, own_server: Server
) -> None:
    chat = open_chat("en-US", at=own_server)
    open_tab(chat, "Display")
    choose(chat, "language", "中文")
    assert "界面语言：中文" in confirmed(chat)
    open_tab(chat, "显示")
    choose(
        chat, "language", "As the browser" if chat.page.get_by_text("As the browser").count() else "随浏览器"
    )
    assert "Language: As the browser" in confirmed(chat)
    open_tab(chat, "Uploads")
    chat.page.keyboard.press("Escape")
    chat.ask(FILTER)
    chat.page.click(".negative-feedback-off")
    chat.page.fill("[role=dialog] textarea", "Says nothing about the seal")
    chat.page.click("#submit-feedback")
    chat.page.wait_for_selector(".negative-feedback-on")
    path = own_server.home / "feedback" / "feedback.jsonl"
    row = json.loads(path.read_text("utf-8").splitlines()[-1])
    assert (row["question"], row["verdict"]) == (FILTER, "bad")
    assert "Says nothing about the seal" in read_drafts(path)[-1].remark
    chat.page.reload()
    chat.page.wait_for_selector(".negative-feedback-on", timeout=30_000)
    chat.page.click(".negative-feedback-on")
    chat.page.wait_for_selector(".negative-feedback-off")
    assert read_drafts(path) == []
    assert chat.foreign == []
