"""LangChain's RecursiveCharacterTextSplitter and the SemanticChunker of langchain-experimental."""

from __future__ import annotations

import warnings
from typing import Any, Final

from evaluation.peers import PeerModel, PeerSplitter

# As LangChain's manual has it for languages without spaces between words.
_MARKS: Final = ("\n\n", "\n", "\u3002", "\uff0e", ".", "\uff0c", "\u3001", ",", " ", "\u200b", "")
# The chunker's own pattern, and the same idea for text that has no space after its sentences.
_SENTENCES: Final = r"(?<=[.?!])\s+"
_CHINESE_SENTENCES: Final = (
    r"(?<=[。？！])(?![。？！”’」』）])\s*(?=\S)|(?<=[。？！][”’」』）])\s*(?=\S)|(?<=[.?!])\s+|\n+"
)


def recursive(model: PeerModel, *, zh_chars: float = 500, en_chars: float = 1200) -> PeerSplitter:
    """Sizes in characters, with an overlap of a tenth; Chinese with the marks its manual lists."""
    del model

    def split(text: str, language: str) -> list[str]:
        chunks: list[str] = splitter(zh_chars if language == "zh" else en_chars, language).split_text(text)
        return chunks

    return PeerSplitter(split=split, overlap=int(max(zh_chars, en_chars)) // 10)


def splitter(size: float, language: str) -> Any:
    """A ``RecursiveCharacterTextSplitter`` of ``size`` characters that overlap by a tenth."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    marks: dict[str, Any] = {"separators": list(_MARKS), "keep_separator": "end"}
    return RecursiveCharacterTextSplitter(
        chunk_size=int(size), chunk_overlap=int(size) // 10, **(marks if language == "zh" else {})
    )


def semantic(model: PeerModel, *, percentile: float = 95, chinese_marks: float = 1) -> PeerSplitter:
    """Cuts where neighbouring groups of three sentences differ most; it knows no largest size.

    ``chinese_marks`` = 0 leaves it its own pattern, which finds no sentences in Chinese.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from langchain_experimental.text_splitter import SemanticChunker

    def split(text: str, language: str) -> list[str]:
        pattern = _CHINESE_SENTENCES if language == "zh" and chinese_marks else _SENTENCES
        chunker = SemanticChunker(
            _Embeddings(model),  # type: ignore[arg-type,unused-ignore]
            breakpoint_threshold_amount=percentile,
            sentence_split_regex=pattern,
        )
        return [str(chunk) for chunk in chunker.split_text(text)]

    return PeerSplitter(split=split)


class _Embeddings:
    """The one method of LangChain's embeddings that the chunker calls."""

    def __init__(self, model: PeerModel) -> None:
        self._model = model

    def embed_documents(self, texts: list[str]) -> list[Any]:
        return list(self._model.embed(texts))
