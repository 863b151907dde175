"""Other programs' chunks find their place in our text; vectors are made once and their time is kept."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from core.errors import MissingExtraError, SettingsError, UnknownNameError
from core.protocols import Vectors
from core.settings import Settings
from evaluation.alignment import align
from evaluation.chunkers import PeerChunker, spec_of
from evaluation.peers import PEERS, make_peer
from evaluation.vector_cache import MeasuredEmbedder, VectorCache
from ingest.embedders.hashing import HashingEmbedder
from ingest.parsers.text.markdown import MarkdownParser
from tests.oracles import chunk_spans as oracle
from tests.support import HANDBOOK, MANUAL

PACKAGES = {
    "langchain-semantic": "langchain_experimental",
    "chonkie-semantic": "chonkie",
    "llamaindex-semantic": "llama_index",
}


class Counting(HashingEmbedder):
    """Knows what it was asked."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().passages(texts)


@pytest.fixture
def measured(settings: Settings, tmp_path: Path) -> MeasuredEmbedder:
    return MeasuredEmbedder(Counting(settings), VectorCache(tmp_path / "vectors.db"))


@trials(max_examples=80, deadline=None)
@given(
    st.text("ab \n", max_size=14),
    st.lists(st.text("ab ", min_size=1, max_size=4).filter(str.strip), max_size=5),
)
def test_chunks_without_overlap_are_found_as_the_oracle_finds_them(text: str, chunks: list[str]) -> None:
    expected = oracle.alignment(text, chunks)
    found = align(text, chunks)
    assert [(span.start, span.end) for span in found.spans] == [pair for pair in expected if pair]
    assert found.lost == expected.count(None)


def test_repeated_text_is_found_where_it_stands() -> None:
    text = "Yes. No. Yes. No. Yes."
    found = align(text, ["Yes. No.", "No. Yes.", " ", "Yes. No. Yes.", "Never."], overlap=4)
    assert [span.of(text) for span in found.spans] == ["Yes. No.", "No. Yes.", "Yes. No. Yes."]
    assert [span.start for span in found.spans] == [0, 5, 9]
    assert (found.empty, found.lost) == (1, 1)


@pytest.mark.parametrize("written", ["langchain-recursive:zh_chars=60:en_chars=80", *PACKAGES])
def test_each_peer_cuts_both_languages_and_every_chunk_is_found(
    written: str, settings: Settings, measured: MeasuredEmbedder
) -> None:
    spec = spec_of(written, "--peers")
    if spec.name in PACKAGES:
        pytest.importorskip(PACKAGES[spec.name])
    chunker = PeerChunker(spec, settings, measured)
    for name, text in (("handbook.md", HANDBOOK), ("manual.md", MANUAL)):
        document = MarkdownParser().parse(text.encode(), name)
        cut = chunker.cut(name, document)
        assert cut.lost == 0 and len(cut.passages) > 1
        held = {at for one in cut.passages for at in range(one.place.span.start, one.place.span.end)}
        assert all(char.isspace() or at in held for at, char in enumerate(document.text))
        assert all(head.endswith(one.text) for head, one in zip(cut.headed, cut.passages, strict=True))
        assert cut.headed[-1] != cut.passages[-1].embed_text == cut.passages[-1].text


@pytest.mark.parametrize(("name", "package"), PACKAGES.items())
def test_a_missing_peer_says_what_to_install(
    name: str, package: str, measured: MeasuredEmbedder, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [module for module in sys.modules if module.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"youju\[peers\]"):
        PeerChunker(spec_of(name, "--peers"), settings, measured)


def test_wrong_names_and_options_are_told(settings: Settings, measured: MeasuredEmbedder) -> None:
    with pytest.raises(UnknownNameError, match="langchain-recursive"):
        PeerChunker(spec_of("magic", "--peers"), settings, measured)
    with pytest.raises(SettingsError, match="zh_chars"):
        PeerChunker(spec_of("langchain-recursive:size=3", "--peers"), settings, measured)
    with pytest.raises(SettingsError, match="numbers"):
        PeerChunker(spec_of("langchain-recursive:zh_chars=x", "--peers"), settings, measured)
    with pytest.raises(SettingsError, match="name:key=value"):
        spec_of("recursive:200", "--strategies")
    assert set(PACKAGES) | {"langchain-recursive"} == set(PEERS) and make_peer


def test_a_text_is_embedded_once_and_its_time_is_remembered(settings: Settings, tmp_path: Path) -> None:
    model = Counting(settings)
    first = MeasuredEmbedder(model, VectorCache(tmp_path / "v.db"))
    vectors = first.passages(["pump", "seal", "pump"])
    assert sorted(model.asked) == ["pump", "seal"]
    assert np.array_equal(vectors, HashingEmbedder(settings).passages(["pump", "seal", "pump"]))
    spent = first.model_s
    first.passages(["pump"])
    assert first.model_s == spent > 0
    again = MeasuredEmbedder(model, VectorCache(tmp_path / "v.db"))
    assert np.array_equal(again.passages(["seal", "pump"]), vectors[[1, 0]])
    assert sorted(model.asked) == ["pump", "seal"]
    assert again.model_s == pytest.approx(spent)
    again.reset()
    assert again.model_s == again.inside_s == 0
    # A question is not a passage.
    again.queries(["pump"])
    assert again.model_s > 0


def test_long_texts_are_cut_at_the_window_and_no_shorter(measured: MeasuredEmbedder) -> None:
    short, long = measured.fitted(["short", "字" * 5000])
    assert short == "short"
    assert 0.9 * measured.max_tokens < measured.count([long])[0] <= measured.max_tokens
