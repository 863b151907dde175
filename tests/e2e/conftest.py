"""A real server over samples/ with the default model, and a real browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.chat_server import Server as Server
from tests.chat_server import environment, youju
from tests.chat_server import serving as serving_chat
from tests.scripted_openai import ScriptedServer, serving

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# Set to a folder to renew the pictures of the README.
PICTURES = os.environ.get("YOUJU_TEST_PICTURES", "")
_FLAGS = [
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
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        yield made
        made.close()


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
        page.wait_for_timeout(800)
        return chat

    yield opened
    for context in contexts:
        context.close()
