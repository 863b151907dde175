"""Files in the chat: several at once, how far they are, cancel, the table, a password, keeping them, the start page."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from tests.e2e.conftest import Chat, Server
from tests.e2e.killable import Killable
from tests.scripted_openai import EmbeddingScript
from tests.support import pdf_bytes

Open = Callable[..., Chat]
PASSWORD = "sesame-芝麻-88"
WORDS = {
    "zh-CN": {
        "added": "已添加",
        "empty": "是空的",
        "format": "格式尚不支持",
        "locked": "有密码保护",
        "tries": "还可以试 2 次",
        "ready": "现在可以就这些文件提问了",
        "kept": "存入知识库“default”",
        "embedding": "生成向量",
        "cancelled": "已取消，完成的文件已保留",
        "left": "未添加",
        "none": "知识库还是空的",
    },
    "en-US": {
        "added": "added",
        "empty": "is empty",
        "format": "format",
        "locked": "password",
        "tries": "Tries left: 2",
        "ready": "You can ask about these files now",
        "kept": "Keeping in “default”",
        "embedding": "embedding",
        "cancelled": "Cancelled; what was finished stays",
        "left": "not added",
        "none": "The knowledge base is empty",
    },
}
LOCALES = pytest.mark.parametrize("locale", ["zh-CN", "en-US"])


def drop(chat: Chat, *paths: Path) -> None:
    chat.page.set_input_files("#upload-button-input", [str(path) for path in paths])
    chat.page.wait_for_selector(f"#attachments >> text={paths[-1].name}")
    chat.page.wait_for_timeout(700)
    chat.page.click("#chat-submit")
    chat.page.wait_for_selector(".yj-upload", timeout=30_000)


def over(chat: Chat, phase: str = "ended", nth: int = 0) -> str:
    """Wait for the card; what it says."""
    chat.page.wait_for_selector(f".yj-upload >> nth={nth}")
    card = chat.page.locator(".yj-upload").nth(nth)
    card.and_(chat.page.locator(f"[data-phase={phase}]")).wait_for(timeout=60_000)
    return card.inner_text()


def files(folder: Path) -> list[Path]:
    made = [folder / name for name in ("食堂.md", "empty.txt", "setup.exe", "folder.zip", "locked.pdf")]
    made[0].write_text("# 灯塔食堂\n\n灯塔食堂早餐从七点十五分开始供应。\n", "utf-8")
    made[1].write_bytes(b" ")
    made[2].write_bytes(b"MZ\x90\0" + b"\0" * 300)
    with zipfile.ZipFile(made[3], "w") as archive:
        archive.writestr("notes/buses.md", "# Buses\n\nThe first bus leaves the east gate at seven.\n")
        archive.writestr("notes/deep/rooms.md", "# Rooms\n\nRoom 12 is booked at the front desk.\n")
    with pymupdf.open(stream=pdf_bytes("<p>Salaries are kept for fifteen years.</p>")) as pdf:
        pdf.save(made[4], encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="owner", user_pw=PASSWORD)
    return made


@LOCALES
def test_several_files_are_told_apart_and_a_locked_one_opens(
    open_chat: Open, killable: Killable, tmp_path: Path, locale: str
) -> None:
    words = WORDS[locale]
    killable.model.embeddings = []
    chat = open_chat(locale, at=killable.reached)
    drop(chat, *files(tmp_path))
    card = over(chat)
    for key in ("added", "empty", "format", "locked", "ready"):
        assert words[key] in card, key
    assert "folder.zip/notes/deep/rooms.md" in card
    for password, told in (("wrong", words["tries"]), (PASSWORD, "")):
        chat.page.fill(".yj-password input[type=password]", password)
        chat.page.click(".yj-password button[type=submit]")
        if told:
            chat.page.wait_for_selector(f".yj-password >> xpath=.. >> text={told}", timeout=60_000)
    chat.page.wait_for_selector(".yj-password", state="detached", timeout=60_000)
    card = over(chat)
    assert words["locked"] not in card
    chat.picture(f"upload-table-{locale}.png")
    # As it was, after the page is loaded again.
    chat.page.reload()
    assert over(chat).split() == card.split()
    stored = b"".join(path.read_bytes() for path in killable.home.rglob("*") if path.is_file())
    assert PASSWORD.encode() not in stored
    assert chat.foreign == []


@LOCALES
def test_an_upload_shows_how_far_it_is_lets_ask_meanwhile_and_can_be_cancelled(
    open_chat: Open, killable: Killable, tmp_path: Path, locale: str
) -> None:
    words = WORDS[locale]
    killable.model.embeddings = []
    killable.model.reply = lambda request: "灯塔食堂早餐从七点十五分开始供应[1]。"
    chat = open_chat(locale, at=killable.reached)
    first, book = files(tmp_path)[0], tmp_path / "book.md"
    parts = "\n\n".join(f"## {n}\n\nRule {n} holds for gate {n} and its guards.\n" for n in range(1, 60))
    book.write_text(f"# Book\n\n{parts}", "utf-8")
    # One for the small file; the book's come slowly, the question's own among them.
    killable.model.embeddings = [EmbeddingScript(pause_s=0.0 if n < 2 else 0.5) for n in range(200)]
    drop(chat, first, book)
    chat.page.wait_for_selector(f".yj-file-works >> text={words['embedding']}", timeout=60_000)
    chat.page.wait_for_selector(".yj-file-left", timeout=60_000)
    chat.picture(f"upload-working-{locale}.png")
    chat.ask("灯塔食堂早餐几点开始供应？")
    assert chat.page.locator(".yj-upload[data-phase=running]").count() == 1
    chat.page.click(".yj-upload-cancel")
    card = over(chat, "cancelled")
    assert words["cancelled"] in card
    assert words["added"] in card
    assert words["left"] in card


def test_files_of_a_chat_are_kept_in_the_knowledge_base_which_the_start_page_then_tells(
    open_chat: Open, killable: Killable, tmp_path: Path
) -> None:
    killable.model.embeddings = []
    chat = open_chat("en-US", at=killable.reached)
    chat.page.wait_for_selector(f".yj-start >> text={WORDS['en-US']['none']}")
    drop(chat, files(tmp_path)[0])
    over(chat)
    chat.page.click(".yj-keep-go")
    assert WORDS["en-US"]["kept"] in over(chat, nth=1)
    assert chat.page.locator(".yj-keep").count() == 0
    other = open_chat("zh-CN", at=killable.reached)
    other.page.wait_for_selector(".yj-start >> text=知识库里有 1 份文档")
    killable.model.reply = lambda request: "灯塔食堂早餐从七点十五分开始供应[1]。"
    other.ask("灯塔食堂早餐几点开始供应？")
    assert "七点十五分" in other.open_chip(1)


@LOCALES
def test_the_start_page_tells_what_is_there_and_leads_to_a_cited_answer(
    open_chat: Open, server: Server, locale: str
) -> None:
    chat = open_chat(locale)
    chat.page.wait_for_selector(".yj-start")
    told = chat.page.inner_text(".yj-start")
    assert ("没有设置对话模型" if locale == "zh-CN" else "No chat model is set") in told
    chat.picture(f"start-{locale}.png")
    chat.page.locator("#starters button").first.click()
    chat.page.wait_for_selector(".yj-chip", timeout=60_000)
    assert chat.page.locator(".yj-start").count() == 0


def test_a_question_with_files_waits_for_them_and_the_stop_button_ends_both(
    open_chat: Open, killable: Killable, tmp_path: Path
) -> None:
    killable.model.embeddings = [EmbeddingScript(pause_s=0.5) for _ in range(100)]
    chat = open_chat("zh-CN", at=killable.reached)
    book = tmp_path / "长书.md"
    book.write_text("\n\n".join(f"## 第{n}节\n\n第{n}节说的是第{n}件事。" for n in range(60)), "utf-8")
    chat.page.fill("#chat-input", "第7节说的是什么？")
    drop(chat, book)
    chat.page.wait_for_selector(".yj-upload[data-phase=running]", timeout=30_000)
    chat.page.click("#stop-button")
    over(chat, "cancelled")
    chat.page.wait_for_selector("#stop-button", state="detached", timeout=15_000)
    assert chat.page.locator(".yj-sources").count() == 0
