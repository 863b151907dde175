"""The ids by which a model cites passages, and the reader that turns them into numbers while its text grows.

Ids are random and stand in no passage: whatever else looks like a mark was made up or copied from a document.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from typing import Final

REFUSAL: Final = "NO_EVIDENCE"
# Without vowels and look-alikes: no words, nothing to misread.
_LETTERS: Final = "bcdfghjkmnpqrstvwxz"
_DIGITS: Final = "23456789"
_ID: Final = re.compile(rf"(?=\w*\d)[{_LETTERS}][{_LETTERS}{_DIGITS}]{{3}}")
_OPEN, _CLOSE = r"\[【［〔(（<", r"\]】］〕)）>"
_TOKEN: Final = re.compile(
    r"(?P<fence>```)"
    r"|(?P<code>`[^`\n]*`)"
    rf"|(?P<group>[ \t]*(?P<open>[{_OPEN}]<?)(?P<inside>[^{_OPEN}{_CLOSE}`\n]{{0,60}})[{_CLOSE}]>?)"
    r"|(?P<word>[A-Za-z0-9_]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
# What may still become one of these when more comes.
_UNFINISHED: Final = re.compile(
    rf"[ \t]*(?:[{_OPEN}]<?[^{_OPEN}{_CLOSE}`\n]{{0,60}})?\Z|[ \t]*<<?[^{_OPEN}{_CLOSE}`\n]{{0,60}}>\Z|`[^`\n]*\Z|``\Z"
)
_PARTS: Final = re.compile(r"[a-z0-9_]+|[^\x00-\x7f、。–—†·]+")
# What makes the number in brackets behind it an index: one or two letters.
_SHORT: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]?\Z")
_LABEL: Final = re.compile(
    r"passages?|sources?|ids?|refs?|citation|cite|see|and|end|l\d+|段落|来源|出处|引用|参见|见|资料|和|与|及"
)
# The end of a text that was cut: a word or number of which the rest may be missing, and an opened mark.
_CUT_WORD: Final = re.compile(rf"[ \t]*(?:[{_OPEN}]+[ \t]*)?[A-Za-z0-9_.,]*\Z")


def new_ids(count: int, texts: Sequence[str]) -> tuple[str, ...]:
    """``count`` different ids of four letters and digits that stand in none of ``texts``."""
    whole = "\n".join(texts).casefold()
    ids: dict[str, None] = {}
    while len(ids) < count:
        made = secrets.choice(_LETTERS) + "".join(secrets.choice(_LETTERS + _DIGITS) for _ in range(3))
        if _ID.fullmatch(made) and made not in whole:
            ids[made] = None
    return tuple(ids)


class CitedIds:
    """Reads a growing text with ids; what it gives out has ``[n]`` instead, numbered by first use.

    Ids count in any brackets, in lists, and bare. Other marks ([3], an id that is none) are taken out and
    counted in ``unknown``; an index such as ``a[1]``, and numbers in code, stay. ``order`` is the passage's index
    (from 0) by number, ``text`` all that was given out, ``refused`` whether the word of refusal was said.
    ``mark`` is the delimiter of passages; it is taken out, too.
    """

    def __init__(self, ids: Sequence[str], mark: str = "") -> None:
        self._index = {id_: index for index, id_ in enumerate(ids)}
        self._mark = mark
        self._held = ""
        self._fenced = False
        self._waiting: list[int] = []
        self._numbers: dict[int, int] = {}
        self._together: set[int] = set()
        self.text = ""
        self.unknown = 0
        self.refused = False

    @property
    def order(self) -> dict[int, int]:
        return {number: index for index, number in self._numbers.items()}

    def feed(self, part: str) -> str:
        """The next piece to show; what may still become a mark is held back."""
        self._held += part
        return self._given_out(final=False)

    def finish(self, *, cut: bool = False) -> str:
        """What was still held back. ``cut``: the text broke off, so its last word may be half of one."""
        if cut:
            self._held = _CUT_WORD.sub("", self._held)
        return self._given_out(final=True)

    def _given_out(self, *, final: bool) -> str:
        before, at, held = len(self.text), 0, self._held
        while at < len(held):
            token = _TOKEN.match(held, at)
            assert token is not None
            may_grow = token.end() == len(held) and token["word"]
            if not final and (may_grow or _UNFINISHED.match(held, at)):
                break
            at = self._read(token)
        self._held = held[at:]
        if final:
            self._show("\n```" if self._fenced and self._waiting else "")
            self._fenced = False
            self._show_waiting()
        return self.text[before:]

    def _read(self, token: re.Match[str]) -> int:
        """Give out what ``token`` becomes; returns where reading goes on."""
        if token["fence"]:
            self._fenced = not self._fenced
            self._show(token[0])
        elif token["code"] and self._fenced:
            self._show("`")
            return token.start() + 1
        elif token["code"]:
            self._code(token[0])
        elif token["group"]:
            return self._group(token)
        elif token["word"]:
            self._word(token[0])
        else:
            self._show(token[0])
        return token.end()

    def _code(self, code: str) -> None:
        """Its ids are cited behind it."""
        found = [word for word in re.findall(r"[A-Za-z0-9_]+", code) if word in self._index]
        for id_ in found:
            code = re.sub(rf"\s*[{_OPEN}]?{id_}[{_CLOSE}]?", "", code)
        self._show(code if code.strip("` ") else "")
        self._cite([self._index[id_] for id_ in found])

    def _group(self, token: re.Match[str]) -> int:
        parts = _PARTS.findall(unicodedata.normalize("NFKC", token["inside"]).casefold())
        known = [self._index[part] for part in parts if part in self._index]
        others = [part for part in parts if part not in self._index and not _LABEL.fullmatch(part)]
        made_up = [part for part in others if _is_mark(part)]
        words = [part for part in others if not _is_mark(part) and part != self._mark]
        is_square = token["open"] in "[【［〔"
        if self._mark in parts and not words:
            return token.end()
        if known and not words:
            self.unknown += len(made_up) if is_square else 0
            self._show(token[0][: token.start("open") - token.start()])
            self._cite(known)
            return token.end()
        if made_up and not words and is_square and not self._is_index(token):
            self.unknown += len(made_up)
            return token.end()
        # Not a mark: its words are read one by one.
        self._show(token[0][: token.end("open") - token.start()])
        return token.end("open")

    def _is_index(self, token: re.Match[str]) -> bool:
        """Whether a number in brackets is code: in a block of it, or right behind one or two letters."""
        if self._fenced:
            return True
        return token[0].startswith("[") and _SHORT.search(self.text[-3:]) is not None

    def _word(self, word: str) -> None:
        if word == REFUSAL:
            self.refused = True
        elif word.casefold() in self._index:
            self._cite([self._index[word.casefold()]])
        elif word != self._mark:
            self._show(word)

    def _cite(self, indexes: Sequence[int]) -> None:
        if self._fenced:
            self._waiting += indexes
            return
        for index in indexes:
            number = self._numbers.setdefault(index, len(self._numbers) + 1)
            if number not in self._together:
                # There a number would be taken for an index.
                is_short = _SHORT.search(self.text[-3:])
                self._show(f" [{number}]" if is_short else f"[{number}]")
                self._together.add(number)

    def _show(self, piece: str) -> None:
        if self._waiting and not self._fenced and piece != "```":
            self._show_waiting()
        piece = piece if self.text else piece.lstrip()
        self.text += piece
        if piece.strip() and not re.fullmatch(r" ?\[\d+\]", piece):
            self._together.clear()

    def _show_waiting(self) -> None:
        """Marks out of a block of code stand behind it."""
        waiting, self._waiting = self._waiting, []
        self._show("\n" if waiting else "")
        self._cite(waiting)


def _is_mark(part: str) -> bool:
    return bool(_ID.fullmatch(part)) or (part.isdigit() and len(part) <= 3)
