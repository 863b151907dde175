"""A real server over samples/ with the default model, and a real browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.chat_server import Server as Server
from tests.chat_server import environment, youju
from tests.chat_server import serving as serving_chat
from tests.e2e.killable import killable as killable
from tests.scripted_openai import ScriptedServer, serving

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Set to a folder to renew the pictures of the README.
PICTURES = os.environ.get("YOUJU_TEST_PICTURES", "")
OWN_HOSTS = {"localhost", "127.0.0.1"}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--disable-quic",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            if not Path(CHROMIUM).exists():
                item.add_marker(pytest.mark.skip(reason=f"no browser at {CHROMIUM}"))


class RequestLog:
    """Every address that the pages of a browser ask for, sockets included, even where it is held back."""

    def __init__(self) -> None:
        self.addresses: list[str] = []

    def watch(self, browser: Browser) -> None:
        """Note it for all contexts that are made from now on."""
        make = browser.new_context

        def made(**options: Any) -> BrowserContext:
            context = make(**options)
            context.on("request", lambda request: self.addresses.append(request.url))
            context.on("page", self._watch_sockets)
            return context

        browser.new_context = made  # type: ignore[method-assign]

    def foreign(self) -> set[str]:
        """The hosts among them that are not this machine."""
        asked = {urlsplit(address) for address in self.addresses}
        remote = {url.hostname for url in asked if url.scheme in ("http", "https", "ws", "wss")}
        return {host or "?" for host in remote - OWN_HOSTS}

    def _watch_sockets(self, page: Page) -> None:
        page.on("websocket", lambda socket: self.addresses.append(socket.url))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Over samples/, with the default embedder and without a chat model."""
    home = tmp_path_factory.mktemp("e2e") / "home"
    env = environment(home)
    youju("add", "samples", env=env).check_returncode()
    with serving_chat(home, env) as made:
        yield made


@pytest.fixture(scope="session")
def scripted() -> Iterator[ScriptedServer]:
    """The chat model behind ``writing_server``; a test sets its ``reply``."""
    with serving(lambda request: "") as made:
        yield made


@pytest.fixture(scope="session")
def writing_server(server: Server, scripted: ScriptedServer) -> Iterator[Server]:
    """A second server over the same knowledge base, with a chat model."""
    model = {"OPENAI_BASE_URL": scripted.url, "YOUJU_CHAT__MODEL": "scripted", "YOUJU_CHAT__MAX_RETRIES": "0"}
    with serving_chat(server.home, environment(server.home, **model)) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests; what its pages asked for, of all of them, is looked at in the end."""
    log = RequestLog()
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        log.watch(made)
        yield made
        made.close()
    assert not log.foreign(), f"requests to other hosts: {sorted(log.foreign())}"


@dataclass(slots=True)
class Chat:
    """One browser session; ``foreign`` holds every request to another host, even one that was held back."""

    page: Page
    foreign: list[str]

    def watch(self, own: str) -> None:
        """Note what is asked of other hosts than ``own`` from now on."""

        def note(url: str) -> None:
            if not url.startswith((own, own.replace("http", "ws", 1), "data:", "blob:")):
                self.foreign.append(url)

        self.page.on("request", lambda request: note(request.url))

    def ask(self, question: str) -> None:
        """Type a question and wait until its sources stand below the answer."""
        before = self.page.locator(".yj-sources").count()
        self.page.fill("#chat-input", question)
        self.page.click("#chat-submit")
        self.page.wait_for_function(
            "n => document.querySelectorAll('.yj-sources').length > n", arg=before, timeout=60_000
        )
        self.page.wait_for_selector("#stop-button", state="detached", timeout=60_000)

    def open_chip(self, number: int) -> str:
        """Click the last mark of that number; the words of the panel that carry the sentence."""
        key = "(document.querySelector('#citation-panel')?.dataset.key ?? '')"
        before = self.page.evaluate(key)
        chips = self.page.locator(f".yj-chip:text-is('{number}')")
        chips.last.wait_for(timeout=15_000)
        chips.last.click()
        self.page.wait_for_function(f"before => {key} && {key} !== before", arg=before, timeout=30_000)
        self.page.wait_for_selector("#citation-text .yj-run-strong", timeout=30_000)
        return "".join(self.page.locator("#citation-text .yj-run-strong").all_inner_texts())

    def picture(self, name: str) -> None:
        if PICTURES:
            self.page.wait_for_timeout(600)
            self.page.screenshot(path=str(Path(PICTURES) / name))


@pytest.fixture
def open_chat(browser: Browser, server: Server) -> Iterator[Callable[..., Chat]]:
    """Opens the chat in a browser of the given language."""
    contexts = []

    def opened(locale: str = "zh-CN", width: int = 1366, scheme: str = "light", at: Server = server) -> Chat:
        context = browser.new_context(
            locale=locale,
            viewport={"width": width, "height": 860},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        if scheme == "dark":
            # What the theme button keeps.
            context.add_init_script("localStorage.setItem('vite-ui-theme', 'dark')")
        contexts.append(context)
        page = context.new_page()
        chat = Chat(page=page, foreign=[])
        chat.watch(at.url)
        page.goto(at.url)
        page.wait_for_selector("#chat-input", timeout=30_000)
        # The last thing that the server sends at the start: files before it find no session.
        page.wait_for_selector("#chat-settings-open-modal", timeout=30_000)
        page.wait_for_timeout(300)
        return chat

    yield opened
    for context in contexts:
        context.close()
