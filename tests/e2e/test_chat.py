"""The main job as a user does it: ask, click a citation, see the right words; upload and ask."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import Chat, Server
from tests.support import pdf_bytes

Open = Callable[..., Chat]
# Of an element's words to what lies behind them, all layers together.
CONTRAST = """element => {
  const parts = (colour) => [...colour.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3]));
  const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const layers = [];
  for (let node = element; node; node = node.parentElement) layers.unshift(getComputedStyle(node).backgroundColor);
  const behind = layers.map(parts).reduce((below, top) => over(top, below), [255, 255, 255]);
  const words = over(parts(getComputedStyle(element).color), behind);
  const [dark, bright] = [light(words), light(behind)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}"""


def test_two_questions_in_chinese_open_at_the_right_words(open_chat: Open) -> None:
    chat = open_chat("zh-CN")
    chat.page.wait_for_selector("#starters button")
    assert chat.page.locator("#starters button").count() == 3
    chat.picture("start.png")
    chat.ask("怀孕满28周的员工申请远程办公，还要满足哪些条件？")
    first = chat.open_chip(1)
    assert "仍须满足4.1的其余条件" in first
    assert "怀孕满28周的" in first
    assert "4.3 例外情形" in chat.page.inner_text("#citation-panel")
    second = chat.open_chip(2)
    assert "司龄满6个月" in second
    chat.picture("answer.png")
    chat.ask("校准在什么条件下可以延期，最多延多久？")
    words = chat.open_chip(1)
    assert "经质量部经理书面批准" in words
    assert "不得超过原校准周期的四分之一" in words
    panel = chat.page.inner_text("#citation-panel")
    assert "仪器设备管理办法.pdf" in panel
    assert "第 4 页" in panel
    assert chat.page.locator(".yj-page img").count() == 1
    assert chat.page.locator(".yj-page .yj-strong").count() >= 4
    chat.page.locator(".yj-page .yj-strong").first.scroll_into_view_if_needed()
    chat.picture("page.png")
    assert chat.foreign == []


def test_a_question_in_english_and_the_steps_of_the_retrieval(open_chat: Open) -> None:
    chat = open_chat("en-US")
    assert "Calibrating" in chat.page.inner_text("#starters")
    chat.ask("Under which conditions may the T200 be calibrated?")
    words = chat.open_chip(1)
    assert "Do not calibrate unless" in words
    assert "at least 60 minutes" in words
    assert "Calibration" in chat.page.inner_text("#citation-panel")
    chat.page.locator("[id='step-evidence search']").click()
    chat.page.wait_for_selector("text=By meaning")
    assert "spruce-t200-manual.md" in chat.page.inner_text("body")
    chat.picture("english.png")
    assert chat.foreign == []


def test_an_uploaded_pdf_answers_at_once_and_only_in_its_own_chat(open_chat: Open, tmp_path: Path) -> None:
    html = "<h1>灯塔食堂管理规定</h1><p>食堂早餐供应时间为七点十五分至八点四十分，节假日不供应。</p>"
    (tmp_path / "食堂规定.pdf").write_bytes(pdf_bytes(html))
    (tmp_path / "空.txt").write_bytes(b" ")
    chat, other = open_chat("zh-CN"), open_chat("zh-CN")
    question = "灯塔食堂早餐的供应时间是几点到几点？"
    chat.page.set_input_files(
        "#upload-button-input", [str(tmp_path / "食堂规定.pdf"), str(tmp_path / "空.txt")]
    )
    chat.page.wait_for_selector("#attachments >> text=食堂规定.pdf")
    chat.ask(question)
    table = chat.page.locator("table").first.inner_text()
    assert "已添加" in table
    assert "是空的" in table
    assert "七点十五分至八点四十分" in chat.open_chip(1)
    assert "食堂规定.pdf" in chat.page.inner_text("#citation-panel")
    chat.picture("upload.png")
    other.page.fill("#chat-input", question)
    other.page.click("#chat-submit")
    other.page.wait_for_selector("text=没有找到能回答这个问题的依据", timeout=60_000)
    assert "七点十五分" not in other.page.inner_text("body")


def test_nothing_relevant_is_refused_and_errors_are_told(open_chat: Open) -> None:
    chat = open_chat("zh-CN")
    chat.page.fill("#chat-input", "请介绍恐龙灭绝的三种假说")
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector("text=没有找到能回答这个问题的依据", timeout=60_000)
    assert chat.page.locator(".yj-chip").count() == 0
    chat.page.fill("#chat-input", "长" * 4001)
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector("text=超过上限", timeout=60_000)


def test_the_chat_is_readable_on_a_phone_and_in_the_dark(open_chat: Open) -> None:
    chat = open_chat("zh-CN", width=390, scheme="dark")
    chat.ask("司龄4年的员工每年有多少天年休假？")
    assert "9天" in chat.open_chip(1)
    nameless = "buttons => buttons.filter(b => !(b.ariaLabel || b.title || b.innerText.trim())).map(b => b.outerHTML)"
    assert chat.page.locator("button:visible").evaluate_all(nameless) == []
    # WCAG 2.2, 1.4.3: text of this size.
    assert chat.page.locator("mark.yj-run-strong").first.evaluate(CONTRAST) >= 4.5
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert chat.page.evaluate(overflow) <= 1
    chat.picture("phone.png")


@pytest.mark.parametrize("place", ["<div class='yj-b-table'>", "<div class='message-content'>"])
def test_a_table_keeps_its_chinese_words_beside_long_numbers(open_chat: Open, place: str) -> None:
    chat = open_chat("zh-CN", width=390)
    row = "<td>营业收入</td>" + "<td>170,360,448,000.00</td>" * 3 + "<td>主要是业务增长所致</td>"
    chat.page.evaluate(
        "html => document.querySelector('#root').insertAdjacentHTML('afterbegin', html)",
        f"{place}<table><tr>{row}</tr></table></div>",
    )
    lines = "td => { const r = document.createRange(); r.selectNodeContents(td); return r.getClientRects().length; }"
    cell = chat.page.locator("td").first
    assert cell.evaluate(lines) <= 2


def test_the_server_is_healthy_soon_and_forbids_foreign_content(server: Server) -> None:
    # Measured in docs/benchmarks.md on a quiet machine; a busy one gets more time here.
    assert server.start_s < 30
    with urllib.request.urlopen(f"{server.url}/health") as reply:
        assert reply.read() == b'{"status":"ok"}'
        assert "default-src 'self'" in reply.headers["content-security-policy"]


def test_a_page_of_another_site_cannot_talk_to_the_chat(server: Server) -> None:
    request = urllib.request.Request(
        f"{server.url}/project/settings", headers={"origin": "http://evil.example"}
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)
    with caught.value as refused:
        assert refused.code == 403
