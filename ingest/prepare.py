"""One file's bytes to a document with children and parents, ready to be embedded."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.chunk import Chunk, Parent
from core.document import Document
from core.errors import DocumentError, YoujuError
from core.hashing import stable_id
from core.protocols import Parser, Tokens
from core.reading import Reading
from core.registry import resolve
from core.settings import Settings
from ingest import hierarchy
from ingest.parsers.detect import parser_for
from ingest.report import Stage
from ingest.sections import EMBED_TEXT_VERSION, sections_of
from ingest.splitters.splitter import Splitter

_LOG = logging.getLogger(__name__)

Clock = Callable[[Stage, float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A parsed and chunked document; vectors are still missing."""

    document: Document
    chunks: tuple[Chunk, ...]
    parents: tuple[Parent, ...]
    version_id: str


def make_splitter(settings: Settings) -> Splitter:
    """The splitter that the settings name. Raises ``UnknownNameError``."""
    splitter: Splitter = resolve("splitter", settings.chunking.strategy)(settings.chunking)
    return splitter


def make_parser(name: str, data: bytes) -> Parser:
    """The parser for a file. Raises a ``DocumentError`` when there is none."""
    parser: Parser = resolve("parser", parser_for(name, data))()
    return parser


def fingerprint_of(parser: Parser, splitter: Splitter, settings: Settings, model: str) -> str:
    """Depends on everything besides the bytes that decides a document's chunks."""
    chunking = settings.chunking
    sizes = (chunking.parent_soft_tokens, chunking.parent_hard_tokens, chunking.hard_tokens)
    return stable_id(parser.version, splitter.fingerprint, EMBED_TEXT_VERSION, *sizes, model)


def prepare(
    data: bytes, name: str, version_id: str, parser: Parser, splitter: Splitter, settings: Settings,
    tokens: Tokens, clock: Clock, reading: Reading,
) -> Prepared:  # fmt: skip
    """Parse and chunk; ``clock`` is told the seconds of each stage. Raises ``DocumentError``."""
    started = time.perf_counter()
    document = _parsed(data, name, parser, reading)
    parsed = time.perf_counter()
    clock(Stage.PARSE, parsed - started)
    sections = sections_of(document, settings.chunking, tokens)
    chunks, parents = hierarchy.build(version_id, sections, splitter.split(sections), settings.chunking)
    clock(Stage.CHUNK, time.perf_counter() - parsed)
    return Prepared(document=document, chunks=chunks, parents=parents, version_id=version_id)


def _parsed(data: bytes, name: str, parser: Parser, reading: Reading) -> Document:
    """The document. Whatever a parser trips over is this file's fault: the next one is still taken."""
    try:
        return parser.parse(data, name, reading)
    except YoujuError:
        raise
    except Exception as exc:
        _LOG.exception("the parser of %s failed", name)
        raise DocumentError(name=name, reason=type(exc).__name__) from exc
