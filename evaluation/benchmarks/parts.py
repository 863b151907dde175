"""What is run: one command of the evaluation for each kind of benchmark and set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.errors import SettingsError
from evaluation.benchmarks.datasets import Dataset

_STRATEGIES: Final = "recursive,fixed,sentence-similarity,boundary,clause,semantic"
_SEMANTIC_PEERS: Final = "langchain-semantic,chonkie-semantic,llamaindex-semantic"
_SEARCH_PEERS: Final = "langchain-ensemble,langchain-parent"
# The semantic splitters of other programs embed each sentence several times, and claims index a set five times.
SAMPLED_DOCUMENTS: Final = 24
_TOGETHER: Final = "together"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of each set; 0: none."""

    questions: int = 0
    documents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """``arguments`` follow ``python -m evaluation``; ``datasets`` are what it reads."""

    kind: str
    name: str
    arguments: tuple[str, ...]
    datasets: tuple[Dataset, ...]

    @property
    def key(self) -> str:
        """As it is called in the index, and its folder."""
        return f"{self.kind}.{self.name}"


# Kind -> code that it does not run, so that a change there leaves its results as they are.
_SEARCHING: Final = ("retrieval/", "evaluation/retrieval/", "evaluation/answers/", "evaluation/verification/")
KINDS: Final[dict[str, tuple[str, ...]]] = {
    "chunks": _SEARCHING,
    "semantic-peers": _SEARCHING,
    "search": (
        "evaluation/answers/",
        "evaluation/verification/",
        "retrieval/answerers/",
        "retrieval/verify/",
    ),
    "together": (
        "evaluation/answers/",
        "evaluation/verification/",
        "retrieval/answerers/",
        "retrieval/verify/",
    ),
    "conversations": ("evaluation/answers/", "evaluation/verification/", "retrieval/answerers/"),
    "answers": ("evaluation/verification/",),
    "verify": ("evaluation/retrieval/", "evaluation/answers/"),
    "claims": ("evaluation/verification/",),
}


def parts_of(datasets: Sequence[Dataset], kinds: Sequence[str], limits: Limits) -> list[Part]:
    """In the order of ``KINDS``. Raises ``SettingsError`` for a kind that is not there."""
    for kind in kinds:
        if kind not in KINDS:
            reason = f"expected names out of {', '.join(KINDS)}, got {kind!r}"
            raise SettingsError(name="--only", reason=reason)
    placed = [one for one in datasets if one.has_offsets]
    made = {
        "chunks": [_chunks(one, limits) for one in placed],
        "semantic-peers": [_semantic_peers(one, limits) for one in placed],
        "search": [_search(one, limits) for one in datasets],
        "together": _together([one for one in placed if one.language == "zh"], limits),
        "conversations": [_conversations(one, limits) for one in datasets if one.has_rewrites],
        "answers": [_answers(one, limits) for one in datasets],
        "verify": _verify(placed, limits),
        "claims": _claims([one for one in placed if not one.has_rewrites], limits),
    }
    return [part for kind in KINDS if not kinds or kind in kinds for part in made[kind]]


def _chunks(one: Dataset, limits: Limits) -> Part:
    own = ["chunks", "--strategies", _STRATEGIES, "--peers", "langchain-recursive"]
    return _part("chunks", one.name, [*own, *_sample(limits)], [one])


def _semantic_peers(one: Dataset, limits: Limits) -> Part:
    sampled = Limits(questions=limits.questions, documents=limits.documents or SAMPLED_DOCUMENTS)
    own = [
        "chunks",
        "--strategies",
        "semantic,recursive",
        "--peers",
        f"langchain-recursive,{_SEMANTIC_PEERS}",
    ]
    return _part("semantic-peers", one.name, [*own, *_sample(sampled)], [one])


def _search(one: Dataset, limits: Limits) -> Part:
    own = ["retrieval", "--peers", _SEARCH_PEERS, "--reliability"]
    return _part("search", one.name, [*own, *_sample(limits)], [one])


def _together(found: Sequence[Dataset], limits: Limits) -> list[Part]:
    if len(found) < 2:
        return []
    questions = ["--questions", str(limits.questions or 150)]
    documents = ["--documents", str(limits.documents)] if limits.documents else []
    folders = ",".join(str(one.folder) for one in found)
    own = ["retrieval", "--peers", _SEARCH_PEERS, "--together", f"zh={folders}", *questions, *documents]
    return [Part(kind=_TOGETHER, name="zh", arguments=tuple(own), datasets=tuple(found))]


def _conversations(one: Dataset, limits: Limits) -> Part:
    return _part("conversations", one.name, ["retrieval", "--conversations", *_sample(limits)], [one])


def _answers(one: Dataset, limits: Limits) -> Part:
    asked = ["--questions", str(limits.questions)] if limits.questions else []
    return _part("answers", one.name, ["answers", *asked], [one])


def _verify(found: Sequence[Dataset], limits: Limits) -> list[Part]:
    cases = ["--cases", str(limits.questions)] if limits.questions else []
    return [_part("verify", "all", ["verify", "--half", "both", *cases], found)] if found else []


def _claims(found: Sequence[Dataset], limits: Limits) -> list[Part]:
    sampled = Limits(questions=limits.questions or 150, documents=limits.documents or SAMPLED_DOCUMENTS)
    return [_part("claims", "all", ["claims", *_sample(sampled)], found)] if found else []


def _part(kind: str, name: str, arguments: Sequence[str], datasets: Sequence[Dataset]) -> Part:
    folders = [word for one in datasets for word in ("--data", str(one.folder))]
    return Part(kind=kind, name=name, arguments=(*arguments, *folders), datasets=tuple(datasets))


def _sample(limits: Limits) -> list[str]:
    found = {"--questions": limits.questions, "--documents": limits.documents}
    return [word for name, value in found.items() if value for word in (name, str(value))]
