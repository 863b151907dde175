"""Files of chats lie where their key says, and no key leads elsewhere."""

from __future__ import annotations

import stat
import uuid
from pathlib import Path

import pytest

from app.history.stored_files import StoredFiles

USER, CHAT, ELEMENT = (str(uuid.UUID(int=n, version=4)) for n in (1, 2, 3))
KEY = f"{USER}/{CHAT}/{ELEMENT}"


async def test_a_file_is_private_and_goes_with_its_chat(tmp_path: Path) -> None:
    files = StoredFiles(tmp_path / "files")
    kept = await files.upload_file(KEY, "内容")
    assert kept == {"object_key": KEY, "url": f"/chat-files/{KEY}"}
    assert files.path(KEY).read_text("utf-8") == "内容"
    assert stat.S_IMODE(files.path(KEY).stat().st_mode) == 0o600
    await files.delete_chat(USER, ELEMENT)
    assert files.path(KEY).exists()
    await files.delete_chat(USER, CHAT)
    assert not files.path(KEY).parent.exists()
    assert await files.delete_file(KEY)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "../../etc/passwd",
        f"{USER}/{CHAT}",
        f"{USER}/{CHAT}/../{ELEMENT}",
        f"{USER}/{CHAT}/{ELEMENT}/x",
        f"/{KEY}",
        f"{KEY}\n",
        f"{USER}/{CHAT}/{ELEMENT.upper().replace('0', 'A')}",
        KEY.replace("/", "\\"),
    ],
)
async def test_no_other_key_leads_anywhere(tmp_path: Path, key: str) -> None:
    files = StoredFiles(tmp_path / "files")
    with pytest.raises(ValueError, match="expected user/chat/element"):
        await files.upload_file(key, b"x")
    for act in (files.get_read_url, files.delete_file):
        with pytest.raises(ValueError, match="expected"):
            await act(key)
    await files.delete_chat("..", "..")
    assert not list(tmp_path.iterdir())
