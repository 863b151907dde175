"""The words of a line of HTML: white space as CSS has it, and what small elements show of themselves."""

from __future__ import annotations

import re
from typing import Final

from ingest.parsers.web.tree import Element

# CSS collapses these (https://www.w3.org/TR/css-text-3/#white-space-phase-1); a fixed space reads the same.
_SPACES: Final = re.compile(r"[ \t\f\u00a0]+")
# A line of source ends: a space, but nothing at all between characters that are written without spaces.
_SOURCE_BREAK: Final = re.compile(r"[ \t\f]*[\n\r][ \t\n\r\f]*")
_WIDE: Final = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003134f]"
_WIDE_BREAK: Final = re.compile(rf"(?<={_WIDE})\x03+(?={_WIDE})")
_RUN: Final = re.compile(r"  +")
_AROUND_BREAK: Final = re.compile(r" *\n *")
_EMPTY_LINES: Final = re.compile(r"\n{2,}")
# Nothing is seen of them, and words around or inside them would not be found.
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\u00ad\u200b\u2060\ufeff]")
# Stand for a kept space and tab until the line is done.
_KEPT: Final = str.maketrans({" ": "\x01", "\u00a0": "\x01", "\t": "\x02"})
_GIVEN_BACK: Final = str.maketrans({"\x01": " ", "\x02": "\t"})
_SUPERSCRIPTS: Final = dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
_SUBSCRIPTS: Final = dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))
# Written high without being a power: 1st, Mlle, XIXe, brand names.
_RAISED_WORDS: Final = re.compile(
    r"(?:st|nd|rd|th|er|re|e|ère|ème|o|a|lle|me|mr|tm|sm|[^\w\s]+)", re.IGNORECASE
)
_FILE_NAME: Final = re.compile(r"\S*\.(?:png|jpe?g|gif|svg|webp|bmp|ico|tiff?|avif)", re.IGNORECASE)
_SAYS_NOTHING: Final = frozenset(
    [
        "image", "img", "photo", "picture", "pic", "icon", "logo", "avatar", "thumbnail", "thumb",
        "banner", "spacer", "blank", "placeholder", "loading", "figure", "cover", "untitled",
        "null", "undefined", "图片", "图像", "图标", "照片", "封面", "头像",
    ]
)  # fmt: skip
# Apart from each other on the page, though nothing stands between them in the source.
SPACED: Final = frozenset({"button", "label", "option", "select", "textarea", "legend"})
# Pixels; smaller pictures are signs to click on.
_ICON_SIDE: Final = 24
_ATOMS: Final = frozenset({"sup", "sub", "math", "q", "ruby", "input", "a"})
_LINE_BLOCKS: Final = frozenset(
    [
        "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "td", "th", "table", "caption", "ul",
        "ol", "dl", "dt", "dd", "section", "article", "header", "footer", "blockquote", "pre",
        "figure", "figcaption", "br", "hr", "address", "details", "summary", "form", "center",
    ]
)  # fmt: skip


