"""A real HTTP server that speaks OpenAI's protocol and replies by script: streams, errors, cut streams."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], "str | Script"]


class Script:
    """How a reply goes wrong."""

    def __init__(
        self, parts: list[str], *, finish: str | None = "stop", status: int = 200, pause_s: float = 0.0
    ) -> None:
        self.parts = parts
        self.finish = finish
        self.status = status
        self.pause_s = pause_s


class ScriptedServer:
    """``reply`` turns a request into a text or a ``Script``; ``requests`` holds what was asked."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.requests: list[dict[str, Any]] = []
        handler = type("Handler", (_Handler,), {"server_script": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(reply: Reply) -> Iterator[ScriptedServer]:
    server = ScriptedServer(reply)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class _Handler(BaseHTTPRequestHandler):
    server_script: ScriptedServer

    def log_message(self, format: str, *arguments: object) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server_script.requests.append(request)
        if self.path.endswith("/embeddings"):
            self._embeddings(request)
            return
        reply = self.server_script.reply(request)
        script = reply if isinstance(reply, Script) else Script([reply])
        if script.status != 200:
            self._json({"error": {"message": "scripted failure", "type": "x"}}, script.status)
        elif request.get("stream"):
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self._stream(script)
        else:
            message = {"role": "assistant", "content": "".join(script.parts)}
            choice = {"index": 0, "message": message, "finish_reason": script.finish}
            self._json(_frame(request, "chat.completion", [choice]))

    def _stream(self, script: Script) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for part in script.parts:
            time.sleep(script.pause_s)
            self._event(
                [{"index": 0, "delta": {"role": "assistant", "content": part}, "finish_reason": None}]
            )
        if script.finish is not None:
            self._event([{"index": 0, "delta": {}, "finish_reason": script.finish}])
            self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, choices: list[dict[str, Any]]) -> None:
        frame = _frame({}, "chat.completion.chunk", choices)
        self.wfile.write(f"data: {json.dumps(frame)}\n\n".encode())
        self.wfile.flush()

    def _embeddings(self, request: dict[str, Any]) -> None:
        texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
        data = [
            {"index": i, "object": "embedding", "embedding": [3.0 * len(text), 4.0 * text.count("a"), 1.0]}
            for i, text in enumerate(texts)
        ]
        self._json(
            {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        )

    def _json(self, value: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _frame(request: dict[str, Any], kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    frame = {"id": "x", "object": kind, "created": 1, "model": request.get("model", "m"), "choices": choices}
    return frame | ({"usage": usage} if kind == "chat.completion" else {})
