"""Captions (WebVTT, SubRip) as paragraphs with the time they begin at, so that an answer can cite it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from core.document import BlockKind, Document
from core.errors import DamagedDocumentError
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.text.decode import decode

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,]\d{1,3}"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_VOICE = re.compile(r"<v(?:\.[^\s>]+)?\s+([^>]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^>]*>|<\d[\d:.]*>|\{\\[^}]*\}")
_SENTENCE_END = tuple("。！？!?…")
# A paragraph ends with the first sentence past the one, and at the latest past the other.
_PARAGRAPH_S = 30
_LONGEST_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cue:
    start_s: int
    speaker: str
    words: str


class CaptionsParser:
    """Reads ``.vtt`` and ``.srt``; the text is written anew: "[00:01:30] words"."""

    version = "captions-1"
    media_type = "text/vtt"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document.

        Raises ``EncodingError``, ``EmptyDocumentError``, and ``DamagedDocumentError`` when nothing has a time.
        """
        source, notices = decode(data, name)
        cues = list(_without_repeats(_cues(source)))
        if not cues:
            raise DamagedDocumentError(name=name)
        builder = DocumentBuilder()
        for paragraph in _paragraphs(cues):
            builder.add(BlockKind.PARAGRAPH, paragraph)
        for notice in notices:
            builder.notice(notice.code, **dict(notice.details))
        first, _, rest = source.split("\n", 1)[0].partition("WEBVTT")
        title = rest.strip(" \t\r-") if not first.strip("\ufeff") else ""
        return builder.document(name=name, media_type=self.media_type, title=title or PurePath(name).stem)


def _cues(source: str) -> Iterator[_Cue]:
    """The cues in order; notes, styles and numbers of cues belong to none."""
    for part in re.split(r"\n[ \t]*\n", source.replace("\r\n", "\n").replace("\r", "\n")):
        lines = part.strip("\n").split("\n")
        for at, line in enumerate(lines[:3]):
            if found := _TIMING.match(line):
                hours, minutes, seconds = (int(number or 0) for number in found.groups()[:3])
                yield from _spoken(" ".join(lines[at + 1 :]), hours * 3600 + minutes * 60 + seconds)
                break


def _spoken(words: str, start_s: int) -> Iterator[_Cue]:
    """A cue for each voice."""
    pieces = _VOICE.split(words)
    for speaker, spoken in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        clean = " ".join(html.unescape(_TAG.sub("", spoken)).split())
        if clean:
            yield _Cue(start_s=start_s, speaker=html.unescape(speaker).strip(), words=clean)


def _without_repeats(cues: Iterator[_Cue]) -> Iterator[_Cue]:
    """Rolling captions show the line before once more: only what is new is kept."""
    before = ""
    for cue in cues:
        words = cue.words
        if before and words.startswith(before):
            words = words[len(before) :].strip()
        before = cue.words
        if words:
            yield _Cue(start_s=cue.start_s, speaker=cue.speaker, words=words)


def _paragraphs(cues: list[_Cue]) -> Iterator[str]:
    opened: list[str] = []
    begun_s = 0
    speaker = ""
    for cue in cues:
        passed_s = cue.start_s - begun_s
        ended = bool(opened) and (
            opened[-1].endswith(_SENTENCE_END) or re.search(r"[.][\"”')]?$", opened[-1])
        )
        if opened and (
            cue.speaker != speaker or (passed_s >= _PARAGRAPH_S and ended) or passed_s >= _LONGEST_S
        ):
            yield " ".join(opened)
            opened = []
        if not opened:
            begun_s, speaker = cue.start_s, cue.speaker
            opened.append(_clock(cue.start_s) + (f" {cue.speaker}:" if cue.speaker else ""))
        opened.append(cue.words)
    if opened:
        yield " ".join(opened)


def _clock(seconds: int) -> str:
    return f"[{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}]"
