"""Writes small Outlook files: a compound file ([MS-CFB], version 3) with the storages of [MS-OXMSG]."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

SECTOR, MINI = 512, 64
END, FREE, FAT_SECTOR, NOBODY = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
UNICODE, STRING8, BINARY = 0x001F, 0x001E, 0x0102


@dataclass
class Folder:
    """A storage; values are streams or storages."""

    entries: dict[str, bytes | Folder] = field(default_factory=dict)

    def text(self, pid: int, value: str) -> Folder:
        self.entries[f"__substg1.0_{pid:04X}001F"] = value.encode("utf-16-le")
        return self

    def data(self, pid: int, kind: int, value: bytes) -> Folder:
        self.entries[f"__substg1.0_{pid:04X}{kind:04X}"] = value
        return self

    def properties(self, header: int, *numbers: tuple[int, int, int]) -> Folder:
        """The stream of properties: id, type and value of each."""
        rows = b"".join(struct.pack("<HHIQ", kind, pid, 6, value) for pid, kind, value in numbers)
        self.entries["__properties_version1.0"] = bytes(header) + rows
        return self


def mail(*numbers: tuple[int, int, int], header: int = 32) -> Folder:
    return Folder().properties(header, *numbers)


def attachment(name: str, content: bytes | Folder) -> Folder:
    made = Folder().properties(8).text(0x3707, name)
    if isinstance(content, Folder):
        made.entries["__substg1.0_3701000D"] = content
        return made
    return made.data(0x3701, BINARY, content)


def compound(root: Folder) -> bytes:
    """The file. All streams go to the mini stream, so each must be below 4,096 bytes."""
    rows: list[list[object]] = [["Root Entry", 5, NOBODY, NOBODY, 0, 0]]
    mini = bytearray()
    mini_fat: list[int] = []

    def add(folder: Folder, parent: int) -> None:
        before: int | None = None
        for name, content in folder.entries.items():
            sid = len(rows)
            is_stream = isinstance(content, bytes)
            rows.append([name, 2 if is_stream else 1, NOBODY, NOBODY, 0, 0])
            if before is None:
                rows[parent][3] = sid
            else:
                rows[before][2] = sid
            before = sid
            if isinstance(content, bytes):
                assert len(content) < 4096
                first, count = len(mini) // MINI, max(-(-len(content) // MINI), 1)
                rows[sid][4], rows[sid][5] = first, len(content)
                mini.extend(content.ljust(count * MINI, b"\0"))
                mini_fat.extend([*range(first + 1, first + count), END])
            else:
                add(content, sid)

    add(root, 0)
    directory = b""
    for name, kind, right, child, start, size in rows:
        encoded = (str(name) + "\0").encode("utf-16-le")
        directory += encoded.ljust(64, b"\0") + struct.pack(
            "<HBBIII16sIQQIQ", len(encoded), kind, 1, NOBODY, right, child, b"", 0, 0, 0, start, size
        )
    return _assembled(bytearray(directory), bytes(mini), mini_fat)


def _assembled(directory: bytearray, mini: bytes, mini_fat: list[int]) -> bytes:
    def sectors(data: bytes) -> int:
        return -(-len(data) // SECTOR)

    mini_table = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    sizes = [sectors(bytes(directory)), sectors(mini_table), sectors(mini)]
    fat_sectors = -(-(sum(sizes) + 2) // 128)
    starts = [fat_sectors, fat_sectors + sizes[0], fat_sectors + sizes[0] + sizes[1]]
    # The root entry points to the mini stream.
    struct.pack_into("<IQ", directory, 116, starts[2], len(mini))
    fat = [FAT_SECTOR] * fat_sectors
    for start, size in zip(starts, sizes, strict=True):
        fat += [*range(start + 1, start + size), END] if size else []
    fat += [FREE] * (fat_sectors * 128 - len(fat))
    header = struct.pack(
        "<8s16sHHHHH6sIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"", 0, fat_sectors, starts[0], 0,
        4096, starts[1], sizes[1], END, 0,
    ) + struct.pack("<109I", *range(fat_sectors), *[FREE] * (109 - fat_sectors))  # fmt: skip
    parts = [struct.pack(f"<{len(fat)}I", *fat), bytes(directory), mini_table, mini]
    return header + b"".join(part.ljust(-(-len(part) // SECTOR) * SECTOR, b"\0") for part in parts)
