"""The cards below an answer: where each source stands, of which version it is, and how well it carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.panel.markup import plain
from app.panel.versions import VersionNote
from app.texts import text
from core.answer import Answer, Citation, Passage
from core.chat.usage import usage_line
from core.reason_text import reason_text
from core.verdict import Verdict

_WORST_FIRST = (Verdict.UNSUPPORTED, Verdict.PARTLY, Verdict.SUPPORTED)
# More cited sources than these are folded.
_SHOWN = 3


def source_cards(
    answer: Answer, answer_id: str, language: str, versions: Mapping[str, VersionNote] | None = None
) -> dict[str, object]:
    """The properties of the list of sources below an answer; ``versions`` by id, as far as they are known."""
    notes = versions or {}
    by_number: dict[int, list[Citation]] = {}
    for citation in answer.citations:
        by_number.setdefault(citation.n, []).append(citation)
    passages = answer.search.passages
    cited = {citations[0].passage for citations in by_number.values()}
    read = passages[: len(passages) - answer.left_out]
    uncited = [(index, passage) for index, passage in enumerate(read) if index not in cited]
    cards = [_cited_card(n, found, passages, notes, language) for n, found in sorted(by_number.items())]
    return {
        "answerId": answer_id,
        "title": text("sources" if cards else "nearest", language),
        "open": text("open", language),
        "cards": cards,
        "shown": _SHOWN,
        "more": text("card_more", language, count=len(cards)),
        "fewer": text("card_fewer", language),
        "uncitedTitle": text("uncited", language, count=len(uncited)),
        "uncited": [
            card(passage, language) | _hint(passage, passage.text, notes, language) | {"passage": index}
            for index, passage in uncited
        ],
        "usage": usage_line(answer.usage, language) if answer.usage else "",
        "permalink": f"/answers/{answer.id}" if answer.id else "",
        "permalinkTitle": text("permalink", language),
    }


def _cited_card(
    n: int,
    citations: Sequence[Citation],
    passages: Sequence[Passage],
    notes: Mapping[str, VersionNote],
    language: str,
) -> dict[str, object]:
    worst = min((c.verdict for c in citations), key=_WORST_FIRST.index)
    # The quote is that of the badge.
    first = next(c for c in citations if c.verdict is worst)
    pages = tuple(sorted({page for c in citations for page in c.pages}))
    passage = passages[first.passage]
    return (
        card(passage, language, pages)
        | _hint(passage, first.text, notes, language)
        | {
            "n": n,
            "passage": first.passage,
            "verdict": worst.value,
            "verdictText": text(worst.value, language),
            "reason": reason_text(first.reasons[0], language) if first.reasons else "",
        }
    )


def card(passage: Passage, language: str, pages: tuple[int, ...] = ()) -> dict[str, object]:
    """Where a passage stands: document, section, pages."""
    shown = pages or passage.pages
    path = [part for part in passage.section_path if part != passage.title]
    return {
        "doc": passage.doc,
        "title": passage.title,
        "section": " › ".join(path),
        "pages": text("page", language, pages=", ".join(map(str, shown))) if shown else "",
    }


def _hint(
    passage: Passage, source: str, notes: Mapping[str, VersionNote], language: str
) -> dict[str, object]:
    """The first words, and the version: whether it is the newest is told in the panel, where it is looked up."""
    note = notes.get(passage.version_id)
    quote = excerpt(plain(source, note.media_type if note else ""))
    return {"quote": quote, "version": note.said(language) if note else ""}


def excerpt(source: str, limit: int = 160) -> str:
    """The first characters of a text on one line."""
    line = " ".join(source.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
