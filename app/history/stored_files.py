"""Files of chats, kept under ``YOUJU_HOME`` by user and chat."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any, Final

import anyio
from chainlit.data.storage_clients.base import BaseStorageClient

from app.login.private_file import copy_private, write_private

# User, chat, element: each an id that this program or Chainlit made.
_ID: Final = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_KEY: Final = re.compile(f"({_ID})/({_ID})/({_ID})")
_ONE: Final = re.compile(_ID)
ADDRESS: Final = "/chat-files"


def is_id(text: str) -> bool:
    """Whether the text is an id as the tables and files use it."""
    return _ONE.fullmatch(text) is not None


class StoredFiles(BaseStorageClient):
    """Chainlit's storage client over a folder. A key is ``user/chat/element``; others raise ``ValueError``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        """Where the file of that key lies, whether it is there or not."""
        if _KEY.fullmatch(key) is None:
            raise ValueError(f"expected user/chat/element, got {key!r}")
        return self._folder / key

    async def upload_file(
        self,
        object_key: str,
        data: bytes | str,
        mime: str = "application/octet-stream",
        overwrite: bool = True,
        content_disposition: str | None = None,
    ) -> dict[str, Any]:
        content = data.encode() if isinstance(data, str) else data
        await anyio.to_thread.run_sync(write_private, self.path(object_key), content)
        return {"object_key": object_key, "url": await self.get_read_url(object_key)}

    async def keep(self, key: str, source: str) -> None:
        """Copy a file of a session, which goes when the session ends."""
        target = self.path(key)
        await anyio.to_thread.run_sync(copy_private, Path(source), target)

    async def delete_file(self, object_key: str) -> bool:
        path = self.path(object_key)
        await anyio.to_thread.run_sync(lambda: path.unlink(missing_ok=True))
        return True

    async def delete_chat(self, user_id: str, thread_id: str) -> None:
        """Delete all files of a chat."""
        if is_id(user_id) and is_id(thread_id):
            folder = self._folder / user_id / thread_id
            await anyio.to_thread.run_sync(lambda: shutil.rmtree(folder, ignore_errors=True))

    async def get_read_url(self, object_key: str) -> str:
        """The address at which ``reading.py`` shows it, to its user alone."""
        self.path(object_key)
        return f"{ADDRESS}/{object_key}"

    async def close(self) -> None:
        """Nothing stays open."""
