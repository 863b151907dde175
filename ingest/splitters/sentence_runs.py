"""Runs of sentences: what the strategies share that cut where neighbouring sentences differ.

A strategy says where meaning changes; here the runs between such places are brought within the limits, by
the same signal: a small run joins the neighbour it is more like, a large one is cut where it is least alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from core.protocols import Vectors
from core.settings import ChunkingSettings
from core.span import Span
from ingest.sections import Section
from ingest.similarity import Similarity
from ingest.splitters.atoms import Atom, atoms_of, own_sizes
from ingest.splitters.piece import Piece, overlapping_start, windows

# Of the hard limit, for what a chunk repeats of the table or list it continues.
_LEAD_SHARE = 8
_NEVER = np.float32(np.inf)


@dataclass(frozen=True, kw_only=True)
class Chain:
    """A section's sentences, tables, code blocks and list items in order.

    ``alike`` is ``(n,) float32``: how alike the text before each is to the text from it on, infinite where
    no cut may be made (before the first, and between a heading and its text). ``base`` is what every
    chunk's header takes, in tokens.
    """

    section: Section
    atoms: Sequence[Atom]
    base: int
    alike: npt.NDArray[np.float32]

    @cached_property
    def filled(self) -> npt.NDArray[np.int64]:
        """``(n + 1,)`` tokens before each atom."""
        return np.concatenate([[0], np.cumsum([atom.size for atom in self.atoms], dtype=np.int64)])

    def size(self, first: int, end: int) -> int:
        """About how many tokens a chunk of these atoms has."""
        return self.base + int(self.filled[end] - self.filled[first])

    def span(self, first: int, end: int) -> Span:
        return Span(self.atoms[first].span.start, self.atoms[end - 1].span.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    first: int
    end: int
    reasons: tuple[str, ...]


def chains_of(
    sections: Sequence[Section], settings: ChunkingSettings, similarity: Similarity, window: int
) -> list[Chain]:
    """The sections' chains; each border compares up to ``window`` atoms on either side.

    Every distinct text is encoded once. A section that is below the minimum has nothing to cut: its
    borders are infinite and nothing of it is encoded.
    """
    special = sections[0].tokens.count([""])[0] if sections else 0
    parts: list[tuple[Section, list[Atom], int]] = []
    for section in sections:
        base = section.tokens.count(["\n".join(filter(None, (section.header, section.focus)))])[0]
        most = settings.hard_tokens - base - settings.hard_tokens // _LEAD_SHARE
        most = max(min(most, similarity.max_tokens - special), 1)
        parts.append((section, atoms_of(section, most, 0), base))
    compared = [len(a) > 1 and base + sum(x.size for x in a) > settings.min_tokens for _, a, base in parts]
    texts = [
        atom.span.of(section.document.text)
        for (section, atoms, _), is_open in zip(parts, compared, strict=True)
        for atom in (atoms if is_open else ())
    ]
    vectors = similarity.vectors(texts)
    chains: list[Chain] = []
    used = 0
    for (section, atoms, base), is_open in zip(parts, compared, strict=True):
        alike = np.full(len(atoms), _NEVER, dtype=np.float32)
        if is_open:
            own = vectors[used : used + len(atoms)]
            used += len(atoms)
            alike[1:] = similarity.between(*_sides(own, window), section.document.language)
            alike[[atom.border == "under_heading" for atom in atoms]] = _NEVER
        chains.append(Chain(section=section, atoms=atoms, base=base, alike=alike))
    return chains


def _sides(vectors: Vectors, window: int) -> tuple[Vectors, Vectors]:
    """Mean directions of up to ``window`` rows before and from each row but the first, ``(n - 1, dimension)``."""
    count = len(vectors)
    at = np.arange(1, count)
    summed = np.concatenate([np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64)])
    left = summed[at] - summed[np.maximum(at - window, 0)]
    right = summed[np.minimum(at + window, count)] - summed[at]
    return _directions(left), _directions(right)


def _directions(sums: npt.NDArray[np.float64]) -> Vectors:
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(norms, 1e-9), dtype=np.float32)


def pieces_of(chain: Chain, cuts: Mapping[int, str], settings: ChunkingSettings) -> list[Piece]:
    """The chunks of a chain that is cut before the atoms ``cuts``, each within the hard limit.

    ``cuts`` gives the reason of each cut; what the limits change is told by "min" and "max".
    """
    starts = sorted({0, *cuts})
    runs = [
        _Run(first=first, end=end, reasons=(cuts.get(first, "section"),))
        for first, end in zip(starts, [*starts[1:], len(chain.atoms)], strict=True)
    ]
    fitting = [
        part for run in _without_small(chain, runs, settings) for part in _cut_large(chain, run, settings)
    ]
    pieces: list[Piece] = []
    sizes = chain.section.sizes([chain.span(run.first, run.end) for run in fitting])
    for run, size in zip(fitting, sizes, strict=True):
        pieces.extend(_measured(chain, run, size, settings))
    return pieces


def _without_small(chain: Chain, runs: Sequence[_Run], settings: ChunkingSettings) -> list[_Run]:
    """Runs under the minimum joined with the neighbour they are more like, as far as the hard limit lets them."""

    def joined(left: _Run, right: _Run) -> _Run | None:
        fits = chain.size(left.first, right.end) <= settings.hard_tokens
        reasons = tuple(dict.fromkeys([*left.reasons, "min"]))
        return _Run(first=left.first, end=right.end, reasons=reasons) if fits else None

    def is_small(run: _Run) -> bool:
        return chain.size(run.first, run.end) < settings.min_tokens

    done: list[_Run] = []
    for run in runs:
        if done and is_small(done[-1]):
            forward = joined(done[-1], run)
            backward = joined(done[-2], done[-1]) if len(done) > 1 else None
            if forward and not (backward and chain.alike[done[-1].first] > chain.alike[run.first]):
                done[-1] = forward
                continue
            if backward:
                done[-2:] = [backward]
        done.append(run)
    if len(done) > 1 and is_small(done[-1]) and (last := joined(done[-2], done[-1])):
        done[-2:] = [last]
    return done


def _cut_large(chain: Chain, run: _Run, settings: ChunkingSettings) -> list[_Run]:
    """The run in parts of at most the soft limit, cut where it is least alike; no part is under the minimum
    while that can be."""
    waiting, done = [run], []
    while waiting:
        part = waiting.pop()
        limit = settings.hard_tokens if "min" in part.reasons else settings.soft_tokens
        if part.end - part.first == 1 or chain.size(part.first, part.end) <= limit:
            done.append(part)
            continue
        at = _weakest(chain, part, settings.min_tokens)
        waiting.append(_Run(first=at, end=part.end, reasons=("max",)))
        waiting.append(_Run(first=part.first, end=at, reasons=part.reasons))
    return done


def _weakest(chain: Chain, run: _Run, least: int) -> int:
    """The inner border of least likeness, of equal ones the middle one, among those that leave ``least`` tokens
    on both sides if there are any."""
    inner = np.arange(run.first + 1, run.end)
    before = chain.base + chain.filled[inner] - chain.filled[run.first]
    after = chain.base + chain.filled[run.end] - chain.filled[inner]
    roomy = (before >= least) & (after >= least)
    for allowed in (roomy & np.isfinite(chain.alike[inner]), np.isfinite(chain.alike[inner]), roomy):
        if allowed.any():
            inner, before, after = inner[allowed], before[allowed], after[allowed]
            break
    order = np.lexsort((inner, np.abs(before - after), chain.alike[inner]))
    return int(inner[order[0]])


def _measured(chain: Chain, run: _Run, size: int, settings: ChunkingSettings) -> list[Piece]:
    """The run as one piece of ``size`` tokens, or, where the sum of its atoms was too low, in several."""
    span = chain.span(run.first, run.end)
    if size <= settings.hard_tokens:
        return [_overlapping(chain, run, Piece(span=span, size=size, reasons=run.reasons), settings)]
    if run.end - run.first == 1:
        return windows(chain.section, span, settings.hard_tokens, settings.overlap_tokens)
    at = _weakest(chain, run, settings.min_tokens)
    pieces: list[Piece] = []
    for first, end, reasons in ((run.first, at, run.reasons), (at, run.end, ("max",))):
        part = _Run(first=first, end=end, reasons=reasons)
        pieces.extend(_measured(chain, part, chain.section.size(chain.span(first, end)), settings))
    return pieces


def _overlapping(chain: Chain, run: _Run, piece: Piece, settings: ChunkingSettings) -> Piece:
    """The piece; behind a forced cut inside a sentence it repeats the end of what stands before it."""
    if chain.atoms[run.first].border != "token" or not run.first or not settings.overlap_tokens:
        return piece
    section, before = chain.section, chain.atoms[run.first - 1].span
    start = overlapping_start(
        section.document.text,
        before,
        settings.overlap_tokens,
        lambda span: own_sizes(section, [span])[0],
    )
    longer = Span(start, piece.span.end)
    size = section.size(longer)
    if size > settings.hard_tokens:
        return piece
    return Piece(span=longer, size=size, reasons=tuple(dict.fromkeys([*piece.reasons, "token"])))
