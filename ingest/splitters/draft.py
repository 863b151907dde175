"""A section on its way to chunks: its atoms, and what it costs to cut or to join at each border."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from zlib import crc32

from core.settings import ChunkingSettings
from core.span import Span
from ingest.parsers.outline import ARTICLE_START
from ingest.sections import Section
from ingest.splitters.atoms import Atom, atoms_of, own_sizes
from ingest.splitters.captions import captioned
from ingest.splitters.partition import ANCHOR, CUT, JOIN, Row
from ingest.splitters.piece import Piece, overlapping_start, windows
from ingest.splitters.rules import FIRM, HEAD, TAIL, Bond, Side, bond_of

# Of the hard limit, the most that a chunk repeats of the table, list or article it continues.
_LEAD_SHARE = 4
_ANCHOR_CHARS = 40
# A term is used in all articles that follow, and "except as otherwise provided" opens one of its own.
_NOT_BETWEEN_ARTICLES = frozenset({"definition", "condition"})
# A chunk that starts at one of these repeats nothing.
_STARTS_ANEW = frozenset({"heading", "under_heading", "article", "block"})


@dataclass(slots=True, kw_only=True)
class Draft:
    """``bonds``, ``cuts`` and ``joined_by``, ``cut_by`` belong to the border before each atom.

    ``units`` says which atoms start an article, alone or with the headings over it.
    ``cut_by`` and ``joined_by`` name what moved a border's cost besides structure and rules.
    """

    section: Section
    atoms: list[Atom]
    opening: list[int]
    bonds: list[Bond | None]
    cuts: list[float]
    joined_by: dict[int, str] = field(default_factory=dict)
    cut_by: dict[int, str] = field(default_factory=dict)
    units: list[bool] = field(default_factory=list)

    @property
    def row(self) -> Row:
        """What the partition needs of the whole section."""
        return self.row_of(0, len(self.atoms))

    def row_of(self, first: int, end: int) -> Row:
        """What the partition needs of the atoms ``first`` up to ``end``."""
        atoms, units = self.atoms[first:end], self.units[first:end]
        return Row(
            sizes=[atom.size for atom in atoms],
            opening=self.opening[first:end],
            cuts=self.cuts[first:end],
            joins=[JOIN if unit else 0.0 for unit in units],
            units=units,
        )

    def size(self, first: int, end: int) -> int:
        """About how many tokens a chunk of the atoms ``first`` up to ``end`` has."""
        return self.opening[first] + sum(atom.size for atom in self.atoms[first:end])


def drafted(section: Section, settings: ChunkingSettings) -> Draft:
    """The section's atoms with the costs that structure and rules give to their borders."""
    base = section.tokens.count(["\n".join(filter(None, (section.header, section.focus)))])[0]
    most = settings.hard_tokens - base - settings.hard_tokens // _LEAD_SHARE
    atoms = atoms_of(section, most, min(settings.soft_tokens // 2, most))
    bonds = _bonds(section, atoms, settings)
    cuts = [
        CUT[atom.border] + (bond.weight if bond else 0.0) + _anchor(section, atom)
        for atom, bond in zip(atoms, bonds, strict=True)
    ]
    return Draft(
        section=section,
        atoms=atoms,
        opening=_openings(section, atoms, base),
        bonds=bonds,
        cuts=cuts,
        units=_units(section, atoms, settings),
    )


def pieces_of(draft: Draft, starts: Sequence[int], settings: ChunkingSettings) -> list[Piece]:
    """The chunks that start at the atoms ``starts``, each within the hard limit."""
    section = draft.section
    runs = list(zip(starts, [*starts[1:], len(draft.atoms)], strict=True))
    sizes = section.sizes([_span(draft, run) for run in runs])
    pieces: list[Piece] = []
    for run, size in zip(runs, sizes, strict=True):
        if size <= settings.hard_tokens:
            pieces.append(_piece(draft, run, size, settings))
        else:
            pieces.extend(_recut(draft, run, settings))
    return pieces


def _bonds(section: Section, atoms: Sequence[Atom], settings: ChunkingSettings) -> list[Bond | None]:
    text = section.document.text
    off = settings.skipped_rules
    off_between_articles = off if "article" in off else off | _NOT_BETWEEN_ARTICLES
    held = captioned(text, atoms)
    depths = sorted({atom.depth for atom in atoms if atom.is_item})
    levels = {depth: level for level, depth in enumerate(depths)}
    bonds: list[Bond | None] = [None]
    for place, (left, right) in enumerate(pairwise(atoms), start=1):
        if right.border in ("token", "under_heading", "heading"):
            bonds.append(None)
            continue
        words = left.span.of(text)[-TAIL:], right.span.of(text)[:HEAD]
        tail, head = (
            Side(text=part, is_item=atom.is_item, depth=levels.get(atom.depth, 0))
            for part, atom in zip(words, (left, right), strict=True)
        )
        bond = bond_of(tail, head, off_between_articles if right.border == "article" else off)
        if place in held and (bond is None or bond.weight < FIRM):
            bond = Bond(name="caption", weight=FIRM)
        bonds.append(bond)
    return bonds


def _units(section: Section, atoms: Sequence[Atom], settings: ChunkingSettings) -> list[bool]:
    """Which atoms start an article, which may be small: with its number or with the headings over it."""
    units = [atom.border == "article" for atom in atoms]
    if "article" in settings.skipped_rules or not section.has_articles:
        return [False] * len(atoms)
    for place in range(len(atoms) - 1, -1, -1):
        if atoms[place].border == "under_heading":
            is_article = ARTICLE_START.match(section.document.text, atoms[place].span.start)
            units[place - 1] = bool(is_article) or units[place]
            units[place] = False
    return units


def _anchor(section: Section, atom: Atom) -> float:
    """A small cost that only the words behind the border decide.

    Where all borders are alike, an edit would move every cut after it; so cuts find back to the same places
    (the idea of content-defined chunking, Muthitacharoen et al. 2001).
    """
    words = section.document.text[atom.span.start : atom.span.start + _ANCHOR_CHARS]
    return ANCHOR * (crc32(words.encode("utf-8", "surrogatepass")) & 0xFFFF) / 0x10000


def _openings(section: Section, atoms: Sequence[Atom], base: int) -> list[int]:
    """Tokens that a chunk has besides its text when it starts at each atom."""
    known: dict[str, int] = {"": 0}
    openings: list[int] = []
    for atom in atoms:
        lead = "" if atom.border in _STARTS_ANEW else section.lead(atom.span.start)
        if lead not in known:
            known[lead] = section.tokens.count([lead])[0]
        openings.append(base + known[lead])
    return openings


def _span(draft: Draft, run: tuple[int, int]) -> Span:
    return Span(draft.atoms[run[0]].span.start, draft.atoms[run[1] - 1].span.end)


def _piece(draft: Draft, run: tuple[int, int], size: int, settings: ChunkingSettings) -> Piece:
    piece = Piece(span=_span(draft, run), size=size, reasons=_reasons(draft, run))
    first = draft.atoms[run[0]]
    if first.border != "token" or not run[0] or not settings.overlap_tokens:
        return piece
    # Only a forced cut repeats what stands before it.
    before = draft.atoms[run[0] - 1].span
    start = overlapping_start(
        draft.section.document.text,
        before,
        settings.overlap_tokens,
        lambda span: own_sizes(draft.section, [span])[0],
    )
    longer = Span(start, piece.span.end)
    size = draft.section.size(longer)
    return Piece(span=longer, size=size, reasons=piece.reasons) if size <= settings.hard_tokens else piece


def _reasons(draft: Draft, run: tuple[int, int]) -> tuple[str, ...]:
    """The border it starts at and what moved it, then what held it together, each once."""
    first, end = run
    if first == 0 and end == len(draft.atoms):
        start = ["section"]
    else:
        start = [draft.atoms[first].border, draft.cut_by.get(first, "")]
    held = []
    for place in range(first + 1, end):
        bond = draft.bonds[place]
        held.append(bond.name if bond else draft.joined_by.get(place, ""))
    return tuple(name for name in dict.fromkeys([*start, *held]) if name)


def _recut(draft: Draft, run: tuple[int, int], settings: ChunkingSettings) -> list[Piece]:
    """A chunk that the sum of its atoms underestimated: cut once more, at its cheapest inner border."""
    first, end = run
    if end - first == 1:
        return windows(draft.section, draft.atoms[first].span, settings.hard_tokens, settings.overlap_tokens)
    middle = (first + end) / 2
    at = min(range(first + 1, end), key=lambda place: (draft.cuts[place], abs(place - middle)))
    pieces: list[Piece] = []
    for part in ((first, at), (at, end)):
        size = draft.section.size(_span(draft, part))
        fits = size <= settings.hard_tokens
        pieces.extend([_piece(draft, part, size, settings)] if fits else _recut(draft, part, settings))
    return pieces
