"""What stands around the document: facts, notices, the legend with its switches, outline, list of chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.document import Block, BlockKind
from ingest.report import notice_text
from ingest.viewer.inert import attributes, inert
from ingest.viewer.layers import chunk_label, colour
from ingest.viewer.pictures import is_drawable
from ingest.viewer.places import Part
from ingest.viewer.view import DocumentView
from ingest.viewer.words import word


def head(
    view: DocumentView, advice: Sequence[str], language: str, links: Sequence[tuple[str, str]] = ()
) -> str:
    """Title, facts, notices; ``advice`` says what is not shown here, ``links`` lead to it."""
    row = view.row
    facts = {
        "file": row.name,
        "collection": row.collection,
        "media_type": row.media_type,
        "version": str(row.version_number),
        "pages": f"{view.page_count:,}" if view.page_count else "-",
        "characters": f"{len(view.text):,}",
        "blocks": f"{len(view.blocks):,}",
        "chunks": f"{row.chunk_count:,}",
    }
    cells = "".join(
        f"<div><dt>{word(key, language)}</dt><dd>{inert(value)}</dd></div>" for key, value in facts.items()
    )
    notices = [notice_text(notice.code, notice.details, language) for notice in row.notices]
    told = "".join(f"<li>{inert(notice)}</li>" for notice in notices)
    box = f"<section class='notices'><h2>{word('notices', language)}</h2><ul>{told}</ul></section>"
    return (
        f'<header class="top"><p class="brand">{word("brand", language)}</p><h1>{inert(row.title)}</h1>'
        f"<dl>{cells}</dl>{box if told else ''}"
        f"{''.join(f'<p class=advice>{inert(line)}</p>' for line in advice)}{_links(links)}</header>\n"
    )


def _links(links: Sequence[tuple[str, str]]) -> str:
    written = (f"<a{attributes(href=address)}>{inert(label)}</a>" for label, address in links)
    return f'<p class="advice links">{" · ".join(written)}</p>' if links else ""


def bar(view: DocumentView, language: str) -> str:
    """The kinds with their colours and counts, each a switch, and what else can be switched."""
    counts = Counter(block.kind for block in view.blocks)
    levels = Counter(block.level for block in view.blocks if block.kind is BlockKind.HEADING)
    keys = []
    for kind in BlockKind:
        if counts[kind]:
            name = f"{word(kind.value, language)} <b>{counts[kind]:,}</b>"
            if kind is BlockKind.HEADING:
                name += "".join(
                    f' <i class="level h{n}">H{n} {count:,}</i>' for n, count in sorted(levels.items())
                )
            keys.append(_switch("kind", kind.value, name, on=True, css=f"key {kind.value} h1"))
    switches = [_switch("layer", "order", word("order", language), on=True)] if view.lines else []
    if view.lines:
        switches.append(_switch("layer", "lines", word("lines", language), on=False))
    if view.lines and is_drawable(view.row.media_type):
        switches.append(_switch("layer", "pictures", word("pictures", language), on=True))
    if counts[BlockKind.TABLE]:
        switches.append(_switch("layer", "marks", word("marks", language), on=False))
    modes = "".join(
        f'<label><input type="radio" name="mode" value="{mode}"'
        f"{' checked' if mode == _mode(view) else ''}>{word(mode, language)}</label>"
        for mode in ("blocks", "chunks")
    )
    chooser = f'<div class="modes">{modes}</div>' if view.chunks else ""
    return f'<div class="bar">{chooser}<div class="keys">{"".join(keys)}</div>{"".join(switches)}</div>\n'


def side(view: DocumentView, parts: Sequence[Part], shown: frozenset[int], language: str) -> str:
    """The outline and, when chunks are shown, their list; ``shown`` are the numbers of the parts here."""
    first = {part.block: part for part in parts if part.is_first}
    headings = [
        (number, block)
        for number, block in enumerate(view.blocks)
        if block.kind is BlockKind.HEADING and number in first
    ]
    entries = "".join(_entry(view, number, block, first[number], shown) for number, block in headings)
    outline = f"<ol>{entries}</ol>" if entries else f"<p>{word('no_outline', language)}</p>"
    title = f"{word('outline', language)} <b>{len(headings):,}</b>"
    chunks = _chunk_list(view, parts, shown, language) if view.chunks else ""
    return f'<nav class="side"><details open><summary>{title}</summary>{outline}</details>{chunks}</nav>\n'


def _entry(view: DocumentView, number: int, block: Block, part: Part, shown: frozenset[int]) -> str:
    label = block.section_path[-1] if block.section_path else block.span.of(view.text)
    page = f'<span class="at">{part.page}</span>' if part.page else ""
    target = {"href": f"#b{number + 1}"} if part.number in shown else {}
    link = attributes(class_=f"h{block.level}", data_b=number + 1, **target)
    return f"<li><a{link}>{inert(label)}{page}</a></li>"


def _chunk_list(view: DocumentView, parts: Sequence[Part], shown: frozenset[int], language: str) -> str:
    most = max(chunk.token_count for chunk in view.chunks)
    parents = {parent.id: number for number, parent in enumerate(view.parents)}
    spans = [part.span for part in parts if part.number in shown]
    items: list[str] = []
    for number, chunk in enumerate(view.chunks):
        target = {"href": f"#c{number + 1}"} if any(span.end > chunk.span.start for span in spans) else {}
        text = chunk.span.of(view.text)
        before = chunk.embed_text.removesuffix(text).strip()
        parent = word("parent", language, number=parents[chunk.parent_id] + 1)
        link = attributes(
            class_=colour(number),
            **target,
            data_c=number + 1,
            data_kind=chunk_label(chunk, number, language),
            data_parent=parent,
            data_span=f"{chunk.span.start}–{chunk.span.end}",
            data_path=" › ".join(chunk.section_path),
            data_before=before[:300],
            data_text=text[:300],
        )
        width = 100 * chunk.token_count / max(most, 1)
        items.append(
            f'<li><a{link}><span class="n">{number + 1}</span><span class="size" '
            f'style="--w:{width:.1f}%"></span><span class="at">{chunk.token_count}</span></a></li>'
        )
    title = f"{word('chunks', language)} <b>{len(items):,}</b>"
    return f'<details open class="chunks"><summary>{title}</summary><ol>{"".join(items)}</ol></details>'


def _switch(name: str, value: str, label: str, *, on: bool, css: str = "key") -> str:
    head = attributes(class_=css)
    box = attributes(type="checkbox", data_switch=name, value=value)
    return f"<label{head}><input{box}{' checked' if on else ''}><span>{label}</span></label>"


def _mode(view: DocumentView) -> str:
    return "chunks" if view.chunks else "blocks"
