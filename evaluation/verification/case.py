"""A true sentence with its passage, and the case for a checker that is made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from core.hashing import stable_id
from core.span import Span
from core.verdict import Verdict

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """``sentence`` is carried by ``passage``, a span over the text of ``part``/``doc``.

    ``passage_text`` is the text at it. ``key`` is unique, ``half`` "dev" or "test": all sentences of one
    document are in the same. ``origin`` is "source" for words that stand there, "answer" for those
    of a written answer. ``lang`` is "zh" or "en".
    """

    part: str
    doc: str
    lang: str
    sentence: str
    passage: Span
    passage_text: str
    key: str
    half: str
    origin: str = "source"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One sentence to be held against one passage, and what should come out.

    ``kind`` is what was changed and ``detail`` how; ``original`` is the true sentence it was made from.
    """

    id: str
    half: str
    lang: str
    kind: str
    detail: str
    expected: Verdict
    sentence: str
    original: str
    part: str
    doc: str
    passage: Span
    passage_text: str = field(repr=False)

    @property
    def source(self) -> str:
        """Names the document among those of all sets."""
        return f"{self.part}/{self.doc}"

    def as_json(self) -> Json:
        row = asdict(self)
        del row["passage"], row["passage_text"]
        place = {"start": self.passage.start, "end": self.passage.end}
        return row | place | {"passage": self.passage_text}


def half_of(part: str, doc: str) -> str:
    """ "dev" or "test", by the name of the document."""
    return "dev" if int(stable_id("half", part, doc), 16) % 2 == 0 else "test"


def by_chance(options: Sequence[str], *seed: object) -> list[str]:
    """``options`` in an order by chance that is the same on every machine."""
    return sorted(options, key=lambda option: stable_id(option, *seed))
