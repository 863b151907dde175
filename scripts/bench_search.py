"""How long a search takes in a knowledge base of many chunks, and in which step.

    python scripts/bench_search.py --data DIR DIR --children 20000 --questions 200 --home FOLDER
        [--variant ours:retrieval.reranker=cross-encoder]

DIR holds corpus/ (text files) and gold.jsonl. The documents are added as they are, then again with other digits,
until there are so many children. Their vectors are random, so that filling costs no model; the questions are
embedded by the model itself, one at a time. A home that is full already is used again. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.hashing import stable_id  # noqa: E402
from core.protocols import Vectors  # noqa: E402
from core.settings import Settings, load_settings  # noqa: E402
from evaluation.gold import read_gold  # noqa: E402
from evaluation.retrieval.base import settings_at  # noqa: E402
from evaluation.retrieval.runs import latency_of  # noqa: E402
from evaluation.retrieval.systems import QuestionClock  # noqa: E402
from evaluation.retrieval.variants import variant_of  # noqa: E402
from ingest.pipeline import Ingest  # noqa: E402
from ingest.sources import Source  # noqa: E402
from ingest.workspace import Workspace  # noqa: E402
from retrieval.knowledge_base import KnowledgeBase  # noqa: E402

FIRST_CHARS = 300_000
ROUNDS = 30


class RandomPassages(QuestionClock):
    """Counts as the model does and is taken for it; a passage's vector is drawn by its text."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        made = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            drawn = np.random.default_rng(int(stable_id(text)[:12], 16)).standard_normal(self.dimension)
            made[row] = drawn / np.linalg.norm(drawn)
        return made


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--children", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--home", type=Path, help="folder to keep the knowledge base in; default: none")
    parser.add_argument("--variant", default="ours", help="settings, as evaluation retrieval takes them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        settings = settings_at(home, variant_of(options.variant, load_settings()).settings)
        children = fill(settings, options.data, options.children, Path(folder))
        questions = [case.question for one in options.data for case in read_gold(one / "gold.jsonl")]
        order = np.random.default_rng(0).permutation(len(questions))[: options.questions]
        print(table(settings, [questions[at] for at in order], children, options.variant))  # noqa: T201
    return 0


def fill(settings: Settings, folders: Sequence[Path], wanted: int, scratch: Path) -> int:
    """Adds documents until there are about ``wanted`` children; returns how many there are."""
    workspace = Workspace(settings)
    workspace.embedder = RandomPassages(workspace.embedder)
    files = documents(folders, scratch)
    chars, taken = FIRST_CHARS, 0
    children = _children(workspace)
    while children < 0.98 * wanted:
        batch: list[Source] = []
        size = 0
        while size < chars:
            batch.append(next(files))
            size += batch[-1].path.stat().st_size // 2
        Ingest(workspace).add_sources(batch, "default")
        taken += size
        children = _children(workspace)
        sys.stderr.write(f"{children} children of {taken} characters\n")
        chars = int((wanted - children) * taken / max(children, 1))
    workspace.close()
    return children


def documents(folders: Sequence[Path], scratch: Path) -> Iterator[Source]:
    """All text files, and then again and again with other digits."""
    paths = sorted(
        path
        for folder in folders
        for path in (folder / "corpus").rglob("*")
        if path.suffix in (".txt", ".md")
    )
    order = np.random.default_rng(0).permutation(len(paths))
    for turn in range(ROUNDS):
        digits = str.maketrans("0123456789", "".join(str((digit + turn) % 10) for digit in range(10)))
        for number in order:
            path = paths[number]
            copy = scratch / f"{turn}-{number}{path.suffix}"
            copy.write_text(path.read_text("utf-8").translate(digits) + f"\n\n{turn}\n", "utf-8")
            yield Source(name=copy.name, path=copy)


def table(settings: Settings, questions: Sequence[str], children: int, variant: str) -> str:
    base = KnowledgeBase(settings)
    clock = QuestionClock(base.workspace.embedder)
    base.workspace.embedder = clock
    base.warm_up()
    spent: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        clock.reset()
        started, cpu = time.perf_counter(), time.process_time()
        result = base.search(question)
        spent["whole search"].append((time.perf_counter() - started) * 1000)
        spent["of it the processor's time, on all cores"].append((time.process_time() - cpu) * 1000)
        spent["of it the question's embedding"].append(clock.spent_ms)
        for step in result.trace:
            spent[step.name].append(step.latency_ms)
    base.workspace.close()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    head = f"{variant}: {children} children, {len(questions)} questions, {cores} cores"
    rows = ["| step | p50 ms | p95 ms |", "| --- | ---: | ---: |"]
    for name, values in spent.items():
        found = latency_of(values)
        rows.append(f"| {name} | {found.p50:.1f} | {found.p95:.1f} |")
    return "\n".join([head, "", *rows])


def _children(workspace: Workspace) -> int:
    with workspace.store.read() as reader:
        return reader.count("chunks")


if __name__ == "__main__":
    sys.exit(main())
