"""Word files: the words that a reader of the printed document sees, in order, with their structure."""

from __future__ import annotations

import re
from typing import Final

from core.document import Document
from core.errors import DamagedDocumentError
from core.reading import DEFAULT_READING, Reading
from ingest.parsers.builder import DocumentBuilder
from ingest.parsers.docx.flow import Flow
from ingest.parsers.docx.furniture import furniture_texts
from ingest.parsers.docx.package import WordPackage, open_word
from ingest.parsers.docx.seen import page_ground
from ingest.parsers.docx.xml import W

# Titles that programs write by themselves: the name of the program, of a new file, of a template.
_NOBODYS_TITLE: Final = re.compile(
    r"word document|microsoft word.*|(?:新建)?\s*microsoft.*文[档檔].*|untitled.*|document\s*\d*|文档\s*\d*|无标题.*"
    r"|.*\.(?:docx?|dotx?|docm|wps|rtf|odt|pdf)|.*\bpowerpoint\b.*|template|模板|[\W\d_]*",
    re.IGNORECASE,
)
_MOST_TITLE: Final = 200
_SHOWN_FURNITURE: Final = 300


class DocxParser:
    """Reads ``.docx``, and ``.docm`` and templates, without running or fetching anything."""

    version = "docx-1"
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises ``EmptyDocumentError`` and what ``open_word`` raises."""
        package = open_word(data, name, reading.settings)
        builder = DocumentBuilder()
        flow = Flow(package, builder, reading.settings)
        body = package.document.find(W + "body")
        assert body is not None
        try:
            flow.story(body, page_ground(package.document))
        except RecursionError as exc:
            raise DamagedDocumentError(name=name) from exc
        _report(package, flow, builder)
        return builder.document(
            name=name, media_type=self.media_type, title=_written(package.title) or flow.title
        )


def _written(title: str) -> str:
    """A title that a person gave the file, else nothing."""
    title = " ".join(title.split())
    return "" if _NOBODYS_TITLE.fullmatch(title) or len(title) > _MOST_TITLE else title


def _report(package: WordPackage, flow: Flow, builder: DocumentBuilder) -> None:
    """Notices about all that is in the file and not, or not as it stands, in the text."""
    tally = flow.tally
    if package.mended:
        builder.notice("repaired")
    if tally.hidden:
        builder.notice("word_text_hidden", count=tally.hidden)
    if tally.inserted or tally.deleted:
        builder.notice("changes_tracked", inserted=tally.inserted, deleted=tally.deleted)
    if tally.contents:
        builder.notice("contents_left_out")
    comments = [] if package.comments is None else package.comments.findall(W + "comment")
    if comments:
        builder.notice("comments_left_out", count=len(comments))
    if furniture := furniture_texts(package):
        builder.notice("page_furniture", texts=_shortened(" / ".join(furniture)))
    if flow.objects:
        builder.notice("objects_left_out", count=flow.objects)
    if flow.flattened:
        builder.notice("tables_flattened", count=flow.flattened)
    flow.pictures.report(builder)


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_FURNITURE else text[: _SHOWN_FURNITURE - 1] + "…"
