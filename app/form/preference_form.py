"""What a user wants his own way in the chat: read from the form, kept as JSON, and what changed in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal, cast

from app.form.choices import Choices
from app.texts import TEXTS, text
from retrieval.options import AskOptions

TraceDepth = Literal["brief", "normal", "full"]

AUTO: Final = "auto"
LANGUAGES: Final = (AUTO, "zh", "en")
DEPTHS: Final = ("brief", "normal", "full")
_NORMAL: Final = "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """``None``: as it is set for everybody. ``language`` "auto": as the browser says."""

    method: str | None = None
    strict: bool | None = None
    reranker: str | None = None
    expand: bool | None = None
    passages: int | None = None
    language: str = AUTO
    depth: TraceDepth = _NORMAL
    strategy: str | None = None

    def ask_options(self) -> AskOptions:
        return AskOptions(
            method=self.method,
            strict=self.strict,
            reranker=self.reranker,
            expand=self.expand,
            passages=self.passages,
        )


def read_preferences(values: Mapping[str, object], choices: Choices) -> Preferences:
    """From a form or from what was kept: what cannot be chosen here, any more or at all, is as it is set."""
    return Preferences(
        method=_one_of(values.get("method"), choices.methods, choices.method),
        strict=_switched(values.get("strict"), choices.strict),
        reranker=_one_of(values.get("reranker"), choices.rerankers, choices.reranker),
        expand=_switched(values.get("expand"), choices.expand),
        passages=_number(values.get("passages"), choices),
        language=_one_of(values.get("language"), LANGUAGES, AUTO) or AUTO,
        depth=cast(TraceDepth, _one_of(values.get("depth"), DEPTHS, _NORMAL) or _NORMAL),
        strategy=_one_of(values.get("strategy"), choices.strategies, choices.strategy),
    )


def effective(preferences: Preferences, choices: Choices) -> dict[str, object]:
    """What holds for each field of the form."""
    wanted = asdict(preferences)
    return {name: getattr(choices, name) if value is None else value for name, value in wanted.items()}


def changes(before: Preferences, after: Preferences, choices: Choices, language: str) -> str:
    """What is otherwise than before, in words; empty when nothing is."""
    old, new = effective(before, choices), effective(after, choices)
    said = [
        text(
            "pref_set", language, name=text(f"pref_{name}", language), value=value_word(name, value, language)
        )
        for name, value in new.items()
        if value != old[name]
    ]
    return text("pref_between", language).join(said)


def value_word(name: str, value: object, language: str) -> str:
    """A value as the form calls it; a part that others registered by its own name."""
    if isinstance(value, bool):
        value = "on" if value else "off"
        name = "switch"
    key = f"{name}_{value}"
    return text(key, language) if key in TEXTS else str(value)


def _one_of(value: object, names: Sequence[str], default: str) -> str | None:
    return str(value) if value in names and value != default else None


def _switched(value: object, default: bool) -> bool | None:
    return value if isinstance(value, bool) and value is not default else None


def _number(value: object, choices: Choices) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    wanted = int(min(max(value, 1), choices.most_passages))
    return wanted if wanted != choices.passages else None