class Flow:
    """Collects the words of a block and gives them back with their white space collapsed."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def add(self, text: str, *, preserve: bool = False) -> None:
        """More text; with ``preserve`` its white space stays, as in ``white-space: pre-wrap``."""
        text = _UNSEEN.sub("", text)
        if preserve:
            self._parts.append(text.replace("\r\n", "\n").translate(_KEPT))
        else:
            self._parts.append(_SPACES.sub(" ", _SOURCE_BREAK.sub("\x03", text)))

    def break_line(self) -> None:
        """The line ends here."""
        self._parts.append("\n")

    def take(self) -> list[str]:
        """The paragraphs collected, parted where two lines or more were broken; the flow is empty then."""
        if not self._parts:
            return []
        text = "".join(self._parts)
        if "\x03" in text:
            text = _WIDE_BREAK.sub("", text).replace("\x03", " ")
        text = _AROUND_BREAK.sub("\n", _RUN.sub(" ", text))
        self._parts.clear()
        paragraphs = (part.strip() for part in _EMPTY_LINES.split(text))
        return [part.translate(_GIVEN_BACK).rstrip() for part in paragraphs if part]


def line_of(element: Element) -> str:
    """All words inside on one line; list items keep their marks, blocks are apart by a space."""
    children = element.children
    if len(children) == 1 and isinstance(children[0], str) and "\n" not in children[0]:
        return " ".join(_UNSEEN.sub("", children[0]).split())
    flow = Flow()
    _add(element, flow)
    return " ".join(" ".join(flow.take()).split())


def _add(element: Element, flow: Flow) -> None:
    number = 0
    for child in element.children:
        if isinstance(child, str):
            flow.add(child)
            continue
        atom = atom_of(child)
        if atom is not None:
            flow.add(atom)
        elif child.tag == "img":
            flow.add(picture_words(child))
        elif child.tag == "li":
            number += 1
            flow.add(f" {number}. " if element.tag == "ol" else " • ")
            _add(child, flow)
            flow.add(" ")
        else:
            apart = " " if child.tag in _LINE_BLOCKS or child.tag in SPACED else ""
            flow.add(apart)
            _add(child, flow)
            flow.add(apart)


def verbatim_text(element: Element) -> str:
    """The characters inside as they stand, lines kept, however the page marks them."""
    parts: list[str] = []
    for child in element.children:
        if isinstance(child, str):
            parts.append(child.replace("\r\n", "\n").replace("\u00a0", " "))
        elif child.tag == "br":
            parts.append("\n")
        else:
            inner = verbatim_text(child)
            ended = not parts or parts[-1].endswith("\n")
            is_line = child.tag in ("div", "p", "tr", "li")
            parts.append(("" if ended or not is_line else "\n") + inner)
            if is_line and not inner.endswith("\n"):
                parts.append("\n")
    return "".join(parts)


def atom_of(element: Element) -> str | None:
    """What an element shows that is read as one sign or formula; ``None`` for all others."""
    tag = element.tag
    if tag not in _ATOMS:
        return None
    if tag in ("sup", "sub"):
        return _shifted(element)
    if tag == "math":
        return _formula(element)
    if tag == "q":
        return f"“{line_of(element)}”"
    if tag == "ruby":
        return _annotated(element)
    if tag == "input" and element.get("type").lower() in ("checkbox", "radio") and not element.get("role"):
        return "☑ " if "checked" in element.attributes else "☐ "
    if tag == "a" and (element.words("epub:type") | element.words("role")) & {"noteref", "doc-noteref"}:
        line = line_of(element)
        return line if element.has("sup") else _raised(line, _SUPERSCRIPTS, "")
    return None


def picture_words(image: Element) -> str:
    """The text that stands for a picture, or nothing when it says nothing."""
    words = " ".join(image.get("alt").split())
    if is_formula_picture(image):
        return _tex(words)
    folded = words.lower().strip(" .:：!。")
    if not any(char.isalnum() for char in words):
        # Emoji are pictures in many a forum.
        return words
    sides = [int(side) for side in (image.get("width"), image.get("height")) if side.isdecimal()]
    if len(folded) < 2 or min(sides, default=99) <= _ICON_SIDE or _FILE_NAME.fullmatch(folded):
        return ""
    if set(folded.split()) <= _SAYS_NOTHING:
        return ""
    return words


def is_formula_picture(image: Element) -> bool:
    """Whether the picture is a formula inside a line of text."""
    return "mwe-math-fallback-image" in image.get("class") or image.get("alt").startswith("{\\displaystyle")


def drop_note_marks(root: Element) -> int:
    """Takes out raised marks such as "[1]" that lead to a note of the page; returns how many there were.

    Beside an answer with citations of its own they would be taken for these.
    """
    count = 0
    if not root.has("sup"):
        return count
    for element in [root, *root.all()]:
        marks = [child for child in element.elements() if _is_note_mark(child)]
        if marks:
            count += len(marks)
            element.children = [child for child in element.children if child not in marks]
    return count


def _is_note_mark(element: Element) -> bool:
    if element.tag != "sup":
        return False
    words = element.words("class")
    if words & {"reference", "inline-template"}:
        return True
    linked = any(link.get("href").startswith("#") for link in element.all("a"))
    return linked and re.fullmatch(r"\s*\[[^\[\]]{1,12}\]\s*", element.text()) is not None


def _shifted(element: Element) -> str:
    text = line_of(Element("span", {}, element.children))
    if element.tag == "sup":
        return _raised(text, _SUPERSCRIPTS, "^")
    return _raised(text, _SUBSCRIPTS, "_")


def _raised(text: str, signs: dict[str, str], mark: str) -> str:
    """Raised or lowered digits as such: 10 to the power of 6 must not be read as 106."""
    if not text:
        return ""
    if all(char in signs for char in text):
        return "".join(signs[char] for char in text)
    if not mark or not text[0].isalnum() or (mark == "^" and _RAISED_WORDS.fullmatch(text)):
        return text
    return f"{mark}{text}" if text.isalnum() and text.isascii() else text


def _formula(element: Element) -> str:
    """TeX when the page has it, else the signs in their order."""
    for note in element.all("annotation"):
        if "tex" in note.get("encoding").lower():
            return _tex(note.text())
    return _tex(element.get("alttext")) or "".join(
        _UNSEEN.sub("", child.text()).strip() for child in element.all("mi", "mn", "mo", "mtext", "ms")
    )


def _tex(source: str) -> str:
    found = re.fullmatch(r"\s*\{\\displaystyle\s*(.*)\}\s*", source, re.DOTALL)
    return " ".join((found.group(1) if found else source).split())


def _annotated(element: Element) -> str:
    """Ruby: the reading stands in brackets behind its base."""
    flow = Flow()
    bracketed = element.has("rp")
    for child in element.children:
        if isinstance(child, str):
            flow.add(child)
        elif child.tag == "rt" and not bracketed:
            flow.add(f"（{line_of(child)}）")
        else:
            flow.add(line_of(child))
    return " ".join(flow.take())
