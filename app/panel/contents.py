"""All that the panel is drawn from: read from the store for one viewer, then pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from app.answers.cards import card
from app.answers.checked import said
from app.panel.blocks import Layers, Renderer, words_of
from app.panel.pages import page_views
from app.panel.place import Place, neighbours
from app.panel.reference import reference
from app.panel.versions import version_notes
from app.panel.windows import windows
from app.texts import text
from core.answer import Answer, Passage
from core.document import lines_of, pages_of
from core.reason_text import reason_text
from core.scope import Scope
from core.span import Span, union
from core.store import ChunkRow, Reader, Store, StoredVersion
from core.verdict import CounterEvidence
from retrieval.records.texts import word

# Pages that one passage is shown on at most.
_MOST_PAGES = 3
_LABELS = (
    *(
        "panel_region",
        "panel_page",
        "panel_text",
        "panel_previous",
        "panel_next",
        "panel_before",
        "panel_after",
    ),
    *("panel_original", "panel_chunks", "panel_copy", "panel_copied", "panel_zoom"),
    *("panel_mark", "panel_right", "panel_wrong"),
)


def panel(answer: Answer, place: Place, store: Store, scope: Scope, language: str) -> dict[str, object]:
    """The properties of the panel. Raises ``UnknownDocumentError`` when the document is gone or hidden by now."""
    version_id = place.passage.version_id if place.passage else _against(place).version_id
    with store.read() as reader:
        version = reader.version(version_id, scope)
        passage = place.passage or _passage_of(_against(place), version, reader)
        section = section_around(reader.chunks_of(version.id), passage)
        blocks = reader.blocks(version.id, section)
        note = version_notes(reader, [passage]).get(version.id)
        views = _pages(reader, store, place, passage, version)
    pages = place.pages or passage.pages
    layers = Layers(passage=passage.span, strong=place.strong)
    renderer = Renderer(text=version.text, media_type=version.media_type, blocks=blocks, layers=layers)
    shown = windows(version.text, blocks, section, passage.span)
    quoted = union(c.span for c in place.citations) or place.strong or (passage.span,)
    return (
        card(passage, language, pages)
        | _addresses(version, views)
        | _way_on(answer, place, language)
        | {
            "n": place.n,
            "passage": place.index,
            "version": note.said(language) if note else "",
            "badge": note.badge(language) if note else "",
            "isOlder": bool(note and note.number != note.newest),
            "said": _said(answer, place, language),
            "before": [renderer.drawn(span) for span in shown.before],
            "here": renderer.drawn(shown.here),
            "after": [renderer.drawn(span) for span in shown.after],
            "pageViews": views,
            "quote": reference(
                [words_of(renderer.drawn(span)) for span in quoted], passage, pages, note, language
            ),
            "labels": {key: text(key, language) for key in _LABELS},
        }
    )


def section_around(chunks: Sequence[ChunkRow], passage: Passage) -> Span:
    """The section that ``passage`` stands in, as far as its chunks reach."""
    sections = {chunk.section_id for chunk in chunks if chunk.span.overlaps(passage.span)}
    spans = [chunk.span for chunk in chunks if chunk.section_id in sections]
    return reduce(Span.hull, spans, passage.span)


def _against(place: Place) -> CounterEvidence:
    if place.counter is None:
        raise ValueError("a place without a passage is one that speaks against the answer")
    return place.counter


def _passage_of(counter: CounterEvidence, version: StoredVersion, reader: Reader) -> Passage:
    """What was never searched, such as an older version, as a passage of its own."""
    around = reader.blocks(version.id, counter.span)
    return Passage(
        document_id=version.document_id,
        version_id=version.id,
        doc=version.name,
        title=version.title,
        section_path=around[-1].section_path if around else (),
        span=reduce(Span.hull, (block.span for block in around), counter.span),
        text=counter.text,
        pages=pages_of(reader.lines(version.id, counter.span), counter.span),
        score=0.0,
        chunk_ids=(),
        token_count=0,
    )


def _pages(
    reader: Reader, store: Store, place: Place, passage: Passage, version: StoredVersion
) -> list[dict[str, object]]:
    """Images of the pages that carry the citation, or the passage's first page; none without pages."""
    if not passage.pages:
        return []
    lines = reader.lines(version.id, passage.span)
    cited = [line for span in place.strong for line in lines_of(lines, span)]
    shown = sorted({line.page for line in cited}) or [passage.pages[0]]
    data = store.blobs.get(version.source_sha256)
    return [
        {"page": view.page, "image": view.image, "pale": list(view.pale), "strong": list(view.strong)}
        for view in page_views(data, version.media_type, shown[:_MOST_PAGES], lines, cited)
    ]


def _addresses(version: StoredVersion, views: Sequence[dict[str, object]]) -> dict[str, object]:
    """Where the original and its chunks are to be seen."""
    page = f"#page={views[0]['page']}" if views and version.media_type == "application/pdf" else ""
    own = f"/versions/{version.id}"
    return {"original": f"{own}/original{page}", "chunks": f"{own}/chunks"}


def _way_on(answer: Answer, place: Place, language: str) -> dict[str, object]:
    before, after, at, count = neighbours(answer, place)
    position = text("panel_position", language, at=at, count=count) if count > 1 else ""
    return {"previousPassage": before, "nextPassage": after, "position": position}


def _said(answer: Answer, place: Place, language: str) -> list[dict[str, object]]:
    """The sentences that rest on the place, each with its verdict and why."""
    if place.counter:
        sentence = answer.checks[place.counter.check].sentence
        reasons = [reason_text(place.counter.reason, language)]
        title = word("counter", language)
        return [{"verdict": "partly", "text": title, "sentence": said(sentence), "reasons": reasons}]
    return [
        {
            "verdict": citation.verdict.value,
            "text": text(citation.verdict.value, language),
            "sentence": said(citation.sentence),
            "reasons": [reason_text(reason, language) for reason in citation.reasons],
        }
        for citation in place.citations
    ]
