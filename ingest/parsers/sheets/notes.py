"""What stands on a sheet besides its cells: comments, text boxes, titles of charts, pictures."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from ingest.parsers.sheets.workbook import Workbook, local, rich_text

# What Excel writes into the old kind of comment beside a thread, for programs that know no threads.
_THREAD_NOTE = "[Threaded comment]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """``place`` is the cell, such as "B3"."""

    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawings:
    """Texts of boxes and chart titles, and the parts of the pictures, in the order of the file."""

    texts: tuple[str, ...]
    pictures: tuple[str, ...]


def comments_of(workbook: Workbook, part: str) -> list[Comment]:
    """The comments of a sheet, threads entry by entry."""
    found: list[Comment] = []
    related = workbook.relations(part).values()
    for kind, target in sorted(related):
        if kind == "comments" and workbook.has(target):
            elements = [e for e in workbook.tree(target).iter() if local(e) == "comment"]
            found += [Comment(place=e.get("ref", ""), text=rich_text(e).strip()) for e in elements]
        elif kind == "threadedComment" and workbook.has(target):
            elements = [e for e in workbook.tree(target).iter() if local(e) == "threadedComment"]
            found += [Comment(place=e.get("ref", ""), text=_child_text(e, "text").strip()) for e in elements]
    return [comment for comment in found if comment.text and not comment.text.startswith(_THREAD_NOTE)]


def drawings_of(workbook: Workbook, part: str) -> Drawings:
    """What is drawn on a sheet."""
    texts: list[str] = []
    pictures: list[str] = []
    for kind, target in workbook.relations(part).values():
        if kind != "drawing" or not workbook.has(target):
            continue
        tree = workbook.tree(target)
        texts += [text for e in tree.iter() if local(e) == "txBody" and (text := _paragraphs(e))]
        for inner, inner_target in workbook.relations(target).values():
            if inner == "chart" and workbook.has(inner_target):
                texts += _chart_titles(workbook.tree(inner_target))
            elif inner == "image" and workbook.has(inner_target):
                pictures.append(posixpath.normpath(inner_target))
    return Drawings(texts=tuple(dict.fromkeys(texts)), pictures=tuple(dict.fromkeys(pictures)))


def _chart_titles(tree: ElementTree.Element) -> Iterator[str]:
    """The titles of a chart and its axes; its numbers stand in cells."""
    for element in tree.iter():
        if local(element) == "title" and (text := _paragraphs(element)):
            yield text


def _paragraphs(element: ElementTree.Element) -> str:
    """The paragraphs of a drawing's text, one a line."""
    lines = (
        "".join(part.text or "" for part in paragraph.iter() if local(part) == "t")
        for paragraph in element.iter()
        if local(paragraph) == "p"
    )
    return "\n".join(line for line in lines if line.strip())


def _child_text(element: ElementTree.Element, name: str) -> str:
    return "".join(child.text or "" for child in element if local(child) == name)
