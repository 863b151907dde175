"""One file's bytes to a document with children and parents, ready to be embedded."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core.chunk import Chunk, Parent
from core.document import Document
from core.errors import ParserFailedError, YoujuError
from core.hashing import stable_id
from core.protocols import Parser, Tokens
from core.reading import DEFAULT_READING, Reading
from core.registry import REGISTRY, resolve
from core.settings import Settings
from ingest import hierarchy
from ingest.focus import Focus
from ingest.isolation import Worker
from ingest.judge import Judge
from ingest.parsers.detect import Route
from ingest.report import Stage
from ingest.sections import EMBED_TEXT_VERSION, sections_of
from ingest.similarity import Similarity
from ingest.splitters.splitter import Splitter, SplitTools
from ingest.workspace import Workspace

_LOG = logging.getLogger(__name__)
# Parsers in Python alone whose time is bounded by the size: up to this one a process would only cost its start.
_PLAIN: Final = frozenset({"text", "markdown"})
_PLAIN_BYTES: Final = 256_000
# What is noted of a chunk besides its text: goes up when the same text may get other dates.
_METADATA_VERSION: Final = "dates-1"

Clock = Callable[[Stage, float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A parsed and chunked document; vectors are still missing."""

    document: Document
    chunks: tuple[Chunk, ...]
    parents: tuple[Parent, ...]
    version_id: str


class RoutedParser:
    """The parser for one file, in the worker unless it is harmless; the document knows what the name hid."""

    def __init__(self, route: Route, name: str, size: int, worker: Worker) -> None:
        """For the file ``name`` of ``size`` bytes. Raises ``MissingExtraError`` and what ``Worker`` raises."""
        self._target = REGISTRY["parser"][route.parser]
        self._notices = route.notices
        self._worker = worker
        self._here: Parser | None = None
        if os.name != "posix" or (route.parser in _PLAIN and size <= _PLAIN_BYTES):
            self._here = resolve("parser", route.parser)()
            self.version, self.media_type = self._here.version, self._here.media_type
        else:
            self.version, self.media_type = worker.describe(self._target, name)

    def parse(self, data: bytes, name: str, reading: Reading = DEFAULT_READING) -> Document:
        """The document. Raises what the parser raises and, for the worker, what ``Worker.parse`` raises."""
        if self._here is not None:
            document = self._here.parse(data, name, reading)
        else:
            document = self._worker.parse(self._target, data, name, reading)
        return replace(document, notices=self._notices + document.notices)


def make_splitter(workspace: Workspace) -> Splitter:
    """The splitter that the settings name, with the tools it needs; no model is loaded for another one.

    Raises ``UnknownNameError`` and what making the embedder raises.
    """
    settings = workspace.settings
    maker: type[Splitter] = resolve("splitter", settings.chunking.strategy)
    similarity = judge = None
    if "similarity" in maker.needs and settings.chunking.similarity:
        similarity = Similarity(workspace.embedder, workspace.calibration)
    if "judge" in maker.needs and settings.chunking.judge:
        # Imported here: it takes a second, which only a model that is asked is worth.
        from core.chat.model import make_chat_model

        model = make_chat_model(settings)
        judge = Judge(model) if model else None
    return maker(settings.chunking, SplitTools(similarity=similarity, judge=judge))


def fingerprint_of(parser: Parser, splitter: Splitter, focus: Focus, settings: Settings, model: str) -> str:
    """Depends on everything besides the bytes that decides a document's chunks and vectors."""
    chunking = settings.chunking
    sizes = (
        chunking.min_tokens,
        chunking.soft_tokens,
        chunking.hard_tokens,
        chunking.parents,
        chunking.parent_soft_tokens,
        chunking.parent_hard_tokens,
    )
    made_by = (parser.version, settings.parsing.ocr, splitter.fingerprint, focus.fingerprint)
    sentences = settings.embedding.sentences
    return stable_id(*made_by, EMBED_TEXT_VERSION, _METADATA_VERSION, *sizes, model, sentences)


def prepare(
    data: bytes, name: str, version_id: str, parser: Parser, splitter: Splitter, focus: Focus,
    settings: Settings, tokens: Tokens, clock: Clock, reading: Reading,
) -> Prepared:  # fmt: skip
    """Parse and chunk; ``clock`` is told the seconds of each stage. Raises ``DocumentError``."""
    started = time.perf_counter()
    document = _parsed(data, name, parser, reading)
    parsed = time.perf_counter()
    clock(Stage.PARSE, parsed - started)
    sections = focus.given(sections_of(document, settings.chunking, tokens, name))
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
        raise ParserFailedError(name=name, kind=type(exc).__name__) from exc
