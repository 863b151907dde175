"""Splitters of other programs, run with our embedder on the same text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Protocol

from core.errors import MissingExtraError, SettingsError, UnknownNameError
from core.protocols import Vectors

INSTALL: Final = "pip install 'youju[peers]'"


class PeerModel(Protocol):
    """What a peer may ask of our embedder. Texts beyond the window are cut, as peers expect it."""

    dimension: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """``(n, dimension) float32``, L2-normalised."""
        ...

    def count(self, text: str) -> int:
        """Tokens of the text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerSplitter:
    """``split(text, language)`` gives chunks as texts, which overlap by at most ``overlap`` characters."""

    split: Callable[[str, str], list[str]]
    overlap: int = 0


# name -> "module:function" that makes the splitter from a model and its settings
PEERS: Final[dict[str, str]] = {
    "langchain-recursive": "evaluation.peers_langchain:recursive",
    "langchain-semantic": "evaluation.peers_langchain:semantic",
    "chonkie-semantic": "evaluation.peers_chonkie:semantic",
    "llamaindex-semantic": "evaluation.peers_llamaindex:semantic",
}


def make_peer(name: str, model: PeerModel, options: dict[str, float]) -> PeerSplitter:
    """The peer's splitter; ``options`` are numbers that the function of its adapter names. Raises as ``made``."""
    peer: PeerSplitter = made(PEERS, name, options, model)
    return peer


def made(table: Mapping[str, str], name: str, options: Mapping[str, float], *parts: object) -> Any:
    """What the function that ``table`` has for ``name`` makes of ``parts``.

    Raises ``UnknownNameError``, ``SettingsError`` for an option it does not have, and
    ``MissingExtraError``.
    """
    if name not in table:
        raise UnknownNameError(seam="peer", name=name, known=", ".join(sorted(table)))
    module, _, function = table[name].partition(":")
    try:
        make: Any = getattr(import_module(module), function)
        known = make.__kwdefaults__
        for option in options:
            if option not in known:
                reason = f"{name} has no {option!r}; it has {', '.join(known)}"
                raise SettingsError(name="--peers", reason=reason)
        return make(*parts, **options)
    except ImportError as exc:
        raise MissingExtraError(name=name, install=INSTALL) from exc
