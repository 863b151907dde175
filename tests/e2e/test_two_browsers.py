"""Two users with two browsers: each logs in, and nothing of one is seen by the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.login.accounts import Accounts
from tests.chat_server import environment, serving
from tests.e2e.conftest import Chat, Server

PASSWORDS = {"林": "geheim-lin-1", "wang": "geheim-wang-1"}
QUESTION = "灯塔食堂早餐几点开始？"


@pytest.fixture(scope="module")
def closed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("closed") / "home"
    for name, password in PASSWORDS.items():
        Accounts(home).add(name, password)
    with serving(home, environment(home, YOUJU_EMBEDDING__NAME="hashing"), host="0.0.0.0") as made:
        yield made


@pytest.fixture
def log_in(browser: Browser, closed_server: Server) -> Iterator[Callable[..., Chat]]:
    contexts = []

    def logged_in(name: str, locale: str) -> Chat:
        context = browser.new_context(locale=locale, viewport={"width": 1366, "height": 860})
        contexts.append(context)
        chat = Chat(page=context.new_page(), foreign=[])
        chat.watch(closed_server.url)
        chat.page.goto(closed_server.url)
        chat.page.wait_for_selector("#email", timeout=30_000)
        chat.page.fill("#email", name)
        chat.page.fill("#password", PASSWORDS[name] + "x")
        chat.page.click("button[type=submit]")
        chat.page.wait_for_selector(
            "text=用户名或密码不对" if locale == "zh-CN" else "text=password is wrong"
        )
        assert "nauthorized" not in chat.page.inner_text("body")
        chat.page.fill("#password", PASSWORDS[name])
        chat.page.click("button[type=submit]")
        chat.page.wait_for_selector("#chat-input", timeout=30_000)
        chat.page.wait_for_timeout(800)
        return chat

    yield logged_in
    for context in contexts:
        context.close()


def test_what_one_user_adds_and_asks_is_not_there_for_the_other(
    log_in: Callable[..., Chat], closed_server: Server, tmp_path: Path
) -> None:
    (tmp_path / "食堂.md").write_text("# 食堂\n\n灯塔食堂早餐七点十五分开始供应。\n", "utf-8")
    lin, wang = log_in("林", "zh-CN"), log_in("wang", "en-US")
    lin.page.set_input_files("#upload-button-input", str(tmp_path / "食堂.md"))
    lin.page.wait_for_selector("#attachments >> text=食堂.md")
    lin.ask(QUESTION)
    assert "七点十五分" in lin.open_chip(1)
    wang.page.fill("#chat-input", QUESTION)
    wang.page.click("#chat-submit")
    wang.page.wait_for_selector("text=没有找到能回答这个问题的依据", timeout=60_000)
    wang.page.goto(lin.page.url)
    wang.page.wait_for_timeout(2500)
    assert "七点十五分" not in wang.page.content()
    wang.page.goto(closed_server.url)
    wang.page.wait_for_selector("#chat-input")
    wang.page.locator("#sidebar-trigger-button").last.click()
    wang.page.wait_for_selector("#thread-history li")
    assert wang.page.locator("#thread-history li").count() == 1
    lin.page.reload()
    lin.page.wait_for_selector(".yj-sources", timeout=30_000)
    assert "七点十五分" in lin.open_chip(1)
    assert lin.foreign == wang.foreign == []
