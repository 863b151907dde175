"""A user of the chat without a browser: what a browser sends, and everything that comes back."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import socketio

PATIENCE_S = 60.0


@dataclass(slots=True)
class Window:
    """One open window of the chat. ``events`` holds all that the server sent, in order."""

    client: socketio.AsyncClient
    session_id: str
    events: list[tuple[str, Any]] = field(default_factory=list)

    async def ask(self, text: str, *files: str) -> list[tuple[str, Any]]:
        """What came back, from the question until the answer is complete."""
        before = len(self.events)
        message = {"id": str(uuid.uuid4()), "name": "user", "type": "user_message", "output": text}
        message["createdAt"] = "2026-01-01T00:00:00Z"
        references = [{"id": file_id} for file_id in files]
        await self.client.emit("client_message", {"message": message, "fileReferences": references})
        await self.wait_for("task_end", before)
        # Told by a task of its own, once for each window.
        await self.wait_for("first_interaction")
        return self.events[before:]

    async def wait_for(self, name: str, after: int = 0) -> Any:
        """The first event of that name behind the first ``after`` ones."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for event, value in self.events[after:]:
                    if event == name:
                        return value
                await asyncio.sleep(0.02)

    async def wait_for_words(self, words: str) -> None:
        """Until something came that says these words."""
        async with asyncio.timeout(PATIENCE_S):
            while words not in self.text():
                await asyncio.sleep(0.02)

    async def opened(self) -> None:
        """The chat has told all that it tells at its start: the end of that is not taken for an answer's."""
        await self.wait_for("set_commands")
        told = [event for event, _ in self.events].index("set_commands")
        await self.wait_for("task_end", told)

    @property
    def thread_id(self) -> str:
        """The chat's id, once something was said."""
        return next(str(value["thread_id"]) for event, value in self.events if event == "first_interaction")

    def text(self) -> str:
        """Everything that came, as one text in which Chinese can be searched."""
        return json.dumps(self.events, ensure_ascii=False)


@dataclass(slots=True)
class Visitor:
    """A browser with its cookies; ``name`` empty: nobody logged in."""

    url: str
    http: httpx.AsyncClient

    async def log_in(self, name: str, password: str) -> int:
        reply = await self.http.post("/login", data={"username": name, "password": password})
        return reply.status_code

    @asynccontextmanager
    async def window(
        self, thread_id: str = "", session_id: str = "", profile: str = ""
    ) -> AsyncIterator[Window]:
        """Raises ``socketio.exceptions.ConnectionError`` when the server refuses."""
        client = socketio.AsyncClient(reconnection=False)
        made = Window(client=client, session_id=session_id or str(uuid.uuid4()))

        async def note(event: str, *values: Any) -> None:
            made.events.append((event, values[0] if values else None))

        client.on("*", note)
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        auth = {"sessionId": made.session_id, "clientType": "webapp", "userEnv": "{}"}
        auth |= {"chatProfile": quote(profile)} if profile else {}
        await client.connect(
            self.url,
            socketio_path="/ws/socket.io",
            transports=["websocket"],
            headers={"Cookie": cookies, "Accept-Language": "zh-CN"} if cookies else {},
            auth=auth | ({"threadId": thread_id} if thread_id else {}),
            wait_timeout=PATIENCE_S,
        )
        try:
            await client.emit("connection_successful")
            if not session_id:
                await made.opened()
            yield made
        finally:
            await client.disconnect()

    async def upload(
        self, window: Window, name: str, data: bytes, media_type: str = "text/plain"
    ) -> httpx.Response:
        return await self.http.post(
            "/project/file",
            params={"session_id": window.session_id},
            files={"file": (name, data, media_type)},
        )

    async def act(self, window: Window, name: str, payload: dict[str, object]) -> httpx.Response:
        action = {"id": str(uuid.uuid4()), "name": name, "payload": payload, "label": "", "tooltip": ""}
        return await self.http.post(
            "/project/action", json={"sessionId": window.session_id, "action": action}
        )


@asynccontextmanager
async def visiting(url: str) -> AsyncIterator[Visitor]:
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        yield Visitor(url=url, http=http)
