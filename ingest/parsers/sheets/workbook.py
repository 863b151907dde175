"""An .xlsx file as parts: which sheets there are, their shared texts, their formats, their relations.

Read here with the standard library's XML reader instead of openpyxl's: one pass over a sheet gives values and
formulas together (openpyxl needs a load for each), costs nothing for cells that are only styled, and a style
that some other program wrote oddly does not make the whole file unreadable. Call ``checked_zip`` before: it
refuses document types, so no entity is ever expanded.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO
from xml.etree import ElementTree

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")

# 18.8.30; 14 and 22 follow the reader's machine and are shown the one way nobody misreads.
_BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    41: "#,##0;-#,##0;\"-\"", 42: "#,##0;-#,##0;\"-\"", 43: "#,##0.00;-#,##0.00;\"-\"",
    44: "#,##0.00;-#,##0.00;\"-\"", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    **dict.fromkeys((27, 36, 50, 52, 57), 'yyyy"年"m"月"'),
    **dict.fromkeys((28, 29, 51, 53, 54, 58), 'm"月"d"日"'),
    30: "m-d-yy", 31: 'yyyy"年"m"月"d"日"', 32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"',
    **dict.fromkeys((34, 55), '上午/下午h"时"mm"分"'), **dict.fromkeys((35, 56), '上午/下午h"时"mm"分"ss"秒"'),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPart:
    """A sheet's name, where it stands in the package, and whether a reader has to unhide it first."""

    name: str
    part: str
    hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The number format of a cell and whether it is bold."""

    code: str = "General"
    bold: bool = False


class Workbook:
    """Raises ``KeyError``, ``ValueError``, ``ElementTree.ParseError`` or a zip error for a broken file."""

    def __init__(self, data: bytes) -> None:
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        # Some writers use backslashes or another case than the relations do.
        self._names = {_key(name): name for name in self._zip.namelist()}
        root = self.relations("")
        self._part = next(
            (part for kind, part in root.values() if kind == "officeDocument"), "xl/workbook.xml"
        )
        related = self.relations(self._part)
        tree = self.tree(self._part)
        self.sheets = tuple(_sheets(tree, related))
        self.from_1904 = any(
            element.get("date1904") in ("1", "true") for element in tree if local(element) == "workbookPr"
        )
        parts = dict(related.values())
        self.strings = self._strings(parts.get("sharedStrings", ""))
        self.styles = self._styles(parts.get("styles", ""))
        core = next((part for kind, part in root.values() if kind == "core-properties"), "")
        self.title = self._title(core)

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The relations of a part ("" is the package): id to (last word of the type, target part)."""
        folder, name = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{name}.rels")
        if not self.has(path):
            return {}
        found: dict[str, tuple[str, str]] = {}
        for element in self.tree(path):
            if element.get("TargetMode") == "External":
                continue
            target = element.get("Target", "").replace("\\", "/")
            joined = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            kind = element.get("Type", "").rsplit("/", 1)[-1]
            found[element.get("Id", "")] = kind, posixpath.normpath(joined)
        return found

    def has(self, part: str) -> bool:
        return bool(part) and _key(part) in self._names

    def open(self, part: str) -> IO[bytes]:
        """The bytes of a part. Raises ``KeyError``."""
        return self._zip.open(self._names[_key(part)])

    def read(self, part: str) -> bytes:
        """All bytes of a part. Raises ``KeyError``."""
        return self._zip.read(self._names[_key(part)])

    def tree(self, part: str) -> ElementTree.Element:
        """The root element of a part."""
        with self.open(part) as stream:
            return ElementTree.parse(stream).getroot()

    def _strings(self, part: str) -> list[str]:
        if not self.has(part):
            return []
        texts: list[str] = []
        with self.open(part) as stream:
            for _, element in ElementTree.iterparse(stream):
                if local(element) == "si":
                    texts.append(rich_text(element))
                    element.clear()
        return texts

    def _styles(self, part: str) -> list[Style]:
        if not self.has(part):
            return []
        groups = {local(element): element for element in self.tree(part)}
        own = {e.get("numFmtId"): e.get("formatCode", "General") for e in groups.get("numFmts", ())}
        fonts = [any(_is_bold(child) for child in font) for font in groups.get("fonts", ())]
        styles: list[Style] = []
        for element in groups.get("cellXfs", ()):
            number, font = element.get("numFmtId", "0"), int(element.get("fontId", "0"))
            code = own.get(number) or _BUILT_IN.get(int(number), "General")
            styles.append(Style(code=code, bold=fonts[font] if font < len(fonts) else False))
        return styles

    def _title(self, part: str) -> str:
        if not self.has(part):
            return ""
        return next((e.text or "" for e in self.tree(part) if local(e) == "title"), "")


def local(element: ElementTree.Element) -> str:
    """The element's name without its namespace: strict and transitional files differ only there."""
    return element.tag.rpartition("}")[2]


def rich_text(element: ElementTree.Element) -> str:
    """The text of runs, without the readings printed above East Asian characters."""
    return unescaped("".join(_texts(element)))


def unescaped(text: str) -> str:
    """``_x000D_`` and the like as the characters they stand for."""
    return _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), text) if "_x" in text else text


def _texts(element: ElementTree.Element) -> Iterator[str]:
    for child in element:
        name = local(child)
        if name == "t":
            yield child.text or ""
        elif name != "rPh":
            yield from _texts(child)


def _sheets(tree: ElementTree.Element, related: dict[str, tuple[str, str]]) -> Iterator[SheetPart]:
    for element in tree.iter():
        if local(element) != "sheet":
            continue
        key = next((value for name, value in element.items() if name.endswith("}id")), "")
        kind, part = related.get(key, ("", ""))
        if kind == "worksheet":
            hidden = element.get("state", "visible") != "visible"
            yield SheetPart(name=unescaped(element.get("name", "")), part=part, hidden=hidden)


def _is_bold(element: ElementTree.Element) -> bool:
    return local(element) == "b" and element.get("val", "1") not in ("0", "false")


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()
