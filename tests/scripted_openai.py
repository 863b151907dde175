"""A real HTTP server that speaks OpenAI's protocol and replies by script: streams, errors, cut streams."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], "str | Script"]


class Script:
    """How a reply goes, and goes wrong.

    ``usage`` is reported where the protocol has it; ``None`` in a stream: none is. ``cut`` drops the
    connection in the middle of the reply. ``headers`` come with an error. ``thoughts`` are sent before the
    parts, as reasoning. ``raw`` is sent behind the parts as it is, and nothing after it.
    """

    def __init__(
        self,
        parts: list[str],
        *,
        finish: str | None = "stop",
        status: int = 200,
        pause_s: float = 0.0,
        usage: dict[str, Any] | None = None,
        message: str = "scripted failure",
        cut: bool = False,
        headers: Mapping[str, str] | None = None,
        thoughts: Sequence[str] = (),
        raw: Sequence[bytes] = (),
    ) -> None:
        self.parts = parts
        self.finish = finish
        self.status = status
        self.pause_s = pause_s
        self.usage = usage
        self.message = message
        self.cut = cut
        self.headers = headers
        self.thoughts = thoughts
        self.raw = raw


def embedding_of(text: str) -> list[float]:
    """The vector of a text: its length and its letters "a" can be read from it."""
    return [3.0 * len(text), 4.0 * text.count("a"), 1.0]


@dataclass(kw_only=True)
class EmbeddingScript:
    """One reply of the embeddings, and how it goes wrong."""

    status: int = 200
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    pause_s: float = 0.0
    vector: Callable[[str], object] = embedding_of
    arranged: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = list


class ScriptedServer:
    """``reply`` turns a request into a text or a ``Script``; ``requests`` holds what was asked.

    ``pages`` are further answers by path, for what servers tell beside the chat; ``refused`` names options
    that are answered by 400; ``loading`` answers everything by 503; ``context_tokens`` is the window, over
    which a request is refused as vLLM does;
    A reply cites passages by their numbers, [1]; the server writes their ids instead, as a model is told to,
    unless ``as_scripted``. ``gone`` counts clients that left in the middle of a reply;
    ``embeddings_status`` is that of the embeddings; ``embeddings`` are their next replies, one a request.
    """

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.requests: list[dict[str, Any]] = []
        self.pages: dict[str, Mapping[str, Any]] = {}
        self.asked: list[str] = []
        self.refused: tuple[str, ...] = ()
        self.context_tokens: int | None = None
        self.embeddings_status = 200
        self.embeddings: list[EmbeddingScript] = []
        self.loading = False
        self.as_scripted = False
        self.gone = 0
        handler = type("Handler", (_Handler,), {"server_script": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def offers(self, *models: str, **told: object) -> None:
        """List these models, each with what is ``told`` of it."""
        self.pages["/v1/models"] = {"object": "list", "data": [{"id": name, **told} for name in models]}

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


def ids_of(request: dict[str, Any]) -> list[str]:
    """The ids of the passages in a request, in their order."""
    given = request["messages"][-1]["content"]
    return re.findall(r"^<<[0-9a-f]{8} (?!end>>)(\w+)>>$", given, re.MULTILINE)


def _with_ids(part: str, ids: Sequence[str]) -> str:
    def id_of(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"{found[1]}{ids[number - 1]}{found[3]}" if 1 <= number <= len(ids) else found[0]

    return re.sub(r"([\[【])(\d{1,3})([\]】])", id_of, part)


def tokens(text: str) -> int:
    """Tokens as a usual model counts them: one a Chinese character, one for four others."""
    wide = sum(char >= "\u2e80" for char in text)
    return wide + (len(text) - wide) // 4


class _Handler(BaseHTTPRequestHandler):
    server_script: ScriptedServer

    def log_message(self, format: str, *arguments: object) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        self._page()

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path in self.server_script.pages:
            self._page()
            return
        self.server_script.requests.append(request)
        if self.path.endswith("/embeddings"):
            self._embeddings(request)
            return
        complaint = Script([], status=503) if self.server_script.loading else self._complaint(request)
        reply = self.server_script.reply(request) if complaint is None else complaint
        script = reply if isinstance(reply, Script) else Script([reply])
        try:
            self._completion(request, script)
        except (BrokenPipeError, ConnectionResetError):
            self.server_script.gone += 1

    def _page(self) -> None:
        self.server_script.asked.append(self.path)
        page = self.server_script.pages.get(self.path)
        if self.server_script.loading:
            self._json({"error": {"message": "Loading model"}}, 503)
            return
        self._json({"error": "no such page"} if page is None else dict(page), 404 if page is None else 200)

    def _complaint(self, request: dict[str, Any]) -> Script | None:
        for name in self.server_script.refused:
            if name in request:
                return Script([], status=400, message=f"Unsupported parameter: {name}")
        window = self.server_script.context_tokens
        limit = request.get("max_tokens") or request.get("max_completion_tokens") or 0
        asked = sum(tokens(message["content"]) for message in request["messages"])
        if window is not None and asked + limit > window:
            return Script([], status=400, message=f"maximum context length is {window}, asked for {asked}")
        return None

    def _completion(self, request: dict[str, Any], script: Script) -> None:
        if script.status != 200:
            time.sleep(script.pause_s)
            error = {"error": {"message": script.message, "type": "x"}}
            self._json(error, script.status, script.headers)
        elif request.get("stream"):
            self._stream(request, script)
        else:
            message = {"role": "assistant", "content": "".join(self._parts(request, script))}
            choice = {"index": 0, "message": message, "finish_reason": script.finish}
            usage = script.usage or {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            self._json(_frame(request, "chat.completion", [choice]) | {"usage": usage})

    def _stream(self, request: dict[str, Any], script: Script) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        if script.cut:
            self.send_header("content-length", "100000")
        self.end_headers()
        for thought in script.thoughts:
            self._delta({"content": None, "reasoning_content": thought})
        for part in self._parts(request, script):
            time.sleep(script.pause_s)
            self._delta({"role": "assistant", "content": part})
        if script.raw:
            for data in script.raw:
                time.sleep(script.pause_s)
                self.wfile.write(data)
                self.wfile.flush()
            return
        if script.finish is not None and not script.cut:
            self._event([{"index": 0, "delta": {}, "finish_reason": script.finish}])
            if script.usage and (request.get("stream_options") or {}).get("include_usage"):
                self._event([], script.usage)
            self.wfile.write(b"data: [DONE]\n\n")

    def _parts(self, request: dict[str, Any], script: Script) -> list[str]:
        ids = [] if self.server_script.as_scripted else ids_of(request)
        return [_with_ids(part, ids) for part in script.parts]

    def _delta(self, delta: dict[str, Any]) -> None:
        self._event([{"index": 0, "delta": delta, "finish_reason": None}])

    def _event(self, choices: list[dict[str, Any]], usage: dict[str, Any] | None = None) -> None:
        frame = _frame({}, "chat.completion.chunk", choices) | ({"usage": usage} if usage else {})
        self.wfile.write(f"data: {json.dumps(frame)}\n\n".encode())
        self.wfile.flush()

    def _embeddings(self, request: dict[str, Any]) -> None:
        scripts = self.server_script.embeddings
        script = scripts.pop(0) if scripts else EmbeddingScript(status=self.server_script.embeddings_status)
        time.sleep(script.pause_s)
        if script.status != 200:
            body = {"error": {"message": "scripted failure", "code": script.code}}
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self._json(body, script.status, script.headers)
            return
        texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
        data = [
            {"index": i, "object": "embedding", "embedding": script.vector(text)}
            for i, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        reply = {"object": "list", "data": script.arranged(data), "model": "m", "usage": usage}
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._json(reply)

    def _json(
        self, value: dict[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, told in (headers or {}).items():
            self.send_header(name, told)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _frame(request: dict[str, Any], kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "x", "object": kind, "created": 1, "model": request.get("model", "m"), "choices": choices}
