"""A mail as a document: its headers, what was written, mails enclosed, the names of what was attached."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.document import BlockKind, Notice
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.outline import LIST_ITEM
from ingest.parsers.web.hidden import drop_hidden
from ingest.parsers.web.inline import line_of
from ingest.parsers.web.page import LeftOut, add_page
from ingest.parsers.web.tree import Element, parsed_html

_QUOTE: Final = "> "
_QUOTED: Final = re.compile(r"\s{0,3}(?:>|\|>)")
# "On Monday, A wrote:", "在 2024年1月2日，某某写道：", and the lines that mail programs put above an old mail.
_ATTRIBUTION: Final = re.compile(
    r".{0,200}(?:wrote|schrieb|a écrit|escribió|写道|寫道)\s*[:：]\s*|"
    r"\s*[-_]{3,}.{0,60}(?:Original|Forwarded|转发|原始|原邮件|寄件).{0,60}",
    re.DOTALL,
)
_WORD: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_ADDRESS: Final = re.compile(r"(?:https?|mailto|cid|ftp):\S+|\[(?:image|cid)[^\]]*\]", re.IGNORECASE)
# Structure that the plain text of a mail cannot show.
_STRUCTURE: Final = ("table", "h1", "h2", "h3", "h4", "pre")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that travels with a mail."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What was written: one text in its versions. ``notices`` tell how they were decoded."""

    plain: str = ""
    html: str = ""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A mail, whatever file it came in. ``headers`` are those a reader sees, in order, decoded.

    ``unread`` says that there is a body in a format nobody can read here, ``repaired`` that the file is damaged.
    """

    subject: str
    headers: tuple[tuple[str, str], ...]
    bodies: tuple[Body, ...] = ()
    enclosed: tuple[Letter, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    unread: bool = False
    repaired: bool = False


def add_letter(builder: DocumentBuilder, letter: Letter, level: int = 1) -> LeftOut:
    """Adds the mail and those enclosed, each under its subject as a heading of ``level``."""
    builder.heading(letter.subject, level)
    builder.add(BlockKind.PARAGRAPH, "\n".join(f"{name}: {value}" for name, value in letter.headers))
    left_out = LeftOut()
    for body in letter.bodies:
        for notice in body.notices:
            builder.notice(notice.code, **dict(notice.details))
        left_out += _add_body(builder, body)
    if letter.repaired:
        builder.notice("repaired")
    if letter.unread:
        builder.notice("mail_body_unread")
    names = [attachment.name for attachment in letter.attachments]
    if names:
        builder.add(BlockKind.PARAGRAPH, "Attachments: " + ", ".join(names))
    for enclosed in letter.enclosed:
        left_out += add_letter(builder, enclosed, level + 1)
    return left_out


def _add_body(builder: DocumentBuilder, body: Body) -> LeftOut:
    """The version that says more: readers see the HTML, but where it only repeats the plain text, that is clearer."""
    if not body.html:
        _add_plain(builder, body.plain)
        return LeftOut()
    root = parsed_html(body.html)
    hidden = drop_hidden(root)
    only_html, only_plain = _differences(line_of(next(root.all("body"), root)), body.plain)
    if body.plain.strip() and not only_html and not _has_structure(root):
        _add_plain(builder, body.plain)
        return LeftOut()
    if only_plain:
        builder.notice("mail_versions_differ")
    return LeftOut(hidden=hidden) + add_page(builder, root, quote=_QUOTE)


def _has_structure(root: Element) -> bool:
    return root.has(*_STRUCTURE)


def _differences(html: str, plain: str) -> tuple[bool, bool]:
    """Whether the one has words that the other lacks, and the other way round; addresses do not count."""
    seen, written = _words(html), _words(plain)
    return bool(seen - written), bool(written - seen)


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(_ADDRESS.sub(" ", text)) if not word.isdecimal())


def _add_plain(builder: DocumentBuilder, text: str) -> None:
    for kind, block in _plain_blocks(text):
        builder.add(kind, block)


def _plain_blocks(text: str) -> Iterator[tuple[BlockKind, str]]:
    """Paragraphs, list items and quoted passages, each a block of its own."""
    lines: list[str] = []
    kind = BlockKind.PARAGRAPH
    quoted = False
    for line in [*text.splitlines(), ""]:
        now_quoted = bool(_QUOTED.match(line))
        is_item = not now_quoted and bool(LIST_ITEM.match(line))
        blank = not line.strip() or (now_quoted and not line.strip("> |\t"))
        if lines and (blank or is_item or now_quoted != quoted or _ATTRIBUTION.fullmatch(line)):
            yield kind, "\n".join(lines)
            lines = []
        if blank:
            continue
        if not lines:
            kind, quoted = (BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH), now_quoted
        lines.append(line.rstrip())
