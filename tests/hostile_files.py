"""Files that nobody means well with, made from a seed: the same seed gives the same files on any machine."""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from random import Random

from tests.support import HANDBOOK, MANUAL, pdf_bytes

Hostile = tuple[str, bytes]


def hostile_files(seed: int, count: int) -> Iterator[Hostile]:
    """``count`` names and contents, every kind in turn."""
    random = Random(seed)
    good = good_files()
    kinds = (_cut, _flipped, _flipped, _cut, _misnamed, _bomb, _encoded, _odd, _named)
    for number in range(count):
        name, data = kinds[number % len(kinds)](random, good)
        yield f"{number:04d}-{name}" if not name.startswith(".") else f"{number:04d}{name}", data


def good_files() -> list[Hostile]:
    """Small files that are sound, one of each format that the tests can write themselves."""
    import docx
    import openpyxl
    import pptx

    document, workbook, slides = docx.Document(), openpyxl.Workbook(), pptx.Presentation()
    document.add_heading("手册", 1)
    document.add_paragraph("员工工作满一年的，每年享受5天年休假。")
    workbook.active.append(["城市", "标准"])
    workbook.active.append(["北京", 400])
    slides.slides.add_slide(slides.slide_layouts[0]).shapes.title.text = "手册"
    office = []
    for name, made in (("a.docx", document), ("a.xlsx", workbook), ("a.pptx", slides)):
        file = io.BytesIO()
        made.save(file)
        office.append((name, file.getvalue()))
    mail = f"From: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nSubject: x\n\n{MANUAL}"
    return [
        ("a.pdf", pdf_bytes("<p>每年享受5天年休假。</p>")),
        *office,
        ("a.zip", _zipped(("in/a.md", HANDBOOK.encode()), ("b.txt", MANUAL.encode()))),
        ("a.md", HANDBOOK.encode()),
        ("a.txt", MANUAL.encode()),
        ("a.html", f"<html><body><h1>x</h1><p>{MANUAL}</p></body></html>".encode()),
        ("a.csv", "城市,标准\n北京,400\n".encode()),
        ("a.json", b'{"a": [1, {"b": "c"}]}'),
        ("a.eml", mail.encode()),
        ("a.rtf", b"{\\rtf1\\ansi text\\par}"),
        ("a.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n"),
        ("a.png", _png()),
    ]


def _cut(random: Random, good: list[Hostile]) -> Hostile:
    name, data = random.choice(good)
    return name, data[: random.randrange(len(data))]


def _flipped(random: Random, good: list[Hostile]) -> Hostile:
    name, data = random.choice(good)
    changed = bytearray(data)
    for _ in range(random.choice((1, 3, 30))):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return name, bytes(changed)


def _misnamed(random: Random, good: list[Hostile]) -> Hostile:
    extensions = [name.rpartition(".")[2] for name, _ in good] + ["doc", "exe", "msg", "epub", ""]
    return f"a.{random.choice(extensions)}".rstrip("."), random.choice(good)[1]


def _bomb(random: Random, good: list[Hostile]) -> Hostile:
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    xml = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{laughs}]><x>&e9;</x>'.encode()
    content = ("[Content_Types].xml", b"<Types/>")
    kinds: tuple[Callable[[], Hostile], ...] = (
        lambda: ("a.zip", _zipped(("a.md", bytes(60_000_000)))),
        lambda: ("a.docx", _zipped(content, ("word/document.xml", b"<x>" + b" " * 60_000_000))),
        lambda: ("a.docx", _zipped(content, ("word/document.xml", xml))),
        lambda: ("a.xlsx", _zipped(content, ("xl/workbook.xml", xml))),
        lambda: ("a.svg.html", xml),
        lambda: (
            "a.zip",
            _zipped(("a.zip", _zipped(("a.zip", _zipped(("a.zip", _zipped(("a.md", b"x")))))))),
        ),
        lambda: ("a.zip", _zipped(*((f"{n}.md", b"") for n in range(5001)))),
        lambda: ("a.pdf", _pdf_bomb()),
    )
    return random.choice(kinds)()


def _encoded(random: Random, good: list[Hostile]) -> Hostile:
    encoding = random.choice(
        ("gb18030", "utf-16", "utf-16-le", "utf-32", "utf-7", "hz", "utf-8-sig", "cp037")
    )
    data = HANDBOOK.encode(encoding, "replace")
    garbled = data[:1] + data if random.random() < 0.5 else data + b"\xff\xfe\x00"
    return random.choice(("a.txt", "a.md", "a.csv", "a.html", "a")), garbled


def _odd(random: Random, good: list[Hostile]) -> Hostile:
    kinds: tuple[Callable[[], Hostile], ...] = (
        lambda: ("a.json", b"[" * 100_000),
        lambda: ("a.html", b"<div>" * 10_000),
        lambda: ("a.md", b"> " * 50_000 + b"x"),
        lambda: ("a.md", b"[" * 50_000),
        lambda: ("a.csv", b'"' * 99_999),
        lambda: ("a.csv", b"a," * 50_000),
        lambda: ("a.txt", "\u200b\ufeff \n".encode() * 99),
        lambda: ("a.txt", b"x" * 300_000),
        lambda: ("a.rtf", b"{\\rtf1" + b"{" * 50_000),
        lambda: (
            "a.eml",
            b"From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n" * 500,
        ),
        lambda: ("a.vtt", b"WEBVTT\n\n99:99:99.999 --> 00:00:00.000\n"),
        lambda: ("a.png", _png(2_000_000_000, 2_000_000_000)),
        lambda: ("a.pdf", random.randbytes(5_000)),
        lambda: ("a.docx", random.randbytes(5_000)),
        lambda: ("a", random.randbytes(5_000)),
    )
    return random.choice(kinds)()


def _named(random: Random, good: list[Hostile]) -> Hostile:
    """A zip, for names that no disk would take."""
    name = "".join(random.choice("../\\\0:\u202e\u200f\n a年\x7f") for _ in range(random.randrange(1, 300)))
    # An empty name is more than zipfile can write.
    name = "n" + name if name.startswith("\0") else name
    return "a.zip", _zipped((name + "x.md", MANUAL.encode()), (f"{name}/", b""), ("." + name, b"x"))


def _zipped(*entries: Hostile) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        warnings.simplefilter("ignore", UserWarning)
        for name, data in entries:
            made.writestr(name, data)
    return file.getvalue()


def _png(width: int = 2, height: int = 2) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    header = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 0, 0, 0, 0])
    rows = zlib.compress(b"\0\0\0" * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _pdf_bomb() -> bytes:
    """A page whose content unpacks to 60 MB of blanks."""
    content = zlib.compress(b" " * 60_000_000)
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(content), content),
    )
    body = b"".join(b"%d 0 obj%s endobj\n" % (n, o) for n, o in enumerate(objects, start=1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"
