"""The log of requests, which is looked at when all tests are over, notes what it should."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.e2e.conftest import CHROMIUM, FLAGS, RequestLog, Server


def test_a_request_to_another_host_is_noted_even_when_it_is_held_back(
    browser: Browser, server: Server
) -> None:
    log = RequestLog()
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=FLAGS)
    log.watch(own)
    page = own.new_context(bypass_csp=True).new_page()
    with page.expect_websocket(timeout=30_000):
        page.goto(server.url)
    page.wait_for_selector("#chat-input", timeout=30_000)
    assert log.foreign() == set()
    assert any(address.startswith("ws:") for address in log.addresses)
    page.route("**/elsewhere.invalid/*", lambda route: route.abort())
    page.evaluate("fetch('http://elsewhere.invalid/x').catch(() => 0)")
    page.wait_for_timeout(300)
    assert log.foreign() == {"elsewhere.invalid"}
    own.close()
