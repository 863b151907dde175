"""The words of one paragraph: what Word shows of its runs, fields, changes and notes, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from ingest.parsers.docx.drawing import Attached, Note, attachments
from ingest.parsers.docx.math import equation_field, linear
from ingest.parsers.docx.seen import Ground, is_seen
from ingest.parsers.docx.styles import Look, Styles
from ingest.parsers.docx.xml import MC, M, W, chosen, find, number, switch, value
from ingest.parsers.symbols import UNKNOWN, readable, symbol

_PIECES: Final = {
    W + "tab": "\t", W + "ptab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-",
    W + "softHyphen": "",
}  # fmt: skip
_NOTES: Final = {W + "footnoteReference": "footnotes", W + "endnoteReference": "endnotes"}
_REMOVED: Final = frozenset((W + "del", W + "moveFrom"))
_ADDED: Final = frozenset((W + "ins", W + "moveTo"))
_KEPT_TEXTS: Final = (W + "t", M + "t")
_REMOVED_TEXTS: Final = (*_KEPT_TEXTS, W + "delText")
# A raised number carries meaning (10⁶, m²); a lowered one reads the same on the line (H2O).
_RAISED: Final = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
_CONTENTS: Final = "TOC"


@dataclass(slots=True)
class Words:
    """What one paragraph says. ``attached`` hangs on it: notes, boxes and pictures, in order."""

    text: str = ""
    bold: bool = False
    attached: list[Attached] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What was met and is not in the text as it stands; numbers of characters."""

    hidden: int = 0
    inserted: int = 0
    deleted: int = 0
    contents: int = 0


@dataclass(slots=True)
class _Field:
    code: str = ""
    shows: bool = False
    result: bool = False

    @property
    def name(self) -> str:
        return (self.code.split() or [""])[0].upper()


@dataclass(slots=True)
class _Line:
    """A paragraph while it is read."""

    base: Look
    ground: Ground
    parts: list[str] = field(default_factory=list)
    attached: list[Attached] = field(default_factory=list)
    bold: int = 0
    length: int = 0


