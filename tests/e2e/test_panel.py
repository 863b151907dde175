"""From a mark in the answer to the words on the page: chips, cards, marks, keys, pages of every kind, copying."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pymupdf
import pytest

from tests.chat_server import environment, serving, youju
from tests.e2e.conftest import Chat, Server
from tests.scripted_openai import Script, ScriptedServer

Open = Callable[..., Chat]

LEFT = (
    "一、灯塔的灯器由两名值守员轮班看护，每班八小时，交接时双方在日志上签字。",
    "二、灯塔的备用电源每月启动一次，每次运行不少于二十分钟，并记下电压。",
    "三、访客进入灯塔须由值守员陪同，同一时间不得超过六人，风力七级以上时停止接待。",
    "四、日志逐时记录灯器、雾号和电源的状态，字迹清楚，不得涂改，保存十年。",
    "五、登塔检修须系安全绳，并有一人在塔下看护；雷雨天气一律不得登塔。",
)
RIGHT = (
    "六、灯塔的雾号在能见度低于两公里时开启，恢复到三公里以上后方可关闭。",
    "七、灯塔的透镜每9天擦拭一次，只准使用麂皮和蒸馏水，不得使用酒精。",
    "八、灯器熄灭超过三分钟的，值守员须立即报告航标处，并启用应急灯。",
    "九、塔内不得存放易燃物品；油料单独存放，距灯塔不少于三十米。",
    "十、每年汛期前由航标处检查一次塔基和护坡，检查结果在十日内通报。",
)
SCAN = ("灯塔食堂管理规定", "灯塔食堂早餐七点十五分开始供应。", "灯塔食堂周三下午盘点，不供应晚餐。")
BARE = ("灯塔宿舍管理规定", "灯塔宿舍的钥匙由仓库统一保管。", "灯塔宿舍每间住两人，十一点熄灯。")
PARTS = (
    ("栏杆", "甲组", 2),
    ("楼梯", "乙组", 2),
    ("门窗", "丙组", 2),
    ("旗杆", "丁组", 150),
    ("浮标", "戊组", 2),
)
RULES = "\n\n".join(
    f"## 第{n}节 {name}\n\n灯塔{name}的负责人是{who}，每{n + 1}个月检查一次{name}。\n\n"
    + "\n\n".join(f"{name}的第{k}条补充说明：{'按照本规程办理，不得拖延。' * 6}" for k in range(1, count))
    for n, (name, who, count) in enumerate(PARTS, 1)
)


def pages() -> bytes:
    """Two columns with embedded fonts, a page whose font is not embedded, and a picture of such a page."""
    with pymupdf.open() as pdf, pymupdf.open() as drawn:
        page = pdf.new_page()
        page.insert_htmlbox(pymupdf.Rect(50, 40, 545, 90), "<h2>灯塔运行规程</h2>")
        for x, lines in ((50, LEFT), (310, RIGHT)):
            body = "".join(f"<p style='font-size:15px;line-height:1.6'>{line}</p>" for line in lines)
            page.insert_htmlbox(pymupdf.Rect(x, 100, x + 235, 780), body)
        pdf.subset_fonts()
        for sheet, lines in (
            (pdf.new_page(width=420, height=300), BARE),
            (drawn.new_page(width=420, height=300), SCAN),
        ):
            for row, line in enumerate(lines):
                sheet.insert_text((40, 60 + 40 * row), line, fontname="china-s", fontsize=16 if row else 20)
        shot = drawn[0].get_pixmap(dpi=150)
        pdf.new_page(width=420, height=300).insert_image(drawn[0].rect, pixmap=shot)
        data: bytes = pdf.tobytes()
    return data


@pytest.fixture(scope="module")
def lighthouse(tmp_path_factory: pytest.TempPathFactory, scripted: ScriptedServer) -> Iterator[Server]:
    """A knowledge base of pages of every kind, and a chat model that says what it is told to."""
    folder = tmp_path_factory.mktemp("lighthouse")
    files = folder / "files"
    files.mkdir()
    (files / "灯塔.pdf").write_bytes(pages())
    (files / "设施.md").write_text(f"# 灯塔设施规程\n\n{RULES}\n", "utf-8")
    for year, amount in ((2023, 500), (2024, 600)):
        rule = f"# 差旅规定\n\n经理在一线城市出差的住宿标准为每晚{amount}元。\n"
        (files / f"规定{year}.md").write_text(rule, "utf-8")
    model = {"OPENAI_BASE_URL": scripted.url, "YOUJU_CHAT__MODEL": "scripted", "YOUJU_CHAT__MAX_RETRIES": "0"}
    env = environment(folder / "home", YOUJU_EMBEDDING__NAME="hashing", **model)
    youju("add", str(files), env=env).check_returncode()
    with serving(folder / "home", env) as made:
        yield made


def press(chat: Chat, key: str) -> str:
    """Press a key that turns the panel over; the number it shows then."""
    before = chat.page.get_attribute("#citation-panel", "data-key")
    chat.page.keyboard.press(key)
    chat.page.wait_for_function(
        "key => { const now = document.querySelector('#citation-panel')?.dataset.key; return now && now !== key; }",
        arg=before,
        timeout=15_000,
    )
    return chat.page.get_attribute("#citation-panel", "data-passage") or ""


def ink(chat: Chat) -> float:
    """The share of dark points in the picture below the first strong box."""
    chat.page.wait_for_function("document.querySelector('.yj-page img')?.complete")
    share: float = chat.page.evaluate(
        """() => {
          const image = document.querySelector('.yj-page img');
          const box = document.querySelector('.yj-page .yj-strong').style;
          const [x, y, w, h] = ['left', 'top', 'width', 'height'].map((side) => parseFloat(box[side]) / 100);
          const canvas = document.createElement('canvas');
          canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
          const paper = canvas.getContext('2d');
          paper.drawImage(image, 0, 0);
          const points = paper.getImageData(x * canvas.width, y * canvas.height, w * canvas.width, h * canvas.height).data;
          let dark = 0;
          for (let at = 0; at < points.length; at += 4) dark += points[at] < 128;
          return dark / (points.length / 4);
        }"""
    )
    return share


def test_two_columns_are_read_with_the_keyboard_alone(
    open_chat: Open, lighthouse: Server, scripted: ScriptedServer
) -> None:
    said = ["灯塔的透镜每9天擦拭一次，只准使用麂皮和蒸馏水，不得使用酒精。", "灯塔栏杆的负责人是甲组。"]
    scripted.reply = lambda request: Script(said)
    chat = open_chat("zh-CN", at=lighthouse)
    chat.ask("灯塔的透镜多久擦拭一次，栏杆由谁负责？")
    page = chat.page
    # The model gave no numbers: both were found, and it is said.
    page.wait_for_selector(".yj-repaired[aria-label='引用已改正']")
    assert page.locator("#citation-panel").count() == 0
    page.locator(".yj-chip").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#citation-panel", timeout=30_000)
    page.wait_for_function("document.activeElement.matches('#citation-panel h3')")
    assert page.get_attribute("#citation-panel", "data-passage") == "1"
    boxes = page.locator(".yj-page .yj-strong").evaluate_all(
        "all => all.map(one => parseFloat(one.style.left))"
    )
    assert boxes
    assert min(boxes) > 50
    assert ink(chat) > 0.02
    assert "第 1 版" in page.inner_text("#citation-panel header")
    chat.picture("panel-two-columns.png")
    assert press(chat, "ArrowRight") == "2"
    assert "栏杆" in page.inner_text("#citation-text")
    assert press(chat, "p") == "1"
    page.keyboard.press("Escape")
    page.wait_for_selector("#citation-panel", state="detached")
    page.wait_for_function("document.activeElement.matches('.yj-chip')")
    assert chat.foreign == []


@pytest.mark.parametrize(
    ("question", "words", "name"),
    [
        ("灯塔食堂早餐几点开始供应？", "七点十五分", "scan"),
        ("灯塔宿舍每间住几人，几点熄灯？", "十一点熄灯", "bare"),
    ],
)
def test_scans_and_pages_without_their_font_show_the_words(
    open_chat: Open, lighthouse: Server, scripted: ScriptedServer, question: str, words: str, name: str
) -> None:
    line = next(line for line in (*SCAN, *BARE) if words in line)
    scripted.reply = lambda request: Script([f"{line}"])
    chat = open_chat("zh-CN", at=lighthouse)
    chat.ask(question)
    assert words in chat.open_chip(1).replace(" ", "")
    assert ink(chat) > 0.02
    chat.picture(f"panel-{name}.png")
    chat.page.click(".yj-page-zoom")
    width = "document.querySelector('.yj-page').getBoundingClientRect().width"
    assert chat.page.evaluate(width) > chat.page.evaluate(
        "document.querySelector('.yj-page-frame').clientWidth"
    )


def test_more_of_the_section_comes_on_demand_and_many_sources_are_folded(
    open_chat: Open, lighthouse: Server
) -> None:
    chat = open_chat("en-US", at=lighthouse)
    chat.ask("/verify " + "".join(f"灯塔{name}的负责人是{who}。" for name, who, _ in PARTS[:4]))
    page = chat.page
    cards = page.locator(".yj-sources > .yj-card")
    assert cards.count() == 4
    assert page.locator(".yj-sources > .yj-card:visible").count() == 3
    page.click("text=Show all 4 sources")
    assert page.locator(".yj-sources > .yj-card:visible").count() == 4
    chat.picture("cards.png")
    page.click("text=Show fewer")
    # A folded source is opened by its number all the same, after a reload too.
    page.wait_for_url("**/thread/*")
    page.reload()
    page.wait_for_selector(".yj-sources", timeout=30_000)
    assert "丁组" in chat.open_chip(4)
    before = len(page.inner_text("#citation-text"))
    page.locator(".yj-context-after").click()
    page.wait_for_function(
        "size => document.querySelector('#citation-text').innerText.length > size + 200", arg=before
    )
    assert "第5节" not in page.inner_text("#citation-text")


def test_a_quote_is_copied_with_its_reference(
    open_chat: Open, lighthouse: Server, scripted: ScriptedServer
) -> None:
    scripted.reply = lambda request: Script(["灯塔楼梯的负责人是乙组。"])
    chat = open_chat("en-US", at=lighthouse)
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.ask("灯塔楼梯的负责人是谁？")
    chat.open_chip(1)
    read = "navigator.clipboard.readText()"
    chat.page.click(".yj-copy")
    chat.page.wait_for_selector(".yj-copy:has-text('Copied')")
    copied = chat.page.evaluate(read)
    assert "灯塔楼梯的负责人是乙组" in copied
    assert "” — 灯塔设施规程 (设施.md), 第2节 楼梯, version 1 (" in copied
    # On an address that is not secure there is no clipboard to write to.
    chat.page.evaluate("navigator.clipboard.writeText('')")
    chat.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('none')); }")
    chat.page.click(".yj-copy")
    chat.page.wait_for_function(f"async () => (await {read}).includes('乙组')")
    original = chat.page.get_attribute(".yj-original", "href") or ""
    assert chat.page.request.get(f"{lighthouse.url}{original}").text().startswith("# 灯塔设施规程")
    chat.page.click(".yj-mark-right")
    chat.page.wait_for_selector("text=Noted")
    # Also in a window that never saw it pressed.
    chat.page.evaluate("sessionStorage.clear()")
    chat.page.reload()
    chat.open_chip(1)
    assert chat.page.get_attribute(".yj-mark-right", "aria-pressed") == "true"
    assert chat.page.get_attribute(".yj-mark-wrong", "aria-pressed") == "false"


def test_doubtful_sentences_are_marked_and_opened_where_they_stand(
    open_chat: Open, lighthouse: Server, scripted: ScriptedServer
) -> None:
    said = ["经理在一线城市出差的**住宿标准**为每晚600元。", "全体员工可以免费乘坐直升机。"]
    scripted.reply = lambda request: Script(said)
    chat = open_chat("zh-CN", at=lighthouse)
    chat.ask("经理在一线城市出差的住宿标准是多少？")
    page = chat.page
    mark = page.locator(".yj-mark-unsupported")
    mark.wait_for()
    assert mark.inner_text() == "全体员工可以免费乘坐直升机"
    assert mark.get_attribute("aria-label") == "全体员工可以免费乘坐直升机 (原文未支持)"
    mark.focus()
    page.keyboard.press("Enter")
    # No passage is cited for it, so its line in the checks is where it leads.
    page.wait_for_function("document.activeElement.matches('.yj-doubt-unsupported')")
    assert page.locator("#citation-panel").count() == 0
    chat.picture("marks.png")
    page.click(".yj-counter")
    page.wait_for_selector("#citation-panel .yj-reason", timeout=30_000)
    assert "每晚500元" in "".join(page.locator("#citation-text .yj-run-strong").all_inner_texts())
    assert "规定2023.md" in page.inner_text("#citation-panel header")
    # The message was drawn anew beside the panel, and is marked again.
    page.locator(".yj-mark-unsupported").wait_for()
    page.click(".yj-mark-unsupported >> nth=0", position={"x": 5, "y": 8})
    before = page.locator(".yj-sources").count()
    page.click("text=只留有原文支持的内容")
    page.wait_for_function(
        "n => document.querySelectorAll('.yj-sources').length > n", arg=before, timeout=60_000
    )
    page.wait_for_selector("#stop-button", state="detached", timeout=60_000)
    assert "直升机" not in page.locator(".ai-message").last.inner_text()
