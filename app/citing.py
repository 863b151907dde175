"""A click on a citation: the panel with the page, the passage and the words that carry the sentence."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from functools import reduce

import chainlit as cl

from app import state, views
from app.pages import page_views
from app.texts import text
from core.answer import Answer, Passage
from core.document import lines_of
from core.errors import YoujuError
from core.inert import inert
from core.reason_text import reason_text
from core.scope import Scope
from core.span import Span
from core.store import ChunkRow, Reader, StoredVersion


async def open_citation(payload: Mapping[str, object]) -> None:
    """Show the cited (or merely read) passage that the card names; replaces what the panel showed."""
    language = state.language()
    answer = state.answer_of(str(payload.get("answerId")))
    passage = payload.get("passage")
    if answer is None or not isinstance(passage, int) or not 0 <= passage < len(answer.search.passages):
        await cl.ErrorMessage(content=text("gone", language)).send()
        return
    try:
        props = await asyncio.to_thread(panel, answer, passage, language, state.scope())
    except YoujuError as exc:
        await cl.ErrorMessage(content=inert(exc.message(language))).send()
        return
    key = uuid.uuid4().hex
    element = cl.CustomElement(name="Passage", props=props | {"key": key}, display="side")
    await cl.ElementSidebar.set_elements([element], key=key)
    await cl.ElementSidebar.set_title(text("panel", language))


def panel(answer: Answer, index: int, language: str, scope: Scope) -> dict[str, object]:
    """The properties of the panel. Raises ``UnknownDocumentError`` when the document is gone or hidden by now."""
    passage = answer.search.passages[index]
    citations = [citation for citation in answer.citations if citation.passage == index]
    strong = [span for citation in citations for span in citation.strong]
    store = state.knowledge_base().workspace.store
    with store.read() as reader:
        version = reader.version(passage.version_id, scope)
        pages = _pages(reader, answer, index, version)
        section = section_around(reader.chunks_of(version.id), passage)
    props = views.card(passage, language, tuple(sorted({page for c in citations for page in c.pages})))
    verdicts = [
        {
            "verdict": c.verdict.value,
            "text": text(c.verdict.value, language),
            "sentence": c.sentence,
            "reasons": [reason_text(reason, language) for reason in c.reasons],
        }
        for c in citations
    ]
    return props | {
        "n": citations[0].n if citations else 0,
        "verdicts": verdicts,
        "parts": views.marked_parts(version.text, section, passage.span, strong),
        "pageViews": pages,
        "labels": {key: text(key, language) for key in ("panel_page", "panel_text")},
    }


def section_around(chunks: Sequence[ChunkRow], passage: Passage) -> Span:
    """The section that ``passage`` stands in, as far as its chunks reach."""
    sections = {chunk.section_id for chunk in chunks if chunk.span.overlaps(passage.span)}
    spans = [chunk.span for chunk in chunks if chunk.section_id in sections]
    return reduce(Span.hull, spans, passage.span)


def _pages(reader: Reader, answer: Answer, index: int, version: StoredVersion) -> list[dict[str, object]]:
    """Images of the pages that carry the citation, or the passage's first page; none without pages."""
    passage = answer.search.passages[index]
    if not passage.pages:
        return []
    lines = reader.lines(passage.version_id, passage.span)
    spans = [span for citation in answer.citations if citation.passage == index for span in citation.strong]
    cited = [line for span in spans for line in lines_of(lines, span)]
    shown = sorted({line.page for line in cited}) or [passage.pages[0]]
    data = state.knowledge_base().workspace.store.blobs.get(version.source_sha256)
    return [
        {"page": view.page, "image": view.image, "pale": list(view.pale), "strong": list(view.strong)}
        for view in page_views(data, version.media_type, shown[:3], lines, cited)
    ]
