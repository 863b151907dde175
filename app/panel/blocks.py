"""A stretch of a document as the panel draws it: its blocks, each cut into runs of one layer and one look.

A run's words are the source's own, character by character; only marks that a reader does not see are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.panel.markup import Markup, bullet_of, markup_of
from core.document import BODY_LEVEL, Block, BlockKind
from core.span import Span, trimmed
from ingest.viewer.rows import cell_words, has_rule, table_rows

# A list inside a list is indented by this many blanks.
_INDENT: Final = 2
_DEEPEST: Final = 4

# ``{"layer", "text", "style"}``: what a run is drawn from.
Run = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """The passage is pale, the words that carry are strong, all else is context."""

    passage: Span
    strong: tuple[Span, ...] = ()

    def borders(self) -> set[int]:
        spans = (self.passage, *self.strong)
        return {span.start for span in spans} | {span.end for span in spans}

    def of(self, run: Span) -> str:
        if any(span.contains(run) for span in self.strong):
            return "strong"
        return "pale" if self.passage.contains(run) else "context"


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """Draws stretches of one version of a document."""

    text: str
    media_type: str
    blocks: Sequence[Block]
    layers: Layers

    def drawn(self, window: Span) -> list[dict[str, object]]:
        """Every block that has words in ``window``, as far as it does; words of no block are paragraphs."""
        return [shown for block in self._all(window) if (shown := self._block(block, window))]

    def _all(self, window: Span) -> Iterator[Block]:
        at = window.start
        for block in self.blocks:
            if not block.span.overlaps(window):
                continue
            if loose := trimmed(self.text, at, max(at, block.span.start)):
                yield Block(kind=BlockKind.PARAGRAPH, span=loose)
            yield block
            at = block.span.end
        if loose := trimmed(self.text, at, max(at, window.end)):
            yield Block(kind=BlockKind.PARAGRAPH, span=loose)

    def _block(self, block: Block, window: Span) -> dict[str, object] | None:
        piece = block.span.intersection(window)
        if piece is None:
            return None
        markup = markup_of(self.text, block, self.media_type)
        if block.kind is BlockKind.TABLE and (rows := table_rows(self.text, block.span)):
            return self._table(rows, piece, markup)
        runs = self.runs(piece, markup)
        if not any(run["text"].strip() for run in runs):
            return None
        shown: dict[str, object] = {"kind": block.kind.value, "runs": runs}
        if block.level != BODY_LEVEL:
            shown["level"] = block.level
        if block.kind is BlockKind.LIST_ITEM:
            bullet = bullet_of(self.text, block)
            shown |= {"depth": self._depth(block), "bullet": bullet is not None and piece.contains(bullet)}
        return shown

    def _depth(self, block: Block) -> int:
        """How deep in lists, by the blanks that lead its first line."""
        line = self.text.rfind("\n", 0, block.span.start) + 1
        lead = self.text[line : block.span.end]
        return min((len(lead) - len(lead.lstrip())) // _INDENT, _DEEPEST)

    def _table(self, rows: Sequence[Span], piece: Span, markup: Markup) -> dict[str, object] | None:
        """The rows inside the piece, below the header wherever the table was cut."""
        is_headed = has_rule(self.text, rows)
        body = rows[2:] if is_headed else rows
        inside = [self._row(row, markup) for row in body if row.overlaps(piece)]
        head = self._row(rows[0], markup) if is_headed else []
        return {"kind": "table", "head": head, "rows": inside} if inside or head else None

    def _row(self, row: Span, markup: Markup) -> list[list[Run]]:
        words = cell_words(self.text, row)
        return [self.runs(Span(start, end), markup) if start < end else [] for start, end in words]

    def runs(self, piece: Span, markup: Markup) -> list[Run]:
        """``piece`` cut wherever its layer or its look changes, without marks and white space at its ends."""
        hidden = [span for span in markup.hidden if span.overlaps(piece)]
        styled = [(span, style) for span, style in markup.styled if span.overlaps(piece)]
        borders = {piece.start, piece.end, *self.layers.borders()}
        for span in (*hidden, *(span for span, _ in styled)):
            borders |= {span.start, span.end}
        inside = sorted(at for at in borders if piece.start <= at <= piece.end)
        runs: list[Run] = []
        for start, end in pairwise(inside):
            run = Span(start, end)
            if any(mark.contains(run) for mark in hidden):
                continue
            style = " ".join(sorted({name for span, name in styled if span.contains(run)}))
            layer = self.layers.of(run)
            if runs and (runs[-1]["layer"], runs[-1]["style"]) == (layer, style):
                runs[-1]["text"] += run.of(self.text)
            else:
                runs.append({"layer": layer, "text": run.of(self.text), "style": style})
        return runs


def words_of(blocks: Sequence[dict[str, object]]) -> str:
    """The words of drawn blocks as a reader would copy them: a line for each block or row."""
    return "\n".join(line for block in blocks if (line := _line(block)))


def _line(block: dict[str, object]) -> str:
    if block["kind"] != BlockKind.TABLE.value:
        return _said(block["runs"])
    return "\n".join(" | ".join(_said(cell) for cell in row) for row in block["rows"])  # type: ignore[attr-defined]


def _said(runs: object) -> str:
    return "".join(run["text"] for run in runs).strip()  # type: ignore[attr-defined]
