"""Evidence made of plain texts, one passage a text."""

from __future__ import annotations

from core.answer import Passage
from core.span import Span
from retrieval.evidence import Evidence


def evidence_of(*texts: str, titles: tuple[str, ...] = ()) -> Evidence:
    """Each text is a document of one passage; ``titles`` are those of the first ones."""
    passages = tuple(
        Passage(
            document_id=f"d{place}",
            version_id=f"v{place}",
            doc=f"{place}.md",
            title=titles[place] if place < len(titles) else "",
            section_path=(),
            span=Span(0, len(text)),
            text=text,
            pages=(),
            score=1.0,
            chunk_ids=(),
            token_count=1,
        )
        for place, text in enumerate(texts)
    )
    by_version = {passage.version_id: passage.text for passage in passages}
    return Evidence(
        passages=passages,
        texts=by_version,
        blocks=dict.fromkeys(by_version, ()),
        lines=dict.fromkeys(by_version, ()),
    )
