"""What people said of answers and citations: JSON lines under ``YOUJU_HOME/feedback`` for ``python -m evaluation review``.

The files hold words of questions, answers and sources, so they are their owner's alone. The last line about an
answer, or about one citation of it, is what holds; ``verdict`` "none" and ``right`` null take back what was said.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any, Final, Literal

from filelock import FileLock

from core.answer import Answer, Citation, Passage

Said = Literal["good", "bad"]
Row = dict[str, Any]

FOLDER: Final = "feedback"
_ANSWERS: Final = "feedback.jsonl"
_CITATIONS: Final = "citations.jsonl"
_LONGEST_COMMENT: Final = 4_000
_LONGEST_ANSWER: Final = 20_000
# Characters of passages in one line, and bytes of one file: a thumb costs nothing, disks do.
_MOST_CHARS: Final = 60_000
_MOST_BYTES: Final = 32 << 20
_PATIENCE_S: Final = 5.0


class Feedback:
    """Safe for several threads and programs. Every method raises ``OSError`` when a file cannot be written."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def judge(self, answer_id: str, answer: Answer, said: Said, comment: str = "", *, chat: str = "") -> None:
        """Keep a word on a whole answer, with what it was made from; ``chat`` is the id of its chat."""
        search = answer.search
        row = {
            "answer_id": answer_id,
            "chat": chat,
            "question": search.searched,
            "asked": search.question,
            "answer": answer.text[:_LONGEST_ANSWER],
            "verdict": said,
            "comment": comment[:_LONGEST_COMMENT],
            "at": _now(),
            "method": answer.method,
            "passages": _passages(answer),
        }
        self._append(_ANSWERS, row)

    def take_back(self, answer_id: str, *, chat: str = "") -> None:
        """As if nothing had been said of the answer."""
        row = {"answer_id": answer_id, "chat": chat, "verdict": "none", "at": _now()}
        self._append(_ANSWERS, row)

    def mark(
        self, answer_id: str, answer: Answer, passage: int, n: int, right: bool | None, *, chat: str = ""
    ) -> int:
        """Keep a word on each citation of a passage under the number ``n``; how many there are."""
        cited = [one for one in answer.citations if one.passage == passage and one.n == n]
        source = answer.search.passages[passage] if cited else None
        for citation in cited:
            row = {
                "answer_id": answer_id,
                "chat": chat,
                "n": n,
                "question": answer.search.searched,
                "sentence": citation.sentence,
                "doc": source.doc if source else "",
                "document_id": source.document_id if source else "",
                "start": citation.span.start,
                "end": citation.span.end,
                "text": citation.text[:_LONGEST_COMMENT],
                "verdict": citation.verdict.value,
                "right": right,
                "at": _now(),
                "passages": [_passage(source, cited=True)] if source and right is not None else [],
            }
            self._append(_CITATIONS, row)
        return len(cited)

    def marked(self, answer_id: str, citations: Iterable[Citation], *, chat: str = "") -> bool | None:
        """What was last said, in that chat, of one of these citations of an answer; ``None``: nothing."""
        keys = {(answer_id, one.n, one.sentence, one.span.start) for one in citations}
        right: bool | None = None
        path = self._folder / _CITATIONS
        for row in _rows(path, about=answer_id) if path.is_file() else ():
            if key_of(row) in keys and row.get("chat") == chat:
                right = row.get("right")
        return right

    def forget_chat(self, chat: str) -> None:
        """Delete all that was said in a chat."""
        self._rewrite(lambda row: None if row.get("chat") == chat else row)

    def forget_documents(self, document_ids: Collection[str]) -> None:
        """Delete the words of these documents; what was said stays, without them."""
        self._rewrite(lambda row: _without(row, document_ids))

    def document_ids(self) -> frozenset[str]:
        """Those whose words lie in the files."""
        return frozenset(id_ for path in self._paths() for row in _rows(path) for id_ in _ids(row))

    def _paths(self) -> list[Path]:
        return [path for name in (_ANSWERS, _CITATIONS) if (path := self._folder / name).is_file()]

    def _append(self, name: str, row: Row) -> None:
        """One whole line or none."""
        path, line = self._folder / name, _line(row)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._locked():
            size = path.stat().st_size if path.exists() else 0
            if size + len(line) > _MOST_BYTES or not _is_whole(path):
                _replace(path, _last_of_each(_rows(path)))
            with _opened(path) as file:
                end = os.fstat(file.fileno()).st_size
                if end + len(line) > _MOST_BYTES:
                    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
                if file.write(line) != len(line):
                    # Half a line would make the file unreadable.
                    os.ftruncate(file.fileno(), end)
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def _rewrite(self, kept: Callable[[Row], Row | None]) -> None:
        """Each line as ``kept`` has it; a file in which nothing changes is not touched."""
        for path in self._paths():
            with self._locked():
                before = list(_rows(path))
                after = [row for found in before if (row := kept(found)) is not None]
                if after != before:
                    _replace(path, after)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # Its timeout is an OSError.
        with FileLock(self._folder / ".lock", timeout=_PATIENCE_S):
            yield


def key_of(row: Mapping[str, Any]) -> tuple[object, ...]:
    """What a line is about: the last line of a key holds."""
    return tuple(row.get(name) for name in ("answer_id", "n", "sentence", "start"))


def _passages(answer: Answer) -> list[Row]:
    """In the order of the answer; where all are too much, those that it cites before the others."""
    cited = {citation.passage for citation in answer.citations}
    order = sorted(range(len(answer.search.passages)), key=lambda index: index not in cited)
    taken, left = dict[int, Row](), _MOST_CHARS
    for index in order:
        passage = answer.search.passages[index]
        if len(passage.text) <= left:
            left -= len(passage.text)
            taken[index] = _passage(passage, cited=index in cited)
    return [taken[index] for index in sorted(taken)]


def _passage(passage: Passage, *, cited: bool) -> Row:
    return {
        "doc": passage.doc,
        "document_id": passage.document_id,
        "start": passage.span.start,
        "end": passage.span.end,
        "text": passage.text,
        "cited": cited,
    }


def _without(row: Row, gone: Collection[str]) -> Row:
    if not any(id_ in gone for id_ in _ids(row)):
        return row
    kept = [passage for passage in row.get("passages", ()) if passage.get("document_id") not in gone]
    left = row | {"passages": kept}
    return left | {"text": ""} if row.get("document_id") in gone else left


def _ids(row: Row) -> Iterator[str]:
    """Documents whose words are in a line."""
    for part in (row, *row.get("passages", ())):
        if part.get("document_id") and part.get("text"):
            yield str(part["document_id"])


def _last_of_each(rows: Iterator[Row]) -> list[Row]:
    last: dict[tuple[object, ...], Row] = {}
    for row in rows:
        last.pop(key_of(row), None)
        last[key_of(row)] = row
    return list(last.values())


def _rows(path: Path, *, about: str = "") -> Iterator[Row]:
    """Those that hold the words ``about``; a line that a power cut left half written is passed over."""
    for line in path.read_bytes().split(b"\n"):
        if about.encode() not in line:
            continue
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def _is_whole(path: Path) -> bool:
    """Whether the last line ends; a power cut may have left half of one."""
    if not path.exists() or not path.stat().st_size:
        return True
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _replace(path: Path, rows: Sequence[Row]) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        with _opened(temporary) as file:
            for row in rows:
                if file.write(line := _line(row)) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _opened(path: Path) -> FileIO:
    """To append, unbuffered: one write a line; for its owner alone."""
    return FileIO(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
