"""A real HTTP server that speaks the rerank protocol and replies by script."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Rows = list[dict[str, Any]]


@dataclass(kw_only=True)
class RerankScript:
    """One reply, and how it goes wrong; ``body`` replaces the whole of it."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause_s: float = 0.0
    arranged: Callable[[Rows], Any] = lambda rows: {"results": rows}
    body: str | None = None


def score_of(text: str) -> float:
    """The score of a text: its length can be read from it."""
    return len(text) / 10


class RerankEndpoint:
    """``scripts`` are the next replies, one a request; ``requests`` holds path, headers (lower case) and body."""

    def __init__(self) -> None:
        self.scripts: list[RerankScript] = []
        self.requests: list[tuple[str, Mapping[str, str], dict[str, Any]]] = []
        handler = type("Handler", (_Handler,), {"endpoint": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    endpoint: RerankEndpoint

    def log_message(self, format: str, *arguments: object) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.endpoint.requests.append((self.path, headers, request))
        script = self.endpoint.scripts.pop(0) if self.endpoint.scripts else RerankScript()
        time.sleep(script.pause_s)
        rows = [
            {"index": index, "relevance_score": score_of(text)}
            for index, text in enumerate(request["documents"])
        ]
        rows.sort(key=lambda row: -row["relevance_score"])
        if script.status != 200:
            # Some servers repeat the key in their complaint.
            body = json.dumps({"error": {"message": f"scripted failure {self.headers['authorization']}"}})
        else:
            body = json.dumps(script.arranged(rows)) if script.body is None else script.body
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(script.status)
            for name, told in script.headers.items():
                self.send_header(name, told)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())
