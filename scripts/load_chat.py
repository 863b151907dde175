"""How the chat bears many users at once, while a long document is added in one more window.

    python scripts/load_chat.py [--chats 20] [--questions 3] [--pages 80] [--word-ms 20]

Starts a real server over samples/ in a process of its own, with a chat model that writes a word every few
milliseconds, and talks to it as browsers do. Prints errors, the time to the first word and to the whole answer, how
long the upload took, and the longest time that the server's event loop stood still (measured inside it: by how
much a sleep of 10 ms was late).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests import chat_visitor  # noqa: E402
from tests.chat_server import _wait_for, environment, free_port, youju  # noqa: E402
from tests.chat_visitor import Visitor, Window, visiting  # noqa: E402
from tests.scripted_openai import Script, serving  # noqa: E402

QUESTIONS = (
    "怀孕满28周的员工申请远程办公，还要满足哪些条件？",
    "校准在什么条件下可以延期，最多延多久？",
    "司龄4年的员工每年有多少天年休假？",
    "Under which conditions may the T200 be calibrated?",
    "How long is the warranty, and what does it not cover?",
)
ANSWER = "The documents say what has to be done first , and what comes after it , in so many words [1] . "
_BEAT_S = 0.01
_PATIENCE_S = 400.0


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--chats", type=int, default=20)
    parser.add_argument("--questions", type=int, default=3)
    parser.add_argument("--pages", type=int, default=80, help="of the document that is added; 0: none is")
    parser.add_argument("--word-ms", type=float, default=20.0, help="pause of the chat model between words")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(options.serve))
        return
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), options)


def _measure(folder: Path, options: argparse.Namespace) -> None:
    words = [f"{word} " for word in (ANSWER * 3).split()]
    written = Script(words, pause_s=options.word_ms / 1000)
    # A question that is to stand alone is left as it is.
    with serving(lambda request: written if request.get("stream") else "") as model:
        env = environment(
            folder / "home",
            OPENAI_BASE_URL=model.url,
            YOUJU_CHAT__MODEL="scripted",
            LAG_FILE=str(folder / "lag.json"),
        )
        youju("add", "samples", env=env).check_returncode()
        port = free_port()
        command = [sys.executable, __file__, "--serve", str(port)]
        with (folder / "server.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=log)
        try:
            _wait_for(f"http://localhost:{port}/health", process)
            found = asyncio.run(_visit(f"http://localhost:{port}", options))
        finally:
            stopped = time.perf_counter()
            process.send_signal(signal.SIGINT)
            process.wait(60)
        said = (folder / "server.log").read_text("utf-8", "replace")
        found["stop_s"] = time.perf_counter() - stopped
        _print(found, json.loads((folder / "lag.json").read_text()), said)


async def _serve(port: int) -> None:
    """The server with a watch beside it on the same loop."""
    import uvicorn

    from app.server import create_app, prepare_environment

    prepare_environment()
    server = uvicorn.Server(uvicorn.Config(create_app(), port=port, log_level="warning", ws_max_size=2**24))
    late: list[float] = []

    async def watch() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_BEAT_S)
            late.append(time.perf_counter() - before - _BEAT_S)

    watching = asyncio.create_task(watch())
    try:
        await server.serve()
    finally:
        watching.cancel()
        Path(os.environ["LAG_FILE"]).write_text(json.dumps(sorted(late)))


async def _visit(url: str, options: argparse.Namespace) -> dict[str, Any]:
    chat_visitor.PATIENCE_S = _PATIENCE_S
    found: dict[str, Any] = {"first": [], "whole": [], "errors": [], "upload_s": 0.0}
    async with visiting(url) as visitor:
        # As the page does first: the one user of this machine gets his cookie.
        await visitor.http.post("/auth/header")
        async with visitor.window() as first:
            await first.ask(QUESTIONS[0])
        chats = [_chat(visitor, number, options.questions, found) for number in range(options.chats)]
        await asyncio.gather(_upload(visitor, options.pages, found), *chats)
    return found


async def _chat(visitor: Visitor, number: int, questions: int, found: dict[str, Any]) -> None:
    async with visitor.window() as window:
        for turn in range(questions):
            question = QUESTIONS[(number + turn) % len(QUESTIONS)]
            before, started = len(window.events), time.perf_counter()
            asked = asyncio.create_task(window.ask(question))
            found["first"].append(await _first_word(window, before, started))
            await asked
            found["whole"].append(time.perf_counter() - started)
            found["errors"] += [value for event, value in window.events[before:] if _is_error(event, value)]


async def _first_word(window: Window, before: int, started: float) -> float:
    """Seconds until a word was there; a refusal comes whole."""
    async with asyncio.timeout(_PATIENCE_S):
        while not any(event in ("stream_start", "task_end") for event, _ in window.events[before:]):
            await asyncio.sleep(_BEAT_S)
    return time.perf_counter() - started


def _is_error(event: str, value: Any) -> bool:
    return (
        event in ("new_message", "update_message") and isinstance(value, dict) and bool(value.get("isError"))
    )


async def _upload(visitor: Visitor, pages: int, found: dict[str, Any]) -> None:
    if not pages:
        return
    data = await asyncio.to_thread(_document, pages)
    async with visitor.window() as window:
        started = time.perf_counter()
        reply = await visitor.upload(window, "long.pdf", data, "application/pdf")
        assert reply.status_code == 200, (reply.status_code, reply.text[:200], len(data))
        await window.ask("", reply.json()["id"])
        while _phase(window) in ("", "queued", "running"):
            await asyncio.sleep(0.1)
        assert _phase(window) == "ended", _phase(window)
        found["upload_s"] = time.perf_counter() - started
        found["errors"] += [value for event, value in window.events if _is_error(event, value)]


def _phase(window: Window) -> str:
    """How far the upload is, by its card in the chat."""
    cards = [value for event, value in window.events if event == "element" and value["name"] == "Upload"]
    return str(cards[-1]["props"]["phase"]) if cards else ""


def _document(pages: int) -> bytes:
    """With a font that readers bring along: embedded in each page it would be hundreds of megabytes."""
    with pymupdf.open() as pdf:
        for number in range(1, pages + 1):
            page = pdf.new_page()
            page.insert_text((60, 80), f"第{number}章 设备检查", fontname="china-s", fontsize=18)
            page.insert_textbox((60, 110, 535, 780), _rules(number), fontname="china-s", fontsize=11)
        data: bytes = pdf.tobytes(deflate=True)
    return data


def _rules(number: int) -> str:
    return "\n\n".join(
        f"第{number}.{rule}条 编号{number * 100 + rule}的设备每{rule + 2}个月检查一次，检查由第{rule}组负责，"
        f"结果在{rule + 3}个工作日内登记；逾期未登记的，由设备科通知停用，直到补登为止。"
        for rule in range(1, 9)
    )


def _print(found: dict[str, Any], late: list[float], said: str) -> None:
    row = "{:<34}{:>10}{:>10}{:>10}"
    sys.stdout.write(row.format("seconds", "p50", "p95", "max") + "\n")
    for name, values in (
        ("first word", found["first"]),
        ("whole answer", found["whole"]),
        ("event loop late", late),
    ):
        ordered = sorted(values)
        p95 = ordered[int(0.95 * (len(ordered) - 1))]
        figures = (statistics.median(ordered), p95, ordered[-1])
        sys.stdout.write(
            row.format(f"{name} ({len(ordered)})", *(f"{value:.3f}" for value in figures)) + "\n"
        )
    blocked = sum(value > 0.5 for value in late)
    sys.stdout.write(f"\nupload until it can be asked about: {found['upload_s']:.1f} s\n")
    sys.stdout.write(f"the server stopped in {found['stop_s']:.1f} s\n")
    sys.stdout.write(f"event loop blocked for more than 0.5 s: {blocked} times\n")
    sys.stdout.write(
        f"errors told: {len(found['errors'])}; lines of the server's log: {len(said.splitlines())}\n"
    )
    for line in [str(error)[:300] for error in found["errors"][:5]] + said.splitlines()[-10:]:
        sys.stdout.write(f"  {line}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