class WordReader:
    """Reads paragraphs one after the other; fields may begin in one and end in another."""

    def __init__(self, styles: Styles) -> None:
        self.tally = Tally()
        self._styles = styles
        self._fields: list[_Field] = []
        self._marks: dict[tuple[str, str], str] = {}

    def read(self, paragraph: Element, base: Look, ground: Ground, *, verbatim: bool = False) -> Words:
        """The words of ``w:p``, whose style draws characters as ``base`` on ``ground``.

        Spaces at the ends of lines are dropped, except from a ``verbatim`` paragraph (code).
        """
        line = _Line(base, ground)
        self._inline(paragraph, line)
        text = "".join(line.parts)
        if not verbatim:
            text = "\n".join(part.strip(" \u3000\r") for part in text.strip().split("\n")).strip()
        return Words(text, 0 < line.length == line.bold, line.attached)

    def close_fields(self) -> None:
        """Forget fields that were begun and never ended, so that they hide nothing further on."""
        self._fields.clear()

    def _inline(self, container: Element, line: _Line) -> None:
        for child in container:
            self._piece(child, line)

    def _piece(self, child: Element, line: _Line) -> None:
        tag = child.tag
        if tag == W + "r":
            self._run(child, line)
        elif tag in _REMOVED:
            self.tally.deleted += length_of(child, _REMOVED_TEXTS)
        elif tag == M + "oMath":
            gap = (
                " " if line.parts and line.parts[-1][-1:].isascii() and line.parts[-1][-1:].isalnum() else ""
            )
            self._emit(gap + linear(child), line, line.base)
        elif tag == W + "fldSimple":
            self._fields.append(_Field(child.get(W + "instr", ""), shows=True))
            self._inline(child, line)
            self._fields.pop()
        elif tag == MC + "AlternateContent":
            for inner in chosen(child):
                self._piece(inner, line)
        elif isinstance(tag, str) and not tag.endswith("Pr"):
            if tag in _ADDED:
                self.tally.inserted += length_of(child, _KEPT_TEXTS)
            self._inline(child, line)

    def _run(self, run: Element, line: _Line) -> None:
        rpr = run.find(W + "rPr")
        look = Look.of(rpr).over(self._styles.look(value(rpr, "rStyle"))).over(line.base)
        raised = value(rpr, "vertAlign") == "superscript"
        font = value(rpr, "rFonts", "ascii") or ""
        for child in run:
            if child is rpr:
                continue
            if child.tag == W + "t":
                text = readable(child.text or "", font)
                self._emit(_raised(text) if raised else text, line, look)
            else:
                self._run_piece(child, line, look)

    def _run_piece(self, child: Element, line: _Line, look: Look) -> None:
        tag = child.tag
        if tag in _PIECES:
            self._emit(_PIECES[tag], line, look)
        elif tag == W + "instrText":
            if self._fields:
                self._fields[-1].code += child.text or ""
        elif tag == W + "fldChar":
            self._field_mark(child, line, look)
        elif tag == W + "sym":
            self._emit(_sign(child), line, look)
        elif tag in _NOTES:
            self._note(_NOTES[tag], child.get(W + "id", ""), line, look)
        elif tag == W + "ruby":
            self._ruby(child, line)
        elif tag == MC + "AlternateContent":
            for inner in chosen(child):
                self._run_piece(inner, line, look)
        elif not look.hidden and self._shown():
            line.attached.extend(attachments(child, line.ground))

    def _field_mark(self, mark: Element, line: _Line, look: Look) -> None:
        kind = value(mark, "", "fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
            self._emit_form(mark, line, look)
        elif self._fields and kind == "separate":
            self._fields[-1].shows = True
        elif self._fields and kind == "end":
            ended = self._fields.pop()
            if ended.name == "EQ" and not ended.result:
                self._emit(equation_field(ended.code), line, look)

    def _emit_form(self, mark: Element, line: _Line, look: Look) -> None:
        """Old form fields: a box to tick, or a list whose choice stands nowhere else."""
        data = mark.find(W + "ffData")
        opened = self._fields.pop()
        box, choice = find(data, "checkBox"), find(data, "ddList")
        if box is not None:
            ticked = switch(box, "checked")
            self._emit("☒" if (switch(box, "default") if ticked is None else ticked) else "☐", line, look)
        elif choice is not None:
            entries = [value(entry) or "" for entry in choice.findall(W + "listEntry")]
            at = number(choice, "result") or 0
            self._emit(entries[at] if 0 <= at < len(entries) else "", line, look)
        self._fields.append(opened)

    def _ruby(self, ruby: Element, line: _Line) -> None:
        """The words with their reading in brackets behind them."""
        for name, brackets in (("rubyBase", ("", "")), ("rt", ("(", ")"))):
            part = ruby.find(W + name)
            if part is not None:
                self._emit(brackets[0], line, line.base)
                self._inline(part, line)
                self._emit(brackets[1], line, line.base)

    def _note(self, kind: str, note_id: str, line: _Line, look: Look) -> None:
        if look.hidden or not self._shown():
            return
        first = (kind, note_id) not in self._marks
        if first:
            count = sum(1 for one, _ in self._marks if one == kind) + 1
            self._marks[kind, note_id] = f"[^{'e' if kind == 'endnotes' else ''}{count}]"
        mark = self._marks[kind, note_id]
        self._emit(mark, line, look)
        if first:
            line.attached.append(Note(kind, note_id, mark))

    def _shown(self) -> bool:
        return all(one.shows for one in self._fields) and not self._in_contents()

    def _in_contents(self) -> bool:
        return any(one.name == _CONTENTS for one in self._fields)

    def _emit(self, text: str, line: _Line, look: Look) -> None:
        if not text or not all(one.shows for one in self._fields):
            return
        if not is_seen(look, line.ground):
            self.tally.hidden += len(text.strip())
            return
        if self._in_contents():
            self.tally.contents += len(text.strip())
            return
        for one in self._fields:
            one.result = True
        line.parts.append(text)
        solid = len(text.strip())
        line.length += solid
        line.bold += solid if look.bold else 0


def _sign(sym: Element) -> str:
    try:
        return symbol(int(sym.get(W + "char", ""), 16), sym.get(W + "font", ""))
    except ValueError:
        return UNKNOWN


def _raised(text: str) -> str:
    """A raised number as small figures above the line; anything else as it is."""
    raised = text.translate(_RAISED)
    whole = not any(char.isascii() and char.isalnum() for char in raised)
    return raised if whole and any(char.isdecimal() for char in text) else text


def length_of(element: Element, tags: tuple[str, ...] = _REMOVED_TEXTS) -> int:
    """How many characters stand below ``element``."""
    return sum(len(part.text or "") for tag in tags for part in element.iter(tag))
